import { type Fault, isFault } from "./fault.ts";
import { isBlank, isObject, parseJson } from "./json-text.ts";

/** What an allowlist.json holds, as the game goes by it. */
interface AllowList {
  /** how many entries let somebody in */
  count: number;
  /** entries that let nobody in, each with the one that may have been meant; undefined: there is no name in it */
  wrong: { entry: unknown; suggestion: object | undefined }[];
}

/** Reads an allowlist.json. One that is no JSON is not read by the game; missing or empty, it has no entries. */
export function readAllowList(text: string | undefined): AllowList | Fault {
  if (isBlank(text)) return { count: 0, wrong: [] };
  const read = parseJson(text, "strict");
  if (isFault(read)) return read;
  if (!Array.isArray(read.value)) return { fault: "it is no list of players: expected [ ... ]" };
  const wrong = read.value.filter(entry => nameIn(entry) === undefined);
  return {
    count: read.value.length - wrong.length,
    wrong: wrong.map((entry: unknown) => ({ entry, suggestion: suggestionFor(entry) })),
  };
}

const nameIn = (entry: unknown): string | undefined =>
  isObject(entry) && typeof entry.name === "string" && entry.name !== "" ? entry.name : undefined;

/** A text is a name without the rest; under a mistyped key stands one that is no number, as an xuid is. */
function suggestionFor(entry: unknown): object | undefined {
  const texts = isObject(entry) ? Object.values(entry) : [entry];
  const name = texts.find(each => typeof each === "string" && /[^\d\s]/.test(each));
  return name === undefined ? undefined : { name };
}
