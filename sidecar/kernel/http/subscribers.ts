import type { Writable } from "node:stream";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { SidecarMetrics } from "../../platform/metrics.ts";
import { type ClientLimits, checkLimits, createCounts, exceedsBuffer } from "./overload/rules.ts";

/** A client that stays connected and receives data, such as a subscriber of events. */
export interface Subscriber {
  address: string;
  /** its connection, or its response */
  out: Writable;
}

/**
 * @param deps.bufferBytes most unread bytes of a client
 * @param deps.slow log line for a client that is disconnected because it does not read
 * @param deps.onLeft called with each client that has disconnected
 */
export function createSubscribers<M extends Subscriber>(deps: {
  clock: Pick<Clock, "after">;
  log: Log;
  metrics: SidecarMetrics;
  limits: ClientLimits;
  bufferBytes: number;
  slow: string;
  onLeft(subscriber: M): void;
}) {
  const { clock, log, metrics, limits, bufferBytes } = deps;
  const subscribers = new Set<M>();
  const counts = createCounts();

  function forget(subscriber: M): void {
    if (!subscribers.delete(subscriber)) return;
    counts.add(subscriber.address, -1);
    deps.onLeft(subscriber);
  }

  function cutOff(subscriber: M): void {
    metrics.slowReader();
    log.info({ unsentBytes: subscriber.out.writableLength }, deps.slow);
    forget(subscriber);
    subscriber.out.destroy();
  }

  function failed({ out }: M, error: unknown): void {
    out.destroy();
    log.warn({ error }, "Unexpected error on a connection");
  }

  return {
    count: (): number => subscribers.size,
    has: (subscriber: M): boolean => subscribers.has(subscriber),
    /** Whether the limit of clients is reached, for the address or in total. */
    isFull: (address: string): boolean =>
      checkLimits({ all: subscribers.size, ofAddress: counts.of(address) }, limits) !== "free",
    add(subscriber: M): void {
      subscribers.add(subscriber);
      counts.add(subscriber.address);
    },
    /** Call it when a connection has closed. */
    forget,
    /** Disconnects a client that does not read. */
    cutOff,
    /** Disconnects a client after an error. */
    failed,
    /** Writes to a client; false: it has to read first. One that leaves too many bytes unread is disconnected. */
    send(subscriber: M, bytes: Buffer): boolean {
      const { out } = subscriber;
      if (exceedsBuffer(out.writableLength, bytes.length, bufferBytes)) cutOff(subscriber);
      return !out.destroyed && !out.writableEnded && out.write(bytes);
    },
    /** Calls `act` for all of them, or some; an error in it disconnects that client. */
    each(act: (subscriber: M) => unknown, some: Iterable<M> = subscribers): void {
      for (const subscriber of some)
        try {
          act(subscriber);
        } catch (error) {
          failed(subscriber, error);
        }
    },
    /** Closes all connections, and resolves when they are closed; after `withinMs` milliseconds they are reset. */
    async close(withinMs: number, end: (subscriber: M) => void): Promise<void> {
      const open = [...subscribers];
      const gone = open.map(subscriber => {
        end(subscriber);
        return new Promise(resolve => subscriber.out.once("close", resolve));
      });
      let cancel: (() => void) | undefined;
      const late = new Promise<void>(resolve => {
        cancel = clock.after(withinMs, resolve);
      });
      await Promise.race([late, Promise.all(gone)]);
      cancel?.();
      for (const { out } of open) out.destroy();
    },
  };
}
