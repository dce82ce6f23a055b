const leftovers = new Set<() => Promise<void>>();

/** What a benchmark has begun ends with it, or when the answer is called before; once. */
export function leaveNothing(clean: () => unknown): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    leftovers.delete(end);
    ended ??= (async () => void (await clean()))();
    return ended;
  };
  leftovers.add(end);
  return end;
}

/** Ends what has not ended. */
export async function cleanUp(): Promise<void> {
  await Promise.allSettled([...leftovers].map(end => end()));
}
