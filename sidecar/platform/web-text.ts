import { BAN_REASON_LENGTH } from "../../shared/limits.ts";

/**
 * Invisible characters: the game would not draw them as themselves. Each class has its reason. The Unicode data of the runtime
 * says which code points are in a class, except where they are listed.
 */
export const INVISIBLE: readonly { what: string; pattern: string; why: string }[] = [
  { what: "control characters", pattern: "\\p{Cc}", why: "break lines, or ring the bell of a console" },
  { what: "line and paragraph separators", pattern: "\\p{Zl}\\p{Zp}", why: "break lines" },
  {
    what: "format characters",
    pattern: "\\p{Cf}",
    why: "turn the direction of what follows, join or hide letters, carry hidden text",
  },
  {
    what: "default-ignorable code points",
    pattern: "\\p{Default_Ignorable_Code_Point}",
    why: "have no width and are not drawn: variation selectors, Hangul fillers, zero-width joiners and the like",
  },
  {
    what: "blank characters that count as symbols or letters",
    pattern: "\\u2800\\u{1d159}\\u{16fe4}\\u{13441}\\u{13442}",
    why: "are drawn as nothing, but do not count as spaces: of Braille, music, Khitan and Egyptian",
  },
  {
    what: "the object replacement character",
    pattern: "\\ufffc",
    why: "stands for an object that is not in the text",
  },
  {
    what: "private use",
    pattern: "\\p{Co}",
    why: "is used by servers for icons and rank badges, which visitors of the website must not fake",
  },
  {
    what: "unassigned code points and noncharacters",
    pattern: "\\p{Cn}",
    why: "have no picture, and may get any with the next version of the game",
  },
  { what: "unpaired surrogates", pattern: "\\p{Cs}", why: "are half of a character" },
];

const ANY_BUT_JOINERS = new RegExp(
  `(?![\\u200c\\u200d\\ufe0f])[${INVISIBLE.map(({ pattern }) => pattern).join("")}]`,
  "gu",
);

/** Marks on one letter: no language needs more, and a stack of them is drawn over the lines above. */
const MAX_MARKS = 4;
/** Spaces in a row: more would make the rest look like another line. */
const MAX_SPACES = 4;

const LONE_MARKS = /(?<![^\p{Z}])[\p{M}\u200c\u200d]+/gu;
const MORE_MARKS = new RegExp(`((?:\\p{M}[\\u200c\\u200d]*){${MAX_MARKS}})[\\p{M}\\u200c\\u200d]+`, "gu");
const MORE_SPACES = new RegExp(`(\\p{Z}{${MAX_SPACES}})\\p{Z}+`, "gu");

/** Scripts whose letters join or form clusters: a joiner between two of them changes how they are written. */
const SCRIPTS =
  "Arab Syrc Mand Nkoo Adlm Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr".split(" ");
const LETTER = `(?=[${SCRIPTS.map(script => `\\p{scx=${script}}`).join("")}])[\\p{L}\\p{M}]`;
const PICTURE = "\\p{Extended_Pictographic}";

/** Joiners and the variation selector of emoji, if the characters around them need them. */
const IN_PLACE = new RegExp(
  [
    `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
    `(?<=${PICTURE}\\p{Emoji_Modifier}?\\ufe0f?)\\u200d(?=${PICTURE})`,
    `(?<=${PICTURE})\\ufe0f`,
    "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  ].join("|"),
  "gu",
);
const JOINER = /\u200c|\u200d|\ufe0f/gu;

function withoutStrayJoiners(text: string): string {
  const inPlace = new Set([...text.matchAll(IN_PLACE)].map(({ index }) => index));
  return text.replace(JOINER, (joiner, at: number) => (inPlace.has(at) ? joiner : ""));
}

/**
 * A text without invisible characters and stray marks, with `MAX_MARKS` on a letter and `MAX_SPACES` in a row; needed joiners stay.
 */
const withoutInvisible = (text: string): string =>
  withoutStrayJoiners(
    text.replace(ANY_BUT_JOINERS, "").replace(LONE_MARKS, "").replace(MORE_MARKS, "$1"),
  ).replace(MORE_SPACES, "$1");

const FORMATTING = /§.?/gsu;

/** A text from the website, without characters that would format, hide, break or reverse it in the game. */
export function cleanWebText(content: string): string {
  return withoutInvisible(content.replace(FORMATTING, ""));
}

/** A text of a request, cleaned for the game; undefined: it is no text, or has more than `most` code points. */
export function cleanedTo(most: number, content: unknown): string | undefined {
  if (typeof content !== "string") return undefined;
  const clean = cleanWebText(content);
  return [...clean].length > most ? undefined : clean;
}

/** A reason from a game server, cleaned and cut; blank: none. */
export const cleanedReason = (reason: string): string =>
  [...cleanWebText(reason).trim()].slice(0, BAN_REASON_LENGTH).join("");
