/** The candidate that is most like a name, if one is alike at all. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const allowed = Math.max(2, Math.floor(name.length / 4));
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of candidates) {
    const distance = edits(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best ?? sameEnd(name, candidates);
}

/** A candidate whose last part is the same: the key is right and its place is not. */
function sameEnd(name: string, candidates: readonly string[]): string | undefined {
  const end = `.${name.slice(name.lastIndexOf(".") + 1)}`;
  const found = candidates.filter(candidate => candidate.endsWith(end));
  return found.length === 1 ? found[0] : undefined;
}

/** Letters to insert, drop or change to turn one text into the other. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
