import { checkJson, list } from "../../../shared/guard.ts";
import { isUuid } from "../../../shared/public/schema-guards.ts";
import { anything } from "../../kernel/http/guards.ts";
import { readParameters } from "../../kernel/http/query.ts";
import type { KnownPageRequest } from "./known-list.ts";
import { KNOWN_SORTS, type KnownSort, lowered, type Place } from "./rules/known-list.ts";

/** Players of one page by default, and at most. */
export const DEFAULT_KNOWN = 50;
export const MOST_KNOWN = 200;
/** Longest beginning of a name, in characters. */
export const BEGINNING_LENGTH = 32;

const PARAMETERS = ["sort", "limit", "after", "name"];

const isSort = (text: string): text is KnownSort => KNOWN_SORTS.some(sort => sort === text);

/** The cursor `after` of the next page, which counts for this order and prefix alone. */
export const writeNext = (
  { key, uuid }: Place,
  { sort, prefix }: Pick<KnownPageRequest, "sort" | "prefix">,
): string => Buffer.from(JSON.stringify([sort, prefix ?? "", key, uuid])).toString("base64url");

const parts = list(anything, 4);

/** Undefined: it is no cursor, or one of another order or prefix. */
function readNext(
  text: string,
  { sort, prefix }: Pick<KnownPageRequest, "sort" | "prefix">,
): Place | undefined {
  const read = checkJson(parts, Buffer.from(text, "base64url").toString());
  if ("fault" in read) return undefined;
  const [ofSort, ofPrefix, key, uuid] = read.value;
  if (ofSort !== sort || ofPrefix !== (prefix ?? "") || typeof uuid !== "string" || !isUuid(uuid))
    return undefined;
  const isKey = sort === "name" ? typeof key === "string" : Number.isSafeInteger(key);
  const place = isKey && (typeof key === "string" || typeof key === "number") ? { key, uuid } : undefined;
  return place && writeNext(place, { sort, prefix }) === text ? place : undefined;
}

/** Reads the query of a request for known players; undefined: it is invalid. */
export function readKnownQuery(url: string): KnownPageRequest | undefined {
  const query = readParameters(url, PARAMETERS);
  if (query === undefined) return undefined;
  const name = query.get("name");
  if (name !== null && (name === "" || [...name].length > BEGINNING_LENGTH)) return undefined;
  const prefix = name === null ? undefined : lowered(name);
  const sort = query.get("sort") ?? (prefix === undefined ? "last-seen" : "name");
  if (!isSort(sort) || (prefix !== undefined && sort !== "name")) return undefined;
  const limit = query.get("limit") ?? `${DEFAULT_KNOWN}`;
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST_KNOWN) return undefined;
  const written = query.get("after");
  const after = written === null ? undefined : readNext(written, { sort, prefix });
  if (written !== null && after === undefined) return undefined;
  return { sort, limit: Number(limit), after, prefix };
}
