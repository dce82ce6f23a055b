import type { FeedEvent } from "../../../shared/public/events.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import { cleanWebText } from "../../platform/web-text.ts";
import { type FeedEntry, isWebLine } from "../feed/rules/window.ts";
import { type Cut, leftOut } from "./refused.ts";
import type { Format } from "./standard.ts";

/** Longest text that Discord takes, in characters. */
const MAX_CONTENT = 2_000;
/** Room in a message that the game leaves to the web, where that needs it, in characters. */
const WEB_ROOM = 500;
/** Longer than the line that sums up what of the web has no room, in characters. */
const SUMMARY_ROOM = 50;
/** Longer than those that say what is left out, in characters. */
const LEFT_OUT_ROOM = 100;
/** Statuses that speak of the message, unless a code below says otherwise. Others speak of the address, or pass. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);
/** Codes in Discord's answers for an address that takes nothing ever again. A page of HTML has none: a proxy wrote it. */
const GONE: ReadonlyMap<number, string> = new Map([
  [10_003, "the channel or thread was deleted in Discord"],
  [10_015, "the webhook was deleted in Discord"],
  [50_027, "the url does not end in the token of this webhook"],
]);
/** Codes for a channel that takes no message as it is now. */
const CHANNEL: ReadonlyMap<number, string> = new Map([
  [50_024, "this channel takes no messages: use a text channel"],
  [50_083, "this thread is archived and locked: open it again, or name another one in ?thread_id="],
  [220_001, "this is a forum channel: add ?thread_id=<id of a post> to the url, or use a text channel"],
]);
/** The paths of Discord's versions before the one that this is written for, also where none is named. */
const EARLIER_VERSION = /^\/api\/(v\d\/)?webhooks\//;
const USER_AGENT = `DiscordBot (https://bedrock-web-bridge.example, ${PRODUCT_VERSION})`;
/** Events of this time go in one message, in milliseconds. */
const TOGETHER_MS = 1_000;
/** Discord's flag for a message whose links are not unfolded. */
const SUPPRESS_EMBEDS = 4;

/** Colour markers of the chat encoding, see `chat/rules/colours.ts`. */
const MARKERS = /§(?:§|#[0-9a-f]{6})/g;
/** What begins a mention, an emoji, a link, an invitation, a time stamp, or any form of text. */
const MARKS = /[\\*_~`|<>#+\-=[\](){}:@/.^]/;

/** Events of one second in one message, with all that players wrote taken literally. */
export function discordFormat(address: string): Format {
  const url = new URL(address);
  // Without it Discord answers before it knows whether it keeps the message.
  url.searchParams.set("wait", "true");
  url.pathname = url.pathname.replace(EARLIER_VERSION, "/api/v10/webhooks/");
  return {
    url: url.href,
    waitMs: ({ event }, now) => Math.min(Math.max(event.at + TOGETHER_MS - now, 0), TOGETHER_MS),
    headers: { "User-Agent": USER_AGENT },
    refuses: ({ status, code = 0 }) => REFUSALS.has(status) && !CHANNEL.has(code),
    isGone: ({ code = 0 }) => GONE.has(code),
    meaningOf: ({ code = 0 }) => GONE.get(code) ?? CHANNEL.get(code),
    next(entries, behind, _now, cut) {
      const whole = behind ? linesOfAll : linesOfSecond;
      const { lines, count } = cut === undefined ? whole(entries) : linesWithout(entries, cut);
      const message = {
        content: lines.join("\n"),
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS,
      };
      return { count, headers: {}, body: JSON.stringify(message) };
    },
  };
}

/** Lines of a message, and how many entries they tell of. */
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
 * One that is behind would stay so, at Discord's 30 messages a minute: all that waits goes together then, and what the web has
 * no room for is counted. Otherwise a single visitor could hold up the game.
 */
function linesOfAll(entries: readonly FeedEntry[]): MessageLines {
  const told: { line: string; isOfWeb: boolean }[] = [];
  let [game, web] = [0, 0];
  for (const { event } of entries) {
    const line = literal(lineOf(event));
    const isOfWeb = isWebLine(event);
    if (isOfWeb) web += line.length + 1;
    else game += line.length + 1;
    if (told.length > 0 && game + Math.min(web, WEB_ROOM) > MAX_CONTENT) break;
    told.push({ line, isOfWeb });
  }
  return { lines: summedUp(told), count: told.length };
}

/** All lines of the game, and of the web the first ones that there is room for. */
function summedUp(told: readonly { line: string; isOfWeb: boolean }[]): string[] {
  const lengthOf = (some: typeof told): number => some.reduce((sum, { line }) => sum + line.length + 1, -1);
  if (lengthOf(told) <= MAX_CONTENT) return told.map(({ line }) => line);
  let room = MAX_CONTENT - SUMMARY_ROOM - lengthOf(told.filter(({ isOfWeb }) => !isOfWeb));
  let more = 0;
  const lines: string[] = [];
  for (const { line, isOfWeb } of told) {
    if (isOfWeb) room -= line.length + 1;
    if (isOfWeb && room < 0) more++;
    else lines.push(line);
  }
  return [...lines, `and ${counted(more)} more from the web`];
}

/** What is left of a message that was refused, and what is not. */
function linesWithout(entries: readonly FeedEntry[], cut: Cut): MessageLines {
  const told: FeedEntry[] = [];
  const lines: string[] = [];
  let length = 0;
  for (const entry of entries.slice(0, cut.most)) {
    const isOut = cut.without === "all" || isWebLine(entry.event);
    const line = isOut ? "" : literal(lineOf(entry.event));
    length += line.length + 1;
    if (told.length > 0 && length + LEFT_OUT_ROOM > MAX_CONTENT) break;
    told.push(entry);
    if (!isOut) lines.push(line);
  }
  const { web, game } = leftOut(cut, told);
  if (web > 0)
    lines.push(
      `${counted(web)} from the web ${web === 1 ? "is" : "are"} left out: Discord does not take this message with ${web === 1 ? "it" : "them"}`,
    );
  if (game > 0) lines.push(`${counted(game)} of the game is left out: Discord does not take it`);
  return { lines, count: told.length };
}

const counted = (lines: number): string => `${lines} ${lines === 1 ? "line" : "lines"}`;

function lineOf(event: FeedEvent): string {
  const line = withoutServer(event);
  // Names of game servers are in small letters: none is taken for the web.
  return event.server === undefined ? line : `[${event.server}] ${line}`;
}

function withoutServer(event: FeedEvent): string {
  switch (event.event) {
    case "chat": {
      // Those of the game begin with <Name>. No line that somebody wrote looks like one of the others below.
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
      return event.state === "online" ? "The game server is online" : "The game server is away";
  }
}

/** A text that Discord shows as it is, on one line, clipped to what fits into a message. */
function literal(text: string): string {
  let written = "";
  for (const char of cleanWebText(text).trim()) {
    const next = MARKS.test(char) ? `\\${char}` : char;
    if (written.length + next.length >= MAX_CONTENT) return `${written}…`;
    written += next;
  }
  return written;
}
