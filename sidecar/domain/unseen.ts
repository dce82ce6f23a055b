/**
 * Characters from the web that the game would not draw as what they are, each class with the reason. Which code points
 * are in a class says the Unicode data of the runtime, except where they are listed.
 */
export const UNSEEN: readonly { what: string; pattern: string; why: string }[] = [
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
    why: "take no room and are not drawn: variation selectors, Hangul fillers, zero-width joiners and the like",
  },
  { what: "the blank of Braille", pattern: "\\u2800", why: "is drawn as nothing, and counts as no space" },
  {
    what: "private use",
    pattern: "\\p{Co}",
    why: "is what servers draw icons and badges of rank with: nobody may wear one from the web",
  },
  {
    what: "unassigned code points and noncharacters",
    pattern: "\\p{Cn}",
    why: "have no picture, and may get any with the next version of the game",
  },
  { what: "unpaired surrogates", pattern: "\\p{Cs}", why: "are half of a character" },
];

const ANY = new RegExp(`[${UNSEEN.map(({ pattern }) => pattern).join("")}]`, "gu");

/** A text without those characters. */
export const withoutUnseen = (text: string): string => text.replace(ANY, "");
