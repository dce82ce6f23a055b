import type { Result } from "../../../shared/result.ts";
import { type Parameter, queryParameter } from "./description.ts";
import type { ErrorDetail } from "./errors.ts";

/** Elements in a response without `limit`, and at most. */
export const LIMIT = { usual: 50, most: 200 };

/** Characters of an unknown parameter that an error repeats. */
const MAX_NAME_LENGTH = 64;

/** Cache-busting parameter of pages. It has no effect. */
const CACHE_BUSTER = "_";

/** A query that is invalid: what is wrong with which parameter, unless that has no name. */
export type QueryFault = ErrorDetail & { message: string };

/** A fault of a parameter; `expected` completes "must be". */
export const queryFault = (field: string, expected: string): { fault: QueryFault } => ({
  fault: { field, message: `\`${field}\` must be ${expected}.` },
});

/** All parameters of an address. */
export const queryOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");

/** Describes the parameter `limit`. */
export const limitParameter = (what: string, otherwise = `${LIMIT.usual}`): Parameter =>
  queryParameter(
    "limit",
    `Most ${what} in the response. Default: ${otherwise}.`,
    { type: "integer", minimum: 1, maximum: LIMIT.most },
    LIMIT.usual,
  );

/** The parameter `limit`: the number of requested elements, by default `usual`, at most `most`. */
export function readLimit(query: URLSearchParams, { usual, most } = LIMIT): Result<number, QueryFault> {
  const written = query.get("limit");
  const limit = written === null ? usual : /^\d{1,9}$/.test(written) ? Number(written) : 0;
  return limit >= 1 && limit <= most
    ? { value: limit }
    : queryFault("limit", `a whole number from 1 to ${most}`);
}

/**
 * The query of an address; a fault where it has a parameter that is not known, or one twice that is no list.
 * @param lists names that may come several times, also as `name[]` and `name[0]`, which axios and PHP make of a list
 * @param aliases names that are accepted too, but that errors do not suggest
 */
export function readParameters(
  url: string,
  names: readonly string[],
  lists: readonly string[] = [],
  aliases: readonly string[] = [],
): Result<URLSearchParams, QueryFault> {
  const query = new URLSearchParams();
  for (const [name, value] of queryOf(url)) {
    const list = name.replace(/\[\d*\]$/, "");
    query.append(lists.includes(list) ? list : name, value);
  }
  query.delete(CACHE_BUSTER);
  for (const name of query.keys()) {
    if (lists.includes(name)) continue;
    if (![...names, ...aliases].includes(name)) return unknownParameter(name, [...names, ...lists]);
    if (query.getAll(name).length > 1) return queryFault(name, "sent once");
  }
  return { value: query };
}

function unknownParameter(name: string, known: readonly string[]): { fault: QueryFault } {
  const field = name.slice(0, MAX_NAME_LENGTH);
  const expected = known.length > 0 ? `; expected ${known.map(each => `\`${each}\``).join(", ")}` : "";
  return {
    fault: {
      ...(field !== "" && { field }),
      message: `There is no query parameter \`${field}\`${expected}.`,
    },
  };
}
