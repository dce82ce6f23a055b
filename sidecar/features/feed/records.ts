import { checkJson, type Guard, object, oneOf, optional, text } from "../../../shared/guard.ts";
import { ID_LENGTH } from "../../../shared/limits.ts";
import { type FeedEvent, feedEvent } from "../../../shared/public/events.ts";
import { collection, parseJson } from "../../kernel/storage/records.ts";
import type { Stream } from "../../kernel/storage/streams.ts";
import { type Presence, presence } from "../players/rules/presence.ts";
import type { FeedEntry } from "./rules/window.ts";

/** A stored entry: its id is not part of it. */
export type StoredFeedEntry = Omit<FeedEntry, "id">;

const isTrue: Guard<true> = (value, path = "body") => (value === true ? undefined : `${path}: expected true`);

const stored = object({ event: feedEvent, except: optional(text(ID_LENGTH)), withheld: optional(isTrue) });
/** The form stored by a single sidecar up to 0.1.0. */
const storedBefore = object({ event: feedEvent, withheld: optional(oneOf("yes")) });

/** The public form of a stored event: earlier versions also stored the browser's name in the game, which is not public. */
function readable(event: FeedEvent & { browser?: unknown }): FeedEvent {
  const { browser: _browser, ...publicEvent } = event;
  return publicEvent;
}

function parseEntry(text: string): StoredFeedEntry | undefined {
  const read = checkJson(stored, text);
  if ("value" in read) return { ...read.value, event: readable(read.value.event) };
  const before = checkJson(storedBefore, text);
  if ("fault" in before) return undefined;
  return { event: readable(before.value.event), ...(before.value.withheld && { withheld: true }) };
}

/** The events. */
export const FEED: Stream<StoredFeedEntry> = {
  name: "feed",
  damaged: "A stored event of the feed is damaged and ignored",
  parse: parseEntry,
  format: JSON.stringify,
};

/** The presence on each game server, as reported in the feed. */
export const PRESENCE = collection<Presence>({
  name: "feed-presence",
  isSmall: true,
  isRemembered: true,
  damaged: "The stored list of online players is damaged and ignored",
  parse: parseJson(presence),
});

/** Keys of entries for the newest facts, in a ring for each game server. */
export const REPORTED = collection<string>({
  name: "feed-reported",
  isSmall: true,
  isRemembered: true,
  parse: text => text,
  format: text => text,
});

/** Facts of a game server whose keys are remembered: more than a pack can resend. */
export const MAX_KEYS = 1_000;

export const presenceKey = (server: string): string => `server:${server}`;

/** Record key for an entry's key, which ends with the number of its fact, optionally followed by a digest. */
export function reportedKey(server: string, key: string): string {
  const [, number = "0"] = /(\d+)(?::[^:]*)?$/.exec(key) ?? [];
  return `${server}:${Number(number) % MAX_KEYS}`;
}
