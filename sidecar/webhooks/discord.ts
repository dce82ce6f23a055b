import type { FeedEvent } from "../../client/types.ts";
import { cleanWebText } from "../domain/chat.ts";
import type { FeedEntry } from "../domain/feed.ts";
import type { Format } from "./format.ts";

/** Longest text that Discord takes, in characters. */
const MAX_CONTENT = 2_000;
/** Events of this time go in one message, in milliseconds. */
const TOGETHER_MS = 1_000;
/** Discord's flag for a message whose links are not unfolded. */
const SUPPRESS_EMBEDS = 4;

/** Colour markers of the chat encoding, see `domain/colours.ts`. */
const MARKERS = /§(?:§|#[0-9a-f]{6})/g;
/** What begins a mention, an emoji, a link, an invitation, a time stamp, or any form of text. */
const MARKS = /[\\*_~`|<>#+\-=[\](){}:@/.^]/;

/** Events of one second in one message, with all that players wrote taken literally. */
export function discordFormat(address: string): Format {
  const url = new URL(address);
  // Without it Discord answers before it knows whether it keeps the message.
  url.searchParams.set("wait", "true");
  return {
    url: url.href,
    waitMs: ({ event }, now) => Math.min(Math.max(event.at + TOGETHER_MS - now, 0), TOGETHER_MS),
    next(entries, behind) {
      const lines = linesTogether(entries, behind);
      const message = {
        content: lines.join("\n"),
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS,
      };
      return { count: lines.length, headers: {}, body: JSON.stringify(message) };
    },
  };
}

/** One that is behind would stay so, at Discord's 30 messages a minute: all that waits goes together then. */
function linesTogether(entries: readonly FeedEntry[], behind: boolean): string[] {
  const lines: string[] = [];
  const end = behind ? Number.POSITIVE_INFINITY : (entries[0]?.event.at ?? 0) + TOGETHER_MS;
  let length = -1;
  for (const { event } of entries) {
    const line = literal(lineOf(event));
    length += line.length + 1;
    if (event.at >= end || length > MAX_CONTENT) break;
    lines.push(line);
  }
  return lines;
}

function lineOf(event: FeedEvent): string {
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
