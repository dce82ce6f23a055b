import { CHAT_LENGTH } from "../../../../shared/limits.ts";
import { clip } from "../../../../shared/text.ts";
import type { NamedRate } from "../../../platform/rate.ts";
import { encodeColours } from "./colours.ts";
import { withoutInvisible } from "./invisible.ts";

/** A line of game chat as the chat sockets get it. `name` and `text` still carry their `§` codes. */
export function lineForWeb(name: string, text: string): string {
  return encodeColours([`<${name}> `, text]);
}

/** The same of a line that nobody says. */
export const lineForFeed = (text: string): string => encodeColours([text]);

const FORMATTING = /§.?/gsu;

/** Text from outside the game without anything that would format, hide, break or turn it there. */
export function cleanWebText(content: string): string {
  return withoutInvisible(content.replace(FORMATTING, ""));
}

/** Most characters of a reason that a player is sent away for, and of an announcement: code points, once they are cleaned. */
export const REASON_CHARACTERS = 60;
export const ANNOUNCEMENT_CHARACTERS = 256;

/** A text of the web cleaned for the game; undefined where that has more than `most` characters. */
export function cleanedTo(most: number, content: string): string | undefined {
  const clean = cleanWebText(content);
  return [...clean].length > most ? undefined : clean;
}

/** A reason that comes from a game server, as one of the web would be; blank: none. */
export const cleanedReason = (reason: string): string =>
  [...cleanWebText(reason).trim()].slice(0, REASON_CHARACTERS).join("");

/** What JSON may have to carry as six characters: control characters but for those that people type, and halves of pairs. */
const ESCAPED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;
const MORE_FOR_ESCAPED = 5;

/** Length of a text of the web in UTF-16 code units; one that every answer has to write out as six counts as that. */
const lengthOf = (content: string): number =>
  content.length + MORE_FOR_ESCAPED * (content.match(ESCAPED)?.length ?? 0);

/** A line from the web, as only `webLine` makes one: what was sent, and what of it the game may show. */
export interface WebLine {
  readonly content: string;
  readonly clean: string;
}

/** The line that a text from the web is; undefined where it is longer than `most`, or nothing of it may be shown. */
export function webLine(content: string, most: number): WebLine | undefined {
  if (lengthOf(content) > most) return undefined;
  const clean = cleanWebText(content);
  return clean.trim() === "" ? undefined : { content, clean };
}

/**
 * The line as the game shows it. `format` holds `{content}`, and perhaps `{player}`, `{browser}` and `{label}`, the names of the
 * browser session.
 */
export const lineForGame = (
  format: string,
  { clean }: WebLine,
  player: string,
  { browser, label }: { browser: string; label: string },
): string => shown(format, { content: clean, player: cleanWebText(player), browser, label });

/** An announcement as the game shows it: `content` is cleaned already. `format` holds `{content}`, and perhaps `{title}`. */
export const announcementForGame = (
  format: string,
  { content, title }: { content: string; title: string },
): string => shown(format, { content, title: cleanWebText(title) });

/** What is said on one game server, as another one shows it. `format` holds `{content}`, and perhaps `{player}` and `{server}`. */
export function lineForOthers(
  format: string,
  { name, text, server }: { name: string; text: string; server: string },
): string | undefined {
  const content = cleanWebText(text);
  if (content.trim() === "") return undefined;
  return shown(format, { content, player: cleanWebText(name), server: cleanWebText(server) });
}

/** A format with these values, in which nothing is looked for again. */
const shown = (format: string, values: Readonly<Record<string, string>>): string =>
  clip(
    format.replace(/\{(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? "") : written,
    ),
    CHAT_LENGTH,
  );

/** Lines of one game server that the others are shown: 20 a second lasting, and 200 at once. */
export const RELAYED: NamedRate = { name: "relayed", perSecond: 20, burst: 200 };
