import { isBug } from "../../platform/bugs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { type Lease, StorageAway, StorageFull } from "./ports.ts";

/** Interval of retrying to store, in milliseconds. */
const RETRY_MS = 1_000;
/** Steps that may be queued: more than there are open link requests and players. */
const MAX_QUEUED = 5_000;

/** Why nothing can be stored at the moment. */
type StorageFaultText = "storage full" | "storage failed";

export type RetryQueue = ReturnType<typeof createRetryQueue>;

/** Queues steps while a part of the storage cannot store anything. `check` rejects while that is so. */
export function createRetryQueue(deps: {
  clock: Clock;
  log: Pick<Log, "info" | "error">;
  check?: () => Promise<void>;
  /** name of the queued items, for the log */
  what: string;
}) {
  const { clock, log, check, what } = deps;
  /** steps that store reports of the game, in order; each may be retried any number of times */
  const queue = new Map<string, (lease?: Lease) => Promise<void>>();
  let fault: StorageFaultText | undefined;
  let isRetrying = false;

  function noteFault(error: unknown): void {
    const found = error instanceof StorageFull ? "storage full" : "storage failed";
    // The connection logs an unreachable storage itself.
    if (fault !== found && !(error instanceof StorageAway))
      log.error({ error }, `${found}: ${what} are queued until they can be saved`);
    fault = found;
  }

  /** Runs a step; one that fails because of a bug is dropped, so that it does not block the others. */
  async function tryOnce(step: (lease?: Lease) => Promise<void>, lease?: Lease): Promise<void> {
    try {
      await step(lease);
    } catch (error) {
      if (!isBug(error)) throw error;
      log.error({ error }, `Unexpected error: one of the ${what} was lost`);
    }
  }

  async function retry(): Promise<void> {
    if (fault === undefined || isRetrying) return;
    isRetrying = true;
    try {
      await check?.();
      for (const [name, step] of queue) {
        await tryOnce(step);
        if (queue.get(name) === step) queue.delete(name);
      }
      fault = undefined;
      log.info({}, "The storage accepts writes again");
    } catch (error) {
      noteFault(error);
    }
    isRetrying = false;
  }

  const stop = clock.every(RETRY_MS, () => void retry());
  return {
    noteFault,
    retry,
    fault: (): StorageFaultText | undefined => fault,
    /**
     * Runs a step that stores something: now, under the lease, or once that is possible, after the queued ones. Of steps with one name,
     * one is queued: the first, or with `last` the last, in its own position. Rejects if the storage is unreachable: the game resends the
     * report, perhaps to another process, and a later retry here could undo its result.
     */
    async runOrRetry(
      name: string,
      step: (lease?: Lease) => Promise<void>,
      { last = false, lease }: { last?: boolean; lease?: Lease } = {},
    ): Promise<void> {
      if (last) queue.delete(name);
      if (queue.has(name)) return;
      if (queue.size === 0)
        try {
          return await tryOnce(step, lease);
        } catch (error) {
          if (error instanceof StorageAway) throw error;
          noteFault(error);
        }
      if (queue.size < MAX_QUEUED) queue.set(name, step);
      else log.error({}, "Storage queue full: the last report of the game was lost");
    },
    /** Whether a step with this name is queued. */
    has: (name: string): boolean => queue.has(name),
    stop,
  };
}
