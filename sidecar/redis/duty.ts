import { randomUUID } from "node:crypto";
import type { Duty } from "../ports/shared.ts";
import type { Clock, Log } from "../ports.ts";
import type { Connection } from "./connection.ts";
import holdDuty from "./lua/hold-duty.lua";
import releaseTurn from "./lua/release-turn.lua";
import { script } from "./script.ts";

const HOLD = script(holdDuty, { mayOverfill: true });
const RELEASE = script(releaseTurn, { mayOverfill: true });

/** How long a process has a duty that it does not go on with, and how often it does, in milliseconds. */
const HELD_MS = 3_000;
const AGAIN_MS = 1_000;
/** When it stops though it could not hear that another has it, in milliseconds. */
const SURE_MS = 2_000;

/** A duty that one process has at a time; when it is gone, another gets it within three seconds. */
export function createDuty(redis: Connection, key: string, machine: Clock, log: Pick<Log, "error">) {
  const token = randomUUID();
  /** what ends it, while this process has it */
  let end: (() => Promise<void>) | undefined;
  let heldAt = 0;
  let isBusy = false;
  let isWanted = false;

  async function isOurs(): Promise<boolean> {
    const askedAt = machine.monotonic();
    try {
      if ((await redis.run(HOLD, [key], [token, HELD_MS])) !== 1) return false;
      heldAt = askedAt;
      return true;
    } catch {
      return end !== undefined && machine.monotonic() - heldAt < SURE_MS;
    }
  }

  async function look(begin: () => Promise<() => Promise<void>>): Promise<void> {
    isBusy = true;
    try {
      const isHeld = await isOurs();
      if (isHeld && !end) end = await begin();
      else if (!isHeld) await stop();
    } catch (error) {
      log.error({ error, duty: key }, "could not begin what one sidecar does for all");
    } finally {
      isBusy = false;
    }
  }

  async function stop(): Promise<void> {
    const ending = end;
    end = undefined;
    await ending?.();
  }

  const duty: Duty = {
    async hold(begin) {
      isWanted = true;
      let looking = look(begin);
      await looking;
      const stopLooking = machine.every(AGAIN_MS, () => {
        if (!isBusy) looking = look(begin);
      });
      return async () => {
        stopLooking();
        // What is about to begin is to end too.
        await looking;
        await stop();
        await redis.run(RELEASE, [key], [token]).catch(() => undefined);
      };
    },
  };
  return {
    duty,
    /** What shows whether this process has it; blank where it was never wanted. */
    token: () => (isWanted ? token : ""),
  };
}
