import { CHAT_LENGTH } from "../../../../shared/limits.ts";
import { clip } from "../../../../shared/text.ts";
import type { NamedRate } from "../../../platform/rate.ts";
import { cleanWebText } from "../../../platform/web-text.ts";
import { encodeColours } from "./colours.ts";

/** A message of game chat for the chat sockets. `name` and `text` still have their `§` codes. */
export function lineForWeb(name: string, text: string): string {
  return encodeColours([`<${name}> `, text]);
}

/** A message of the game without a sender, for the chat sockets. */
export const lineForFeed = (text: string): string => encodeColours([text]);

/** Characters that JSON may escape as six: control characters other than those that people type, and unpaired surrogates. */
const ESCAPED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;
const EXTRA_PER_ESCAPE = 5;

/** Length of a text from the website in UTF-16 code units; an escaped one counts as six. */
const lengthOf = (content: string): number =>
  content.length + EXTRA_PER_ESCAPE * (content.match(ESCAPED)?.length ?? 0);

/** A message from the website, created only by `webLine`: as it was sent, and cleaned for the game. */
export interface WebLine {
  readonly content: string;
  readonly clean: string;
}

/** Creates a message from a text of the website; undefined: it is longer than `max`, or blank once cleaned. */
export function webLine(content: string, max: number): WebLine | undefined {
  if (lengthOf(content) > max) return undefined;
  const clean = cleanWebText(content);
  return clean.trim() === "" ? undefined : { content, clean };
}

/**
 * The message as shown in the game. `format` has `{content}`, and optionally `{player}`, and `{browser}` and `{label}` for the browser
 * session.
 */
export const lineForGame = (
  format: string,
  { clean }: WebLine,
  player: string,
  { browser, label }: { browser: string; label: string },
): string => fillFormat(format, { content: clean, player: cleanWebText(player), browser, label });

/** An announcement as shown in the game; `content` is already cleaned. `format` has `{content}`, and optionally `{title}`. */
export const announcementForGame = (
  format: string,
  { content, title }: { content: string; title: string },
): string => fillFormat(format, { content, title: cleanWebText(title) });

/** A message of one game server as shown on another. `format` has `{content}`, and optionally `{player}` and `{server}`. */
export function lineForOthers(
  format: string,
  { name, text, server }: { name: string; text: string; server: string },
): string | undefined {
  const content = cleanWebText(text);
  if (content.trim() === "") return undefined;
  return fillFormat(format, { content, player: cleanWebText(name), server: cleanWebText(server) });
}

/** Fills in a format; placeholders inside the values are not replaced. */
const fillFormat = (format: string, values: Readonly<Record<string, string>>): string =>
  clip(
    format.replace(/\{(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? "") : written,
    ),
    CHAT_LENGTH,
  );

/** Rate of messages relayed from one game server to the others. */
export const RELAYED: NamedRate = { name: "relayed", perSecond: 20, burst: 200 };
