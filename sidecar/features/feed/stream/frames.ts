import type { EventObject } from "../../../../shared/public/events.ts";
import type { FeedEntry } from "../rules/window.ts";

/** How long a browser waits before it connects again, in milliseconds. */
const RETRY_MS = 2_000;

/** The data of an event as one line of JSON. */
function dataOf({ event }: FeedEntry): string {
  const { event: _type, ...data } = event;
  return JSON.stringify(data);
}

const made = new WeakMap<FeedEntry, Buffer>();

/** An event of the feed as it stands in a stream (HTML, section 9.2). Made once for all readers. */
export function entryFrame(entry: FeedEntry): Buffer {
  const known = made.get(entry);
  if (known) return known;
  const frame = Buffer.from(`id: ${entry.id}\nevent: ${entry.event.event}\ndata: ${dataOf(entry)}\n\n`);
  made.set(entry, frame);
  return frame;
}

const elements = new WeakMap<FeedEntry, Buffer>();

/** An event of the feed as an element of the JSON form. Made once for all lists that it is in. */
function entryElement(entry: FeedEntry): Buffer {
  const known = elements.get(entry);
  if (known) return known;
  const { id, event } = entry;
  const element = Buffer.from(JSON.stringify({ id, ...event } satisfies EventObject));
  elements.set(entry, element);
  return element;
}

const GAP = Buffer.from(JSON.stringify({ event: "gap" } satisfies EventObject));
const COMMA = Buffer.from(",");

/** Events as a list in JSON; `gap`: something before them was missed. */
export function listBody(gap: boolean, entries: readonly FeedEntry[]): Buffer {
  const elements = [...(gap ? [GAP] : []), ...entries.map(entryElement)];
  const parts = elements.flatMap((element, place) => (place === 0 ? [element] : [COMMA, element]));
  return Buffer.concat([Buffer.from("["), ...parts, Buffer.from("]")]);
}

/** The body of `GET /status` or `GET /players`; it has no place in the feed. */
export const snapshotFrame = (type: "status" | "players", body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`event: ${type}\ndata: `), body, Buffer.from("\n\n")]);

/** What a stream begins with. `everyMs`: how often a heartbeat comes; `place`: from where on it goes. */
export const openingFrame = (everyMs: number, place: string | undefined): Buffer =>
  Buffer.from(
    `retry: ${RETRY_MS}\n: heartbeat every ${everyMs} ms\n${place === undefined ? "" : `id: ${place}\n`}\n`,
  );

/** Tells that something was missed; what follows goes on from `place`. */
export const gapFrame = (place: string): Buffer => Buffer.from(`id: ${place}\nevent: gap\ndata: {}\n\n`);

/** Names a place without an event: browsers remember it. */
export const placeFrame = (place: string): Buffer => Buffer.from(`id: ${place}\n\n`);

/** Keeps a connection alive, and names the place where that has moved without an event. */
export const heartbeatFrame = (place: string | undefined): Buffer =>
  Buffer.from(`: heartbeat\n${place === undefined ? "" : `id: ${place}\n`}\n`);
