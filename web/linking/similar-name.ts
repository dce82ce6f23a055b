/** Changes of a letter that a name may be away and still be the one that was meant. */
const MOST_CHANGES = 2;

/** How many letters have to be put in, taken out or changed to make one text of the other. */
function changes(one: string, other: string): number {
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

/** The name that was most likely meant, if one is near enough; capitals count for nothing. */
export function similar(name: string, names: readonly string[]): string | undefined {
  const wanted = folded(name);
  const most = Math.min(MOST_CHANGES, Math.floor(wanted.length / 2));
  const [best] = names
    .filter(one => one !== name)
    .map(one => ({ one, away: changes(wanted, folded(one)) }))
    .filter(({ away }) => away <= most)
    .sort((a, b) => a.away - b.away);
  return best?.one;
}
