import { type PreparedResponse, prepareByWord, prepareResponse } from "../../kernel/http/answer.ts";
import { type Markup, markup, typeOf } from "../../kernel/http/markup.ts";
import { onABadge, type PlayerCount } from "./rules/server-words.ts";

/** Characters of a custom label. */
export const LABEL_CHARACTERS = 40;

/** Sizes in pixels. */
const [HEIGHT, PADDING, LETTERS] = [20, 6, 11];
/** White text is readable on each of these. */
const [GREY, GREEN, RED] = ["#4a4c45", "#38682f", "#a3352a"];

/** Width of letters in most sans-serif fonts, in pixels, by the first matching pattern. */
const WIDTHS: [kind: RegExp, width: number][] = [
  [/\p{M}|\p{Cf}/u, 0],
  [/[iIjl|!.,:;'`]/, 4],
  [/[ frt()[\]{}"/\\-]/, 5],
  [/[mwMW@%]/, 10],
  [/[A-Z]/, 8],
  [/[\u0020-\u052f]/, 7],
];
const WIDE = 12;

const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (WIDTHS.find(([kind]) => kind.test(letter))?.[1] ?? WIDE), 0);

/** One half of the badge, with a text fitted to its width in any font. */
function half(text: string, left: number): { width: number; text: Markup } {
  const width = widthOf(text) + 2 * PADDING;
  const fitted = markup`<text x="${left + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
  return { width, text: fitted };
}

/** The badge as SVG: a label on the left, and the state of the server on the right. */
export function badge(label: string, moment: PlayerCount): Markup {
  const state = onABadge(moment);
  const left = half(label, 0);
  const right = half(state, left.width);
  const width = left.width + right.width;
  const name = `${label}: ${state}`;
  const colour = moment.players === undefined ? RED : GREEN;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${name}"><title>${name}</title><clipPath id="a"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath><g clip-path="url(#a)"><path fill="${GREY}" d="M0 0h${left.width}v${HEIGHT}H0z"/><path fill="${colour}" d="M${left.width} 0h${right.width}v${HEIGHT}H${left.width}z"/></g><g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="${LETTERS}">${left.text}${right.text}</g></svg>`;
}

/** Creates badges for a number of players (undefined while no game server reports) and a label, by default the title. */
export function createBadge(about: {
  title: string;
  /** 0: unknown */
  maxPlayers: number;
  /** how long caches may keep it, in milliseconds */
  holdMs: number;
}): (players: number | undefined, label: string | undefined) => PreparedResponse {
  const { title, maxPlayers, holdMs } = about;
  const badgeOf = prepareByWord(
    (players: number | undefined) => label =>
      prepareResponse(Buffer.from(badge(label, { players, most: maxPlayers }).text), {
        "Content-Type": typeOf(".svg"),
        "Cache-Control": `public, max-age=${Math.floor(holdMs / 1000)}`,
        // Opened as a page, it runs no script; pages with a cross-origin embedder policy may show it.
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cross-Origin-Resource-Policy": "cross-origin",
      }),
  );
  return (players, label = title) => badgeOf(players, label);
}
