/** Most letters that may differ between a typed name and a suggestion. */
const MAX_CHANGES = 2;

/** The edit distance of two texts: letters inserted, removed or replaced. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...one].entries()) {
    const row = [i + 1];
    for (const [j, wanted] of [...other].entries())
      row.push(
        Math.min((before[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1, (before[j] ?? 0) + (letter === wanted ? 0 : 1)),
      );
    before = row;
  }
  return before.at(-1) ?? 0;
}

const folded = (name: string): string => name.trim().toLowerCase();

/** The name that is most similar to a typed one, if one is similar enough; ignores case. */
export function similarName(typed: string, names: readonly string[]): string | undefined {
  const wanted = folded(typed);
  const max = Math.min(MAX_CHANGES, Math.floor(wanted.length / 2));
  const [best] = names
    .filter(name => name !== typed)
    .map(name => ({ name, changes: distance(wanted, folded(name)) }))
    .filter(({ changes }) => changes <= max)
    .sort((a, b) => a.changes - b.changes);
  return best?.name;
}
