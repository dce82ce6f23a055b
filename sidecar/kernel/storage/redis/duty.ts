import { randomUUID } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { Duty } from "../ports.ts";
import type { RedisConnection } from "./connection.ts";
import holdDuty from "./lua/hold-duty.lua";
import releaseTurn from "./lua/release-turn.lua";
import { script } from "./script.ts";

const HOLD = script(holdDuty, { mayOverfill: true });
const RELEASE = script(releaseTurn, { mayOverfill: true });

/** How long a process has a duty that it does not go on with, and how often it does, in milliseconds. */
const HELD_MS = 1_500;
const AGAIN_MS = 400;
/** When it stops though it could not hear that another has it, in milliseconds. */
const SURE_MS = 1_000;

/** held: by this process, which was sure of it `at` a moment, with what ends what it does for all */
type DutyState = { is: "free" } | { is: "held"; at: number; end(): Promise<void> };

/** A duty that one process has at a time; when it is gone, another gets it within two seconds. */
export function createDuty(
  redis: RedisConnection,
  key: string,
  machine: Clock,
  log: Pick<Log, "error">,
): Duty {
  const token = randomUUID();
  let state: DutyState = { is: "free" };
  const turn = { token, key: redis.key(key) };

  /** When this process was sure last to have it; undefined where another may. */
  async function heldAt(): Promise<number | undefined> {
    const askedAt = machine.monotonic();
    try {
      return (await redis.run(HOLD, [key], [token, HELD_MS])) === 1 ? askedAt : undefined;
    } catch {
      return state.is === "held" && machine.monotonic() - state.at < SURE_MS ? state.at : undefined;
    }
  }

  async function look(begin: Parameters<Duty["hold"]>[0]): Promise<void> {
    try {
      const at = await heldAt();
      if (at === undefined) await stop();
      else state = { is: "held", at, end: state.is === "held" ? state.end : await begin(turn) };
    } catch (error) {
      log.error({ error, duty: key }, "Could not start the task that one sidecar runs for all");
    }
  }

  async function stop(): Promise<void> {
    const before = state;
    state = { is: "free" };
    if (before.is === "held") await before.end();
  }

  return {
    async hold(begin) {
      let looking: Promise<void> | undefined;
      const lookAgain = (): Promise<void> => {
        looking ??= look(begin).finally(() => {
          looking = undefined;
        });
        return looking;
      };
      await lookAgain();
      const stopLooking = machine.every(AGAIN_MS, () => void lookAgain());
      return async () => {
        stopLooking();
        // What is about to begin is to end too.
        await looking;
        await stop();
        await redis.run(RELEASE, [key], [token]).catch(() => undefined);
      };
    },
  };
}
