/** The fault of a name that is none, with the one that may have been meant. */
export function unknownKey(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  // Quotes and escapes only where a name would not fit on a line as it is.
  const shown = /^[\w.-]{1,100}$/.test(name) ? name : JSON.stringify(name.slice(0, 100));
  return `${shown}: unknown key: ${meant === undefined ? "expected one of the documented keys" : `did you mean ${meant}?`}`;
}

/** The candidate that is most like a name, if one is alike at all. */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  const allowed = Math.max(2, Math.floor(name.length / 4));
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(name.length - candidate.length) > allowed) continue;
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
