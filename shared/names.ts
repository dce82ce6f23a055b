import { MAX_EARLIER_NAMES } from "./limits.ts";

const ASCII = /^[ -~]*$/;
/** Dotless i: a different letter from i, though its capital is I. */
const DOTLESS = "ı";

/** Without `normalize`, which the game's engine may lack, names are compared as written. */
const composed = (name: string): string =>
  typeof name.normalize === "function" ? name.normalize("NFKC") : name;

const withoutCase = (text: string): string =>
  text.toLowerCase().toUpperCase().toLowerCase().replace(/ς/g, "σ");

const joined = (name: string): string => name.replace(/\s+/g, " ").trim();

/** The form used to compare names: NFKC, full case folding, single spaces, trimmed. */
export function foldName(name: string): string {
  if (ASCII.test(name)) return joined(name.toLowerCase());
  return joined(composed(composed(name).split(DOTLESS).map(withoutCase).join(DOTLESS)));
}

export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);

/**
 * The form used to compare uuids and names of moderators, by NFC and lower case alone: bans compare more loosely, which here would give
 * one player's permissions to another, such as Straße for Strasse.
 */
export const strictName = (name: string): string => name.normalize("NFC").toLowerCase();

/** A typed name in the form that is stored and shown. */
export const normalizeName = (name: string): string => joined(name.normalize("NFC"));

/** Characters that no name has: ASCII other than letters, digits and spaces, and the section sign. */
const NO_NAME = /[^ 0-9A-Za-z\xa0-\u{10ffff}]|§/u;
/**
 * Invisible characters, separators, quotes and private-use characters. Written without `\p`: an engine without its tables would not
 * load the script.
 */
const INVISIBLE =
  /[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u034f\u17b4\u17b5\xab\xad\xbb\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u2000-\u206f\u2e00-\u2e7f\u3164\ud800-\uf8ff\ufeff\uffa0\ufff0-\uffff\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;
const QUOTED = /^[\xab\xbb\u2018-\u201f\u2039\u203a](.*)[\xab\xbb\u2018-\u201f\u2039\u203a]$/;
const NUMBER = /#[0-9]{1,4}$/;
const MAX_CHARACTERS = 16;

/** A name without surrounding curly quotes or guillemets, which phones type instead of straight quotes. */
export const unquote = (name: string): string => name.replace(QUOTED, "$1").trim();

/** Whether a player may have this name, judged without Unicode tables, which the game's engine may lack. */
export function mayBeName(name: string): boolean {
  const whole = composed(name).trim();
  const form = joined(whole).replace(NUMBER, "");
  return form !== "" && [...form].length <= MAX_CHARACTERS && !NO_NAME.test(form) && !INVISIBLE.test(whole);
}

/** Earlier names of a player, newest first, without duplicates, blank names and the current name. */
export const earlierNames = (name: string, names: readonly string[]): string[] =>
  names
    .filter((each, i) => {
      const form = foldName(each);
      return (
        form !== "" && form !== foldName(name) && names.findIndex(other => foldName(other) === form) === i
      );
    })
    .slice(0, MAX_EARLIER_NAMES);

/** A copy with a new name; the previous one becomes an earlier name. */
export function renamed<T extends { name: string; names?: string[] }>(who: T, name: string): T {
  const { names: before = [], ...rest } = who;
  const names = earlierNames(name, [who.name, ...before]);
  return { ...(rest as T), name, ...(names.length > 0 && { names }) };
}
