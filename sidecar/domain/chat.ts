import { CHAT_LENGTH } from "../../shared/limits.ts";
import { clip } from "../../shared/text.ts";
import { encodeColours } from "./colours.ts";
import { withoutUnseen } from "./unseen.ts";

/** A line of game chat as the chat sockets get it. `name` and `text` still carry their `§` codes. */
export function lineForWeb(name: string, text: string): string {
  return encodeColours([`<${name}> `, text]);
}

const FORMATTING = /§.?/gsu;

/** Text from the web without anything that would format, hide, break or turn it in the game. */
export function cleanWebText(content: string): string {
  return withoutUnseen(content.replace(FORMATTING, ""));
}

/** What JSON may have to carry as six characters: control characters but for those that people type, and halves of pairs. */
const ESCAPED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;
const MORE_FOR_ESCAPED = 5;

/** Length of a text of the web in UTF-16 code units; one that every answer has to write out as six counts as that. */
export const lengthOf = (content: string): number =>
  content.length + MORE_FOR_ESCAPED * (content.match(ESCAPED)?.length ?? 0);

/**
 * The line that the game shows for a text from the web. `format` holds `{content}`, and perhaps `{player}`, `{browser}` and
 * `{label}`, the names of the browser session. Undefined when nothing of the text may be shown.
 */
export function lineForGame(
  format: string,
  content: string,
  player: string,
  { browser, label }: { browser: string; label: string },
): string | undefined {
  const clean = cleanWebText(content);
  if (clean.trim() === "") return undefined;
  const values: Record<string, string> = {
    "{content}": clean,
    "{player}": cleanWebText(player),
    "{browser}": browser,
    "{label}": label,
  };
  return clip(
    format.replace(/\{(?:content|player|browser|label)\}/g, name => values[name] ?? name),
    CHAT_LENGTH,
  );
}
