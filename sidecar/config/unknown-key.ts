/** Most names that are suggested. */
const MOST = 3;

/** The fault of an unknown name, with the names that may be meant. */
export function unknownKey(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  // Quotes and escapes only if a name would not fit on a line as it is.
  const quoted = /^[\w.-]{1,100}$/.test(name) ? name : JSON.stringify(name.slice(0, 100));
  return `${quoted}: unknown key: ${meant.length === 0 ? "expected one of the documented keys" : `did you mean ${meant.join(" or ")}?`}`;
}

/** The candidate that is most similar to a name, if any is, or those with a similar end. */
function nearest(name: string, candidates: readonly string[]): string[] {
  const allowed = Math.max(2, Math.floor(name.length / 4));
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(name.length - candidate.length) > allowed) continue;
    const distance = edits(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best === undefined ? sameEnd(name, candidates) : [best];
}

/** Candidates that end with a name, or with its last part: the key is right, and its section or form is wrong. */
function sameEnd(name: string, candidates: readonly string[]): string[] {
  const plain = (text: string): string => text.toLowerCase().replace(/-/g, "_");
  const ending = (end: string): string[] =>
    candidates.filter(candidate => {
      const [whole, between] = [plain(candidate), candidate.includes(".") ? "." : "_"];
      return whole.endsWith(`${between}${end}`) || whole.replace(/\./g, "_") === end;
    });
  const found = ending(plain(name).replace(/^web_bridge_/, ""));
  const meant = found.length > 0 ? found : ending(plain(name.slice(name.lastIndexOf(".") + 1)));
  return meant.length <= MOST ? meant : [];
}

/** The Levenshtein distance of two texts. */
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
