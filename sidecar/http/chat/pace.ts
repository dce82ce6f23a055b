import { WebSocket } from "ws";
import { isRefusedTooOften, noteRefusal, REFUSED_PER_ADDRESS } from "../../domain/crowds.ts";
import { type Bucket, type Rate, takeToken } from "../../domain/rate.ts";
import type { Clock } from "../../ports.ts";
import { contained } from "../contained.ts";
import { CLOSE_TIMEOUT_MS, type Client } from "./clients.ts";

const POLICY_VIOLATION = 1008;
/**
 * How long nothing is read of a socket whose bucket is empty, in milliseconds: until it has a token again, but no longer
 * than this, so that whoever sends a little too much soon hears so.
 */
const LONGEST_PAUSE_MS = 50;
/** The same of one that is being closed: all that is waited for is its answer to the closing. */
const CLOSING_PAUSE_MS = 250;
/** Addresses of which refused messages are remembered; past it, the one without any for longest is forgotten. */
const MOST_ADDRESSES = 10_000;

export type Pace = ReturnType<typeof createPace>;

/** Holds back who sends too much: by pauses in reading, and in the end by closing. `report` is told of faults. */
export function createPace(deps: {
  clock: Clock;
  rate: Rate;
  /** A socket is closed for its refused messages. */
  closing(client: Client): void;
  report: (error: unknown) => void;
}) {
  const { clock, rate, closing, report } = deps;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, 1000 / rate.perSecond);
  const addresses = new Map<string, Bucket>();
  const guarded = (act: (client: Client) => void) => contained(act, ({ ws }) => ws.terminate(), report);

  const endRead = guarded(client => {
    const { bucket, raw, ws } = client;
    client.isReading = false;
    raw.uncork();
    const { isOver } = client;
    if (ws.readyState === WebSocket.CLOSED || (!isOver && bucket.tokens >= 1)) return;
    ws.pause();
    clock.after(isOver ? CLOSING_PAUSE_MS : pauseMs, () => ws.resume());
  });

  /** Counts a refused message of an address; true where it has had too many. */
  function isAddressOver(address: string, now: number): boolean {
    const bucket = addresses.get(address) ?? { tokens: REFUSED_PER_ADDRESS.burst, at: now };
    addresses.delete(address);
    addresses.set(address, bucket);
    const [oldest] = addresses.size > MOST_ADDRESSES ? addresses.keys() : [];
    if (oldest !== undefined) addresses.delete(oldest);
    return !takeToken(bucket, REFUSED_PER_ADDRESS, now);
  }

  /** Counts a refused message; too many of a socket or of its address close the socket with 1008. */
  function refused(client: Client): void {
    if (client.isOver) return;
    const now = clock.monotonic();
    client.refusedAt ??= [];
    noteRefusal(client.refusedAt, now);
    client.isOver = isAddressOver(client.address, now) || isRefusedTooOften(client.refusedAt);
    if (!client.isOver) return;
    closing(client);
    client.ws.close(POLICY_VIOLATION, "too many refused messages");
    clock.after(CLOSE_TIMEOUT_MS, () => client.ws.terminate());
  }

  return {
    /**
     * To be called for whatever a socket has sent: what it is answered goes out at once when all that was read with it
     * has been dealt with. False: the socket has been closed, and nothing more is done for it.
     */
    begin(client: Client): boolean {
      if (!client.isReading) {
        client.isReading = true;
        client.raw.cork();
        process.nextTick(endRead, client);
      }
      return !client.isOver;
    },
    refused,
    /** Counts a ping or pong of the protocol as a message; ws answers by itself. */
    control(client: Client): void {
      if (!takeToken(client.bucket, rate, clock.monotonic())) refused(client);
    },
  };
}
