import { lowered } from "./known-list.ts";

/** The first code unit that UTF-8 cannot encode alone. */
const SURROGATES = 0xd800;
const ABOVE_UNITS = 0x10000;
const BLOCK = 256;
const PLAIN = /^[ -~]*$/;

/** Characters up to `ESCAPE` are encoded as `ESCAPE` and one of these. */
const [SEPARATOR, ESCAPE] = ["\u0001", "\u0002"];
const ESCAPED = ["!", '"', "#"];

/**
 * A text whose UTF-8 bytes sort like the code units of the name, and begin with those of its prefixes. It never contains U+0000 or
 * U+0001.
 */
export function sortable(name: string): string {
  if (PLAIN.test(name)) return name;
  let text = "";
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    if (unit < ESCAPED.length) text += ESCAPE + ESCAPED[unit];
    else if (unit < SURROGATES) text += String.fromCharCode(unit);
    else text += String.fromCodePoint(ABOVE_UNITS + unit - SURROGATES);
  }
  return text;
}

/** Joins two sortable texts; the result sorts by the first. */
export const joined = (first: string, second: string): string => `${first}${SEPARATOR}${second}`;

/** Splits a text of `joined`. */
export function separated(text: string): [first: string, second: string] {
  const at = text.indexOf(SEPARATOR);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** for each code unit, the other ones whose lower case begins with it */
let others: ReadonlyMap<string, readonly string[]> | undefined;

/** The code units whose lower case begins with the first one of this text, sorted. */
export function unitsOf(lower: string): readonly string[] {
  others ??= allOthers();
  const first = lower.charAt(0);
  return [...(lowered(first) === first ? [first] : []), ...(others.get(first) ?? [])].sort();
}

function allOthers(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let block = 0; block < ABOVE_UNITS; block += BLOCK) {
    const units = Array.from({ length: BLOCK }, (_, i) => String.fromCharCode(block + i));
    const text = units.join("");
    // Most blocks have no letters with case.
    if (lowered(text) === text) continue;
    for (const unit of units) {
      const lower = lowered(unit).charAt(0);
      if (lower !== unit) found.set(lower, [...(found.get(lower) ?? []), unit]);
    }
  }
  return found;
}
