/** Control characters, direction marks and overrides, and other characters that show nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u3164\uffa0]|\u034f|[\u115f\u1160]|[\u17b4\u17b5]/gu;
/** Replaces a text without visible characters. */
const NOTHING = "?";

/** A name without characters that are invisible, or change the direction of the text around it. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, "").trim() || NOTHING;
