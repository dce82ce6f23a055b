import { randomUUID } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import { type Lease, StorageAway } from "../ports.ts";
import type { RedisConnection } from "./connection.ts";
import releaseLease from "./lua/release-lease.lua";
import takeLease from "./lua/take-lease.lua";
import { listOf, numberOf, script, textOf } from "./script.ts";

const TAKE = script(takeLease, { mayOverfill: true });
const RELEASE = script(releaseLease, { mayOverfill: true });

/** How long a request of a pack waits for the lease, in milliseconds: less than the pack's timeout. */
const WAIT_MS = 3_000;
/** Pause between attempts, in milliseconds. */
const RETRY_MS = 20;

/** The lease for the pack's requests: one process holds it at a time, and loses it after a second without activity. */
export function createPackLease(redis: RedisConnection, machine: Clock) {
  /** settles when the previous request in this process is done */
  let before: Promise<unknown> = Promise.resolve();

  const pause = (): Promise<void> => new Promise(resolve => void machine.after(RETRY_MS, resolve));

  async function take(until: number): Promise<Lease> {
    const lease = { token: randomUUID(), key: redis.key("turn") };
    while (await redis.waitForReconnect(until - machine.monotonic())) {
      const [isGranted, session, run, fact] = listOf(await redis.run(TAKE, ["turn", "pack"], [lease.token]));
      if (isGranted === 1 && session === "") return lease;
      if (isGranted === 1)
        return { ...lease, pack: { session: textOf(session), run: textOf(run), fact: numberOf(fact) } };
      if (machine.monotonic() >= until) break;
      await pause();
    }
    throw new StorageAway("could not get the lease for the game's requests");
  }

  async function runLeased<T>(until: number, work: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await take(until);
    try {
      return await work(lease);
    } finally {
      // A lease that cannot be released expires; the next request of this process is sent after this.
      redis.run(RELEASE, ["turn"], [lease.token]).catch(() => undefined);
    }
  }

  return {
    withLease<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
      const until = machine.monotonic() + WAIT_MS;
      const done = before.then(() => runLeased(until, work));
      before = done.catch(() => undefined);
      return done;
    },
  };
}
