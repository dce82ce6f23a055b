/** Part of a chat message. `text` is plain text: put it on a page with `textContent`, never as HTML. */
export interface Segment {
  text: string;
  /** `#rrggbb` in lower case */
  colour?: string;
}

const MARKER = /§(?:§|(#[0-9a-f]{6}))/i;
/** Control characters, line breaks, and direction marks and overrides, which would affect the text around them. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/**
 * Splits a message of `/chat` by colour: `§#rrggbb` begins a coloured segment, `§§` one without colour. Neighbours of one colour are
 * joined and empty ones left out, so that many markers do not become many elements.
 */
export function segments(content: string): Segment[] {
  const found: Segment[] = [];
  const parts = content.split(MARKER);
  for (let i = 0; i < parts.length; i += 2) {
    const text = (parts[i] ?? "").replace(UNSAFE, "");
    if (text === "") continue;
    const colour = parts[i - 1]?.toLowerCase();
    const last = found.at(-1);
    if (last && last.colour === colour) last.text += text;
    else found.push(colour === undefined ? { text } : { text, colour });
  }
  return found;
}

/** The form of every message and announcement of the game: a marker first, `§` only in markers, and text after each. */
const GAME_LINE = /^(?:§(?:§|#[0-9a-f]{6})[^§]+)+$/;

/** Whether a message of `/chat` is certainly from another browser. If not, it may be from either: browsers can imitate the game. */
export const isSurelyFromWeb = (content: string): boolean => !GAME_LINE.test(content);
