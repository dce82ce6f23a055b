import { WebSocket } from "ws";
import type { Clock, Log } from "../../ports.ts";
import type { Client } from "./clients.ts";

/** How long a message may take from its first byte to its last, and how often is looked for those that take longer. */
const MOST_MS = 10_000;
const CHECK_MS = 1_000;
/** Bytes of unfinished messages that are held for all sockets together, but for those that may still become valid. */
const MOST_BYTES = 16 * 1_048_576;

const FINAL = 0x80;
const CONTROL = 0x08;
/** Bytes in front of a payload, its mask included, where its length is within two bytes, in two more, or in eight more. */
const HEAD_BYTES = 6;
const MORE_BYTES: Record<number, number> = { 126: 2, 127: 8 };

/** Where the bytes of a client end in its frames (RFC 6455, section 5.2). */
export interface Place {
  /** bytes since the end of the last whole message */
  unfinished: number;
  /** what is there of the head of a frame */
  head: number[];
  /** bytes that the payload goes on for */
  left: number;
  /** whether the last part of a message was its last one */
  isWhole: boolean;
}

export const createPlace = (): Place => ({ unfinished: 0, head: [], left: 0, isWhole: true });

/** Follows the bytes of a client; whether a message ended among them. */
export function follow(place: Place, chunk: Buffer): boolean {
  let hasEnded = false;
  for (let at = 0; at < chunk.length; ) {
    const before = at;
    if (place.left > 0) at += Math.min(place.left, chunk.length - at);
    else place.head.push(chunk[at++] ?? 0);
    place.unfinished += at - before;
    if (place.left > 0) place.left -= at - before;
    else if (!readHead(place)) continue;
    if (place.left > 0 || !place.isWhole) continue;
    place.unfinished = 0;
    hasEnded = true;
  }
  return hasEnded;
}

/** Takes a head that is complete; false while it is not. */
function readHead(place: Place): boolean {
  const { head } = place;
  const [first = 0, second = 0] = head;
  const short = second & 0x7f;
  const more = MORE_BYTES[short] ?? 0;
  if (head.length < HEAD_BYTES + more) return false;
  place.left = more === 0 ? short : head.slice(2, 2 + more).reduce((length, byte) => 256 * length + byte);
  // Control frames may come between the parts of a message.
  if ((first & CONTROL) === 0) place.isWhole = first >= FINAL;
  place.head = [];
  return true;
}

/**
 * Cuts off who does not finish a message: after ten seconds, or sooner where it has more than `validBytes`, which no valid
 * message has, and all that is held takes too much room.
 */
export function createUnfinished({ clock, log, validBytes }: { clock: Clock; log: Log; validBytes: number }) {
  /** those with an unfinished message and since when they have it, the oldest first */
  const places = new Map<Client, Place & { since: number }>();
  let held = 0;

  function forget(client: Client): void {
    held -= places.get(client)?.unfinished ?? 0;
    places.delete(client);
  }

  function cutOff(client: Client, unfinishedBytes: number): void {
    log.info({ unfinishedBytes }, "closed a chat socket that does not finish a message");
    client.ws.terminate();
    forget(client);
  }

  const stop = clock.every(CHECK_MS, () => {
    const now = clock.monotonic();
    for (const [client, { since, unfinished }] of places) {
      if (now - since < MOST_MS) return;
      cutOff(client, unfinished);
    }
  });

  return {
    /** To be called with all that a client sends. */
    read(client: Client, chunk: Buffer): void {
      if (client.ws.readyState !== WebSocket.OPEN) return;
      const now = clock.monotonic();
      const place = places.get(client) ?? { ...createPlace(), since: now };
      held -= place.unfinished;
      if (follow(place, chunk)) {
        places.delete(client);
        place.since = now;
      }
      held += place.unfinished;
      if (place.unfinished > 0) places.set(client, place);
      if (held > MOST_BYTES && place.unfinished > validBytes) cutOff(client, place.unfinished);
    },
    forget,
    stop,
  };
}
