import type { EventObject } from "../../../../shared/public/events.ts";
import type { FeedEntry } from "../rules/window.ts";

/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY_MS = 2_000;

/** The data of an event as one line of JSON. */
function dataOf({ event }: FeedEntry): string {
  const { event: _type, ...data } = event;
  return JSON.stringify(data);
}

const frames = new WeakMap<FeedEntry, Buffer>();

/** An event as a frame of a stream (HTML, section 9.2). Encoded once for all readers. */
export function entryFrame(entry: FeedEntry): Buffer {
  const cached = frames.get(entry);
  if (cached) return cached;
  const frame = Buffer.from(`id: ${entry.id}\nevent: ${entry.event.event}\ndata: ${dataOf(entry)}\n\n`);
  frames.set(entry, frame);
  return frame;
}

const elements = new WeakMap<FeedEntry, Buffer>();

/** An event as an element of a JSON list. Encoded once for all lists. */
function entryElement(entry: FeedEntry): Buffer {
  const cached = elements.get(entry);
  if (cached) return cached;
  const { id, event } = entry;
  const element = Buffer.from(JSON.stringify({ id, ...event } satisfies EventObject));
  elements.set(entry, element);
  return element;
}

const GAP = Buffer.from(JSON.stringify({ event: "gap" } satisfies EventObject));
const COMMA = Buffer.from(",");

/** Events as a JSON list; `gap`: earlier events were missed. */
export function listBody(gap: boolean, entries: readonly FeedEntry[]): Buffer {
  const elements = [...(gap ? [GAP] : []), ...entries.map(entryElement)];
  const parts = elements.flatMap((element, position) => (position === 0 ? [element] : [COMMA, element]));
  return Buffer.concat([Buffer.from("["), ...parts, Buffer.from("]")]);
}

/** The body of `GET /status` or `GET /players`; it has no id. */
export const snapshotFrame = (type: "status" | "players", body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`event: ${type}\ndata: `), body, Buffer.from("\n\n")]);

/** The first frame of a stream. `everyMs`: heartbeat interval; `position`: where the stream starts. */
export const openingFrame = (everyMs: number, position: string | undefined): Buffer =>
  Buffer.from(
    `retry: ${RETRY_MS}\n: heartbeat every ${everyMs} ms\n${position === undefined ? "" : `id: ${position}\n`}\n`,
  );

/** Reports missed events; the stream continues from `position`. */
export const gapFrame = (position: string): Buffer =>
  Buffer.from(`id: ${position}\nevent: gap\ndata: {}\n\n`);

/** Sends a position without an event: browsers remember it. */
export const positionFrame = (position: string): Buffer => Buffer.from(`id: ${position}\n\n`);

/** Keeps a connection alive, and sends the position if it has moved without an event. */
export const heartbeatFrame = (position: string | undefined): Buffer =>
  Buffer.from(`: heartbeat\n${position === undefined ? "" : `id: ${position}\n`}\n`);
