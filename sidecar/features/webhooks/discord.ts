import type { FeedEvent } from "../../../shared/public/events.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import { cleanWebText } from "../../platform/web-text.ts";
import { type FeedEntry, isWebLine } from "../feed/rules/window.ts";
import { type Bisection, leftOut } from "./rejected-message.ts";
import type { Format } from "./standard.ts";

/** Longest text of a Discord message, in characters. */
const MAX_CONTENT = 2_000;
/** Characters of a message reserved for the website, if needed. */
const WEB_LENGTH = 500;
/** Characters reserved for the line that counts omitted messages of the website. */
const SUMMARY_LENGTH = 50;
/** Characters reserved for the notes about left out entries. */
const NOTES_LENGTH = 100;
/** Statuses that reject the message, unless a code below says otherwise. Others concern the address, or are temporary. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);
/** Codes in Discord's answers for an address that no longer exists. An HTML page from a proxy has none. */
const GONE: ReadonlyMap<number, string> = new Map([
  [10_003, "the channel or thread was deleted in Discord"],
  [10_015, "the webhook was deleted in Discord"],
  [50_027, "the url does not end in the token of this webhook"],
]);
/** Codes for a channel that currently accepts no messages. */
const CHANNEL: ReadonlyMap<number, string> = new Map([
  [50_024, "this channel accepts no messages: use a text channel"],
  [50_083, "this thread is archived and locked: open it again, or name another one in ?thread_id="],
  [220_001, "this is a forum channel: add ?thread_id=<id of a post> to the url, or use a text channel"],
]);
/** Paths of Discord's API versions before the one used here, or without a version. */
const EARLIER_VERSION = /^\/api\/(v\d\/)?webhooks\//;
const USER_AGENT = `DiscordBot (https://bedrock-web-bridge.example, ${PRODUCT_VERSION})`;
/** Events within this time are sent in one message, in milliseconds. */
const TOGETHER_MS = 1_000;
/** Discord's flag for a message without link previews. */
const SUPPRESS_EMBEDS = 4;

/** Colour markers of the chat encoding, see `chat/rules/colours.ts`. */
const MARKERS = /§(?:§|#[0-9a-f]{6})/g;
/** Characters that start a mention, an emoji, a link, an invitation, a timestamp, or formatting. */
const MARKS = /[\\*_~`|<>#+\-=[\](){}:@/.^]/;

/** Sends events of one second in one message, with everything that players wrote taken literally. */
export function discordFormat(address: string): Format {
  const url = new URL(address);
  // Without `wait`, Discord answers before it knows whether it accepts the message.
  url.searchParams.set("wait", "true");
  url.pathname = url.pathname.replace(EARLIER_VERSION, "/api/v10/webhooks/");
  return {
    url: url.href,
    waitMs: ({ event }, now) => Math.min(Math.max(event.at + TOGETHER_MS - now, 0), TOGETHER_MS),
    headers: { "User-Agent": USER_AGENT },
    refuses: ({ status, code = 0 }) => REFUSALS.has(status) && !CHANNEL.has(code),
    isGone: ({ code = 0 }) => GONE.has(code),
    meaningOf: ({ code = 0 }) => GONE.get(code) ?? CHANNEL.get(code),
    next(entries, behind, _now, bisection) {
      const whole = behind ? linesOfAll : linesOfSecond;
      const { lines, count } = bisection === undefined ? whole(entries) : linesWithout(entries, bisection);
      const message = {
        content: lines.join("\n"),
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS,
      };
      return { count, headers: {}, body: JSON.stringify(message) };
    },
  };
}

/** Lines of a message, and the number of their entries. */
interface MessageLines {
  lines: string[];
  count: number;
}

function linesOfSecond(entries: readonly FeedEntry[]): MessageLines {
  const lines: string[] = [];
  const end = (entries[0]?.event.at ?? 0) + TOGETHER_MS;
  let length = -1;
  for (const { event } of entries) {
    const line = literal(lineOf(event));
    length += line.length + 1;
    if (event.at >= end || length > MAX_CONTENT) break;
    lines.push(line);
  }
  return { lines, count: lines.length };
}

/**
 * At Discord's 30 messages a minute, a hook that is behind would stay behind: all queued entries are sent together, and messages of the
 * website that do not fit are only counted. Otherwise a single visitor could delay the game's events.
 */
function linesOfAll(entries: readonly FeedEntry[]): MessageLines {
  const includedEntries: { line: string; isOfWeb: boolean }[] = [];
  let [game, web] = [0, 0];
  for (const { event } of entries) {
    const line = literal(lineOf(event));
    const isOfWeb = isWebLine(event);
    if (isOfWeb) web += line.length + 1;
    else game += line.length + 1;
    if (includedEntries.length > 0 && game + Math.min(web, WEB_LENGTH) > MAX_CONTENT) break;
    includedEntries.push({ line, isOfWeb });
  }
  return { lines: summedUp(includedEntries), count: includedEntries.length };
}

/** All lines of the game, and as many of the website as fit. */
function summedUp(includedEntries: readonly { line: string; isOfWeb: boolean }[]): string[] {
  const lengthOf = (some: typeof includedEntries): number =>
    some.reduce((sum, { line }) => sum + line.length + 1, -1);
  if (lengthOf(includedEntries) <= MAX_CONTENT) return includedEntries.map(({ line }) => line);
  let left = MAX_CONTENT - SUMMARY_LENGTH - lengthOf(includedEntries.filter(({ isOfWeb }) => !isOfWeb));
  let more = 0;
  const lines: string[] = [];
  for (const { line, isOfWeb } of includedEntries) {
    if (isOfWeb) left -= line.length + 1;
    if (isOfWeb && left < 0) more++;
    else lines.push(line);
  }
  return [...lines, `and ${more} more ${more === 1 ? "message" : "messages"} from the website`];
}

/** The remaining lines of a rejected message, with notes about omitted ones. */
function linesWithout(entries: readonly FeedEntry[], bisection: Bisection): MessageLines {
  const includedEntries: FeedEntry[] = [];
  const lines: string[] = [];
  let length = 0;
  for (const entry of entries.slice(0, bisection.max)) {
    const isOut = bisection.without === "all" || isWebLine(entry.event);
    const line = isOut ? "" : literal(lineOf(entry.event));
    length += line.length + 1;
    if (includedEntries.length > 0 && length + NOTES_LENGTH > MAX_CONTENT) break;
    includedEntries.push(entry);
    if (!isOut) lines.push(line);
  }
  const { web, game } = leftOut(bisection, includedEntries);
  if (web > 0)
    lines.push(
      `${counted(web)} from the website omitted: Discord rejects this one with ${web === 1 ? "it" : "them"}`,
    );
  if (game > 0) lines.push(`${counted(game)} from the game omitted: Discord rejects it`);
  return { lines, count: includedEntries.length };
}

const counted = (count: number): string => `${count} ${count === 1 ? "message" : "messages"}`;

function lineOf(event: FeedEvent): string {
  const line = withoutServer(event);
  // Names of game servers are lower case, so none looks like `[Web]`.
  return event.server === undefined ? line : `[${event.server}] ${line}`;
}

function withoutServer(event: FeedEvent): string {
  switch (event.event) {
    case "chat": {
      // Chat of the game begins with <Name>, so that no player can write a message that looks like one of those below.
      if (event.from === "game") return event.content.replace(MARKERS, "");
      return `[Web${event.player ? `: ${event.player.name}` : ""}] ${event.content}`;
    }
    case "join":
      return `${event.player.name} joined the game`;
    case "leave":
      return `${event.player.name} left the game`;
    case "death":
      return `${event.player.name} ${event.killer ? `was killed by ${event.killer.name}` : "died"}`;
    case "server":
      return event.state === "online" ? "The game server is online" : "The game server is offline";
  }
}

/** A text that Discord shows literally, on one line, clipped to the size of a message. */
function literal(text: string): string {
  let written = "";
  for (const char of cleanWebText(text).trim()) {
    const next = MARKS.test(char) ? `\\${char}` : char;
    if (written.length + next.length >= MAX_CONTENT) return `${written}…`;
    written += next;
  }
  return written;
}
