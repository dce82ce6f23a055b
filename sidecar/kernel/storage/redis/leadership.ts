import { randomUUID } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { Leadership } from "../ports.ts";
import type { RedisConnection } from "./connection.ts";
import holdLeadership from "./lua/hold-leadership.lua";
import releaseLease from "./lua/release-lease.lua";
import { script } from "./script.ts";

const HOLD = script(holdLeadership, { mayOverfill: true });
const RELEASE = script(releaseLease, { mayOverfill: true });

/** Lifetime of a leader's lease without renewal, and interval of its renewal, in milliseconds. */
const LEASE_MS = 1_500;
const RENEW_MS = 400;
/** A leader that cannot renew stops after this time, in milliseconds: another process may lead soon. */
const MAX_UNRENEWED_MS = 1_000;

/** `held`: by this process, last renewed at `at`; `end` stops the leader's task */
type LeaderState = { is: "free" } | { is: "held"; at: number; end(): Promise<void> };

/** Elects one process at a time as the leader for a task; if it ends, another takes over within two seconds. */
export function createLeadership(
  redis: RedisConnection,
  key: string,
  machine: Clock,
  log: Pick<Log, "error">,
): Leadership {
  const token = randomUUID();
  let state: LeaderState = { is: "free" };
  const lease = { token, key: redis.key(key) };

  /** When this process last held the lease for certain; undefined: another process may hold it. */
  async function renew(): Promise<number | undefined> {
    const requestedAt = machine.monotonic();
    try {
      return (await redis.run(HOLD, [key], [token, LEASE_MS])) === 1 ? requestedAt : undefined;
    } catch {
      return state.is === "held" && machine.monotonic() - state.at < MAX_UNRENEWED_MS ? state.at : undefined;
    }
  }

  async function elect(begin: Parameters<Leadership["hold"]>[0]): Promise<void> {
    try {
      const at = await renew();
      if (at === undefined) await stop();
      else state = { is: "held", at, end: state.is === "held" ? state.end : await begin(lease) };
    } catch (error) {
      log.error({ error, task: key }, "Could not start the task that one sidecar runs for all of them");
    }
  }

  async function stop(): Promise<void> {
    const before = state;
    state = { is: "free" };
    if (before.is === "held") await before.end();
  }

  return {
    async hold(begin) {
      let electing: Promise<void> | undefined;
      const electAgain = (): Promise<void> => {
        electing ??= elect(begin).finally(() => {
          electing = undefined;
        });
        return electing;
      };
      await electAgain();
      const stopElecting = machine.every(RENEW_MS, () => void electAgain());
      return async () => {
        stopElecting();
        // A task that is just starting has to end too.
        await electing;
        await stop();
        await redis.run(RELEASE, [key], [token]).catch(() => undefined);
      };
    },
  };
}
