import { CHAT_LENGTH } from "../../shared/limits.ts";
import { clip } from "../../shared/text.ts";
import { encodeColours } from "./colours.ts";

/** A line of game chat as the chat sockets get it. `name` and `text` still carry their `§` codes. */
export function lineForWeb(name: string, text: string): string {
  return encodeColours([`<${name}> `, text]);
}

const FORMATTING = /§.?/gsu;
const INVISIBLE = new RegExp(
  [
    "[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029", // control characters and line breaks
    "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069", // marks and overrides of direction
    "\\u00ad\\u034f\\u180e\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\ufeff", // zero width
    "\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]", // annotation marks and tags, not drawn either
    "|\\p{Surrogate}",
  ].join(""),
  "gu",
);

/** Text from the web without anything that would format, hide, break or turn it in the game. */
export function cleanWebText(content: string): string {
  return content.replace(FORMATTING, "").replace(INVISIBLE, "");
}

/**
 * The line that the game shows for a text from the web. `format` holds `{content}` and perhaps `{player}`. Undefined
 * when nothing of the text may be shown.
 */
export function lineForGame(format: string, content: string, player: string): string | undefined {
  const clean = cleanWebText(content);
  if (clean.trim() === "") return undefined;
  const values: Record<string, string> = { "{content}": clean, "{player}": cleanWebText(player) };
  return clip(
    format.replace(/\{content\}|\{player\}/g, name => values[name] ?? name),
    CHAT_LENGTH,
  );
}
