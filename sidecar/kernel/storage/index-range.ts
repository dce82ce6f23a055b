/** An entry of an index: of equal values the smaller key comes first. */
export interface IndexEntry {
  value: string;
  key: string;
}

/** Part of an index. */
export interface IndexRange {
  /** the smallest value */
  from?: string;
  /** the first value behind all of them */
  to?: string;
  /** only entries behind this one */
  after?: IndexEntry | undefined;
  limit?: number | undefined;
}

/** Stands behind every value that begins with a text. */
export const BEHIND_ALL = "\u{10ffff}";

/** The entries of exactly this value. */
export const exactly = (value: string): IndexRange => ({ from: value, to: `${value}\u0001` });

/** The entries whose value begins with a text. */
export const beginningWith = (text: string): IndexRange => ({ from: text, to: `${text}${BEHIND_ALL}` });

/** Where a range begins: behind this entry. */
export function startOf({ from = "", after }: IndexRange): IndexEntry {
  return after !== undefined && compareTexts(after.value, from) >= 0 ? after : { value: from, key: "" };
}

/** Compares texts by their bytes in UTF-8. */
export const compareTexts = (one: string, other: string): number =>
  one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A safe integer, perhaps negative, as a value of an index. */
export function ordered(number: number): string {
  const [sign, rest] = number < 0 ? ["-", Number.MAX_SAFE_INTEGER + number] : ["0", number];
  return sign + `${rest}`.padStart(16, "0");
}
