import { isBug } from "../../platform/bugs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { type Lease, StorageAway, StorageFull } from "./ports.ts";

/** How often is tried again what could not be stored, in milliseconds. */
const RETRY_MS = 1_000;
/** Things that may wait to be stored. Of open link requests and of players there are fewer. */
const MAX_QUEUED = 5_000;

/** Why nothing can be stored at the moment. */
type StorageFaultText = "storage full" | "storage failed";

export type RetryQueue = ReturnType<typeof createRetryQueue>;

/** Whether a part of the storage can keep anything, and what waits until it can. `check` rejects where it cannot. */
export function createRetryQueue(deps: {
  clock: Clock;
  log: Pick<Log, "info" | "error">;
  check?: () => Promise<void>;
  /** what waits, in words */
  what: string;
}) {
  const { clock, log, check, what } = deps;
  /** steps that store what the game has told, in its order; each may be tried any number of times */
  const queue = new Map<string, (lease?: Lease) => Promise<void>>();
  let fault: StorageFaultText | undefined;
  let isRetrying = false;

  function noteFault(error: unknown): void {
    const found = error instanceof StorageFull ? "storage full" : "storage failed";
    // Whoever looks for a storage that is away says so.
    if (fault !== found && !(error instanceof StorageAway))
      log.error({ error }, `${found}: ${what} are queued until they can be saved`);
    fault = found;
  }

  /** Takes a step; one that a bug ends is lost, and holds up no other. */
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
     * Runs a step that stores something: now, in the turn, or once that can be done, after those that wait already. Of steps of one
     * name, one waits: the first, or with `last` the last, at its own place. Rejects where the storage is away: the game tells
     * it again, perhaps to another process, and what this one did later could undo what came of it.
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
    /** Whether a step of this name waits. */
    has: (name: string): boolean => queue.has(name),
    stop,
  };
}
