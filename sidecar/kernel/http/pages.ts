import { checkJson, text } from "../../../shared/guard.ts";
import type { Result } from "../../../shared/result.ts";
import { type Parameter, queryParameter } from "./description.ts";
import { type QueryFault, queryFault, queryOf, readLimit } from "./query.ts";

/** Elements of a page without `limit`, and at most. */
const PAGE = { usual: 50, most: 200 };
/** Characters of a key that a cursor may hold. */
const MAX_KEY_LENGTH = 1_024;

/** Parameters of a list that can be read a page at a time. */
export const PAGE_PARAMETERS: readonly Parameter[] = [
  queryParameter(
    "limit",
    `Most elements in the response. Default: the whole list, or ${PAGE.usual} with \`after\`.`,
    { type: "integer", minimum: 1, maximum: PAGE.most },
    PAGE.usual,
  ),
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
 * The page of a list that a query names; the whole list if it names none. Other parameters are ignored.
 * @param keyOf differs for each element, and sorts the list by code unit
 */
export function pageOf<T>(
  url: string,
  all: readonly T[],
  keyOf: (element: T) => string,
): Result<Page<T>, QueryFault> {
  const query = queryOf(url);
  const after = query.get("after");
  if (after === null && !query.has("limit")) return { value: { elements: all, headers: {} } };
  const limit = readLimit(query, PAGE);
  if ("fault" in limit) return limit;
  const read = checkJson(keyText, after === null ? '""' : Buffer.from(after, "base64url").toString());
  const from = "value" in read ? read.value : undefined;
  if (from === undefined || (after !== null && cursorOf(from) !== after))
    return queryFault("after", "that of the `Link` of an earlier page");
  const rest = all
    .map(element => ({ element, key: keyOf(element) }))
    .filter(({ key }) => after === null || key > from)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const page = rest.slice(0, limit.value);
  const last = page.at(-1);
  const next =
    rest.length > page.length && last
      ? { Link: `<?limit=${limit.value}&after=${cursorOf(last.key)}>; rel="next"` }
      : {};
  return { value: { elements: page.map(({ element }) => element), headers: next } };
}

/** As JSON, which keeps half of a character too. */
const cursorOf = (key: string): string => Buffer.from(JSON.stringify(key)).toString("base64url");
const keyText = text(MAX_KEY_LENGTH);
