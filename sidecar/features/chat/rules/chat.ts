import { CHAT_LENGTH } from "../../../../shared/limits.ts";
import { clip } from "../../../../shared/text.ts";
import type { NamedRate } from "../../../platform/rate.ts";
import { cleanWebText } from "../../../platform/web-text.ts";
import { encodeColours } from "./colours.ts";

/** A line of game chat for the chat sockets. `name` and `text` still carry their `§` codes. */
export function lineForWeb(name: string, text: string): string {
  return encodeColours([`<${name}> `, text]);
}

/** A line of the game that no player says, for the chat sockets. */
export const lineForFeed = (text: string): string => encodeColours([text]);

/** What JSON may write as six characters: control characters but for those that people type, and unpaired surrogates. */
const ESCAPED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;
const MORE_FOR_ESCAPED = 5;

/** Length of a text from the web in UTF-16 code units, where an escaped one counts as six. */
const lengthOf = (content: string): number =>
  content.length + MORE_FOR_ESCAPED * (content.match(ESCAPED)?.length ?? 0);

/** A line from the web, made by `webLine` alone: as it was sent, and cleaned for the game. */
export interface WebLine {
  readonly content: string;
  readonly clean: string;
}

/** Makes a line of a text from the web; undefined: it is longer than `most`, or blank once cleaned. */
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

/** A line of one game server as another one shows it. `format` holds `{content}`, and perhaps `{player}` and `{server}`. */
export function lineForOthers(
  format: string,
  { name, text, server }: { name: string; text: string; server: string },
): string | undefined {
  const content = cleanWebText(text);
  if (content.trim() === "") return undefined;
  return shown(format, { content, player: cleanWebText(name), server: cleanWebText(server) });
}

/** Fills a format; placeholders within the values stay as they are. */
const shown = (format: string, values: Readonly<Record<string, string>>): string =>
  clip(
    format.replace(/\{(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? "") : written,
    ),
    CHAT_LENGTH,
  );

/** Lines of one game server that are relayed to the others. */
export const RELAYED: NamedRate = { name: "relayed", perSecond: 20, burst: 200 };
