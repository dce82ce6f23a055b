import { type Fault, isFault } from "./fault.ts";
import { isBlank, isObject, parseJson } from "./json-text.ts";

/** The entries of an allowlist.json. */
interface AllowList {
  /** entries that let a player in */
  count: number;
  /** entries that let nobody in, each with a corrected one; undefined: it has no name */
  wrong: { entry: unknown; suggestion: object | undefined }[];
}

/** Parses an allowlist.json. Missing or empty: no entries. */
export function readAllowList(text: string | undefined): AllowList | Fault {
  if (isBlank(text)) return { count: 0, wrong: [] };
  const read = parseJson(text, "strict");
  if (isFault(read)) return read;
  if (!Array.isArray(read.value)) return { fault: "expected a list of players: [ ... ]" };
  const wrong = read.value.filter(entry => nameIn(entry) === undefined);
  return {
    count: read.value.length - wrong.length,
    wrong: wrong.map((entry: unknown) => ({ entry, suggestion: suggestionFor(entry) })),
  };
}

const nameIn = (entry: unknown): string | undefined =>
  isObject(entry) && typeof entry.name === "string" && entry.name !== "" ? entry.name : undefined;

/** The name is the entry itself if it is a text, or its first value with letters: digits alone are an xuid. */
function suggestionFor(entry: unknown): object | undefined {
  const texts = isObject(entry) ? Object.values(entry) : [entry];
  const name = texts.find(each => typeof each === "string" && /[^\d\s]/.test(each));
  return name === undefined ? undefined : { name };
}
