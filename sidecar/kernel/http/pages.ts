import { checkJson, type Guard, text } from "../../../shared/guard.ts";
import type { Result } from "../../../shared/result.ts";
import { type Parameter, queryParameter } from "./description.ts";
import { LIMIT, limitParameter, type QueryFault, queryFault, readLimit, readParameters } from "./query.ts";

/** Parameters of a list that can be read a page at a time. */
export const PAGE_PARAMETERS: readonly Parameter[] = [
  limitParameter("elements", `the whole list, or ${LIMIT.usual} with \`after\``),
  queryParameter(
    "after",
    'Where the next page begins. The header `Link` with `rel="next"` has the address of that page.',
    { type: "string", minLength: 1 },
    "Ikhlcm9icmluZSI",
  ),
];

export interface Page<T> {
  elements: readonly T[];
  /** `Link` to the next page, relative to the address of this one, where there is one */
  headers: { Link?: string };
}

/**
 * The page of a list that a query names; the complete list if it names none.
 * @param keyOf differs for each element, and sorts the list by code unit
 */
export function pageOf<T>(
  url: string,
  all: readonly T[],
  keyOf: (element: T) => string,
): Result<Page<T>, QueryFault> {
  const read = readParameters(url, ["limit", "after"]);
  if ("fault" in read) return read;
  const query = read.value;
  const after = query.get("after");
  if (after === null && !query.has("limit")) return { value: { elements: all, headers: {} } };
  const limit = readLimit(query);
  if ("fault" in limit) return limit;
  const from = after === null ? undefined : readCursor(text(1_024), after);
  if (after !== null && from === undefined)
    return queryFault("after", "the one in the `Link` of an earlier page");
  const rest = all
    .map(element => ({ element, key: keyOf(element) }))
    .filter(({ key }) => from === undefined || key > from)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const page = rest.slice(0, limit.value);
  const last = page.at(-1);
  const next =
    rest.length > page.length && last
      ? { Link: `<?limit=${limit.value}&after=${writeCursor(last.key)}>; rel="next"` }
      : {};
  return { value: { elements: page.map(({ element }) => element), headers: next } };
}

/** A cursor, which says where the next page begins: JSON, which preserves an unpaired surrogate. */
export const writeCursor = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

/** What a cursor holds; undefined: `writeCursor` has not written it. */
export function readCursor<T>(guard: Guard<T>, written: string): T | undefined {
  const read = checkJson(guard, Buffer.from(written, "base64url").toString());
  return "value" in read && writeCursor(read.value) === written ? read.value : undefined;
}
