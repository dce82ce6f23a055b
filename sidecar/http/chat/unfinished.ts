import { WebSocket } from "ws";
import type { Clock, Log } from "../../ports.ts";
import type { Client } from "./clients.ts";

/** How long a message may take from its first byte to its last, and how often is looked for those that take longer. */
const MOST_MS = 10_000;
const CHECK_MS = 1_000;
/** Bytes of unfinished messages that are held for all sockets together, but for those that may still become valid. */
const MOST_BYTES = 16 * 1_048_576;

/** Bytes in front of a payload, its mask included, where they are no more than they have to be (RFC 6455, section 5.2). */
const headBytes = (payload: number): number => (payload < 126 ? 6 : payload < 65_536 ? 8 : 14);
/** By how many bytes more the heads of one message may differ from that: it may come in parts, and tell lengths in longer forms. */
const MOST_ASTRAY = 256;

/** What is known of the message that a client has begun. */
interface Begun {
  /** read of it: all that has come, less what has ended */
  bytes: number;
  since: number;
  /** a message has ended in what was read last */
  hasEnded: boolean;
}

/**
 * Cuts off who does not finish a message: after ten seconds, or sooner where it has more than `validBytes`, which no valid
 * message has, and all that is held takes too much room.
 */
export function createUnfinished({ clock, log, validBytes }: { clock: Clock; log: Log; validBytes: number }) {
  /** those with an unfinished message, the oldest first */
  const begun = new Map<Client, Begun>();
  let held = 0;

  const begunOf = (client: Client): Begun =>
    begun.get(client) ?? { bytes: 0, since: clock.monotonic(), hasEnded: false };

  function count(of: Begun, bytes: number): void {
    of.bytes += bytes;
    held += bytes;
  }

  function forget(client: Client): void {
    held -= begunOf(client).bytes;
    begun.delete(client);
  }

  function cutOff(client: Client, unfinishedBytes: number): void {
    log.info({ unfinishedBytes }, "closed a chat socket that does not finish a message");
    client.ws.terminate();
    forget(client);
  }

  const stop = clock.every(CHECK_MS, () => {
    const now = clock.monotonic();
    for (const [client, { since, bytes }] of begun) {
      if (now - since < MOST_MS) return;
      cutOff(client, bytes);
    }
  });

  return {
    /** To be called with the payload of each message and control frame that has ended, before `read`. */
    ended(client: Client, payload: number, isMessage: boolean): void {
      const its = begunOf(client);
      count(its, -payload - headBytes(payload));
      if (isMessage) {
        its.hasEnded = true;
        its.since = clock.monotonic();
        begun.delete(client);
      }
      begun.set(client, its);
    },
    /** To be called with all that a client sends, once ws has it. */
    read(client: Client, { length }: Buffer): void {
      if (client.ws.readyState !== WebSocket.OPEN) return;
      const its = begunOf(client);
      count(its, length);
      // Where it is another one already, what comes next of it tells.
      const isOver = its.bytes <= (its.hasEnded ? MOST_ASTRAY : 0);
      its.hasEnded = false;
      begun.set(client, its);
      if (isOver) forget(client);
      else if (held > MOST_BYTES && its.bytes > validBytes) cutOff(client, its.bytes);
    },
    forget,
    stop,
  };
}
