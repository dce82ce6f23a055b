/** A stretch of a chat line. `text` is plain text: put it on a page with `textContent`, never as HTML. */
export interface Segment {
  text: string;
  /** `#rrggbb` in lower case */
  colour?: string;
}

const MARKER = /§(?:§|(#[0-9a-f]{6}))/i;
/** Control characters, line breaks, and marks and overrides of direction, which would turn the text around them. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/**
 * Takes a line of `/chat` apart: `§#rrggbb` begins a coloured stretch, `§§` one without colour. Neighbours of one
 * colour become one stretch and empty ones are left out, so that a flood of markers makes no flood of elements.
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

/** What every line of the game is: `<name> ` first, and no `§` but in markers, none of which is empty. */
const LIKE_THE_GAME = /^§§<[^§]*(?:§(?:§|#[0-9a-f]{6})[^§]+)*$/;

/**
 * Whether a line of `/chat` is certainly of another browser. Where it is not, nothing is certain: a browser may send what
 * looks like a line of the game.
 */
export const isSurelyFromWeb = (content: string): boolean => !LIKE_THE_GAME.test(content);
