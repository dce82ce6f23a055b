import { WebSocket } from "ws";
import { isRefusedTooOften, noteRefusal } from "../../domain/crowds.ts";
import { type Rate, takeToken } from "../../domain/rate.ts";
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
  const isClosed = ({ refusedAt = [] }: Client): boolean => isRefusedTooOften(refusedAt);
  const guarded = (act: (client: Client) => void) => contained(act, ({ ws }) => ws.terminate(), report);

  const endRead = guarded(client => {
    const { bucket, raw, ws } = client;
    client.isReading = false;
    raw.uncork();
    const isOver = isClosed(client);
    if (ws.readyState === WebSocket.CLOSED || (!isOver && bucket.tokens >= 1)) return;
    ws.pause();
    clock.after(isOver ? CLOSING_PAUSE_MS : pauseMs, () => ws.resume());
  });

  /** Counts a refused message; too many of them close the socket with 1008. */
  function refused(client: Client): void {
    client.refusedAt ??= [];
    noteRefusal(client.refusedAt, clock.monotonic());
    if (!isClosed(client)) return;
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
      return !isClosed(client);
    },
    refused,
    /** Counts a ping or pong of the protocol as a message; ws answers by itself. */
    control(client: Client): void {
      if (!takeToken(client.bucket, rate, clock.monotonic())) refused(client);
    },
  };
}
