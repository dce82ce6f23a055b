import { isBug } from "../../platform/bugs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { StorageAway, StorageFull, type Turn } from "./ports.ts";

/** How often is tried again what could not be stored, in milliseconds. */
const RETRY_MS = 1_000;
/** Things that may wait to be stored. Of open link requests and of players there are fewer. */
const MAX_WAITING = 5_000;

/** Why nothing can be stored at the moment. */
type StorageFault = "storage full" | "storage failed";

export type StorageRetry = ReturnType<typeof createWaiting>;

/** Whether a part of the storage can keep anything, and what waits until it can. `check` rejects where it cannot. */
export function createWaiting(deps: {
  clock: Clock;
  log: Pick<Log, "info" | "error">;
  check?: () => Promise<void>;
  /** what waits, in words */
  what: string;
}) {
  const { clock, log, check, what } = deps;
  /** steps that store what the game has told, in its order; each may be tried any number of times */
  const waiting = new Map<string, (turn?: Turn) => Promise<void>>();
  let fault: StorageFault | undefined;
  let trying = false;

  function note(error: unknown): void {
    const found = error instanceof StorageFull ? "storage full" : "storage failed";
    // Whoever looks for a storage that is away says so.
    if (fault !== found && !(error instanceof StorageAway))
      log.error({ error }, `${found}: ${what} wait until they can be saved`);
    fault = found;
  }

  /** Takes a step; one that a bug ends is lost, and holds up no other. */
  async function tryOnce(step: (turn?: Turn) => Promise<void>, turn?: Turn): Promise<void> {
    try {
      await step(turn);
    } catch (error) {
      if (!isBug(error)) throw error;
      log.error({ error }, `unexpected error: one of the ${what} is lost`);
    }
  }

  async function again(): Promise<void> {
    if (fault === undefined || trying) return;
    trying = true;
    try {
      await check?.();
      for (const [name, step] of waiting) {
        await tryOnce(step);
        if (waiting.get(name) === step) waiting.delete(name);
      }
      fault = undefined;
      log.info({}, "the storage keeps what it is given again");
    } catch (error) {
      note(error);
    }
    trying = false;
  }

  const stop = clock.every(RETRY_MS, () => void again());
  return {
    note,
    again,
    fault: (): StorageFault | undefined => fault,
    /**
     * Runs a step that stores something: now, in the turn, or once that can be done, after those that wait already. Of steps of one
     * name, one waits: the first, or with `last` the last, at its own place. Rejects where the storage is away: the game tells
     * it again, perhaps to another process, and what this one did later could undo what came of it.
     */
    async keep(
      name: string,
      step: (turn?: Turn) => Promise<void>,
      { last = false, turn }: { last?: boolean; turn?: Turn } = {},
    ): Promise<void> {
      if (last) waiting.delete(name);
      if (waiting.has(name)) return;
      if (waiting.size === 0)
        try {
          return await tryOnce(step, turn);
        } catch (error) {
          if (error instanceof StorageAway) throw error;
          note(error);
        }
      if (waiting.size < MAX_WAITING) waiting.set(name, step);
      else log.error({}, "too much waits to be stored: what the game told last is lost");
    },
    /** Whether a step of this name waits. */
    keeps: (name: string): boolean => waiting.has(name),
    stop,
  };
}
