import type { Writable } from "node:stream";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { SidecarMetrics } from "../../platform/metrics.ts";
import { createCounts } from "./overload/counts.ts";
import { leavesTooMuch, type Places, placeFor } from "./overload/rules.ts";

/** A client that stays connected and is written to, such as a reader of events. */
export interface Member {
  address: string;
  /** its connection, or its answer */
  out: Writable;
}

/**
 * @param deps.bufferBytes most unread bytes of a client
 * @param deps.slow log line for a client that is disconnected because it does not read
 * @param deps.left called with each that has gone
 */
export function createMembers<M extends Member>(deps: {
  clock: Pick<Clock, "after">;
  log: Log;
  metrics: SidecarMetrics;
  places: Places;
  bufferBytes: number;
  slow: string;
  left(member: M): void;
}) {
  const { clock, log, metrics, places, bufferBytes } = deps;
  const members = new Set<M>();
  const counts = createCounts();

  function forget(member: M): void {
    if (!members.delete(member)) return;
    counts.add(member.address, -1);
    deps.left(member);
  }

  function cutOff(member: M): void {
    metrics.slowReader();
    log.info({ unsentBytes: member.out.writableLength }, deps.slow);
    forget(member);
    member.out.destroy();
  }

  function failed({ out }: M, error: unknown): void {
    out.destroy();
    log.warn({ error }, "a fault ended a connection");
  }

  return {
    count: (): number => members.size,
    has: (member: M): boolean => members.has(member),
    /** Whether the address, or the service, can have no more of them. */
    isFull: (address: string): boolean =>
      placeFor({ all: members.size, ofAddress: counts.of(address) }, places) !== "free",
    add(member: M): void {
      members.add(member);
      counts.add(member.address);
    },
    /** To be called when a connection has ended. */
    forget,
    /** Disconnects a client that does not read. */
    cutOff,
    /** Disconnects a client after an error. */
    failed,
    /** Writes to a client; false: it has to read first. One that leaves too much unread is disconnected. */
    send(member: M, bytes: Buffer): boolean {
      const { out } = member;
      if (leavesTooMuch(out.writableLength, bytes.length, bufferBytes)) cutOff(member);
      return !out.destroyed && !out.writableEnded && out.write(bytes);
    },
    /** Calls `act` for all of them, or some; an error in it disconnects that client. */
    each(act: (member: M) => unknown, some: Iterable<M> = members): void {
      for (const member of some)
        try {
          act(member);
        } catch (error) {
          failed(member, error);
        }
    },
    /** Ends all connections, and resolves when they are closed; after `withinMs` milliseconds they are cut off. */
    async close(withinMs: number, end: (member: M) => void): Promise<void> {
      const open = [...members];
      const gone = open.map(member => {
        end(member);
        return new Promise(resolve => member.out.once("close", resolve));
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
