const leftovers = new Set<() => void>();

/** What has to be done even if the program ends early; the answer takes it off the list again. */
export function leaveNothing(clean: () => void): () => void {
  leftovers.add(clean);
  return () => leftovers.delete(clean);
}

/** Does what is still on the list. */
export function cleanUp(): void {
  for (const clean of leftovers) clean();
  leftovers.clear();
}
