import { randomUUID } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import { type Lease, StorageAway } from "../ports.ts";
import type { RedisConnection } from "./connection.ts";
import releaseTurn from "./lua/release-turn.lua";
import takeTurn from "./lua/take-turn.lua";
import { listOf, numberOf, script, textOf } from "./script.ts";

const TAKE = script(takeTurn, { mayOverfill: true });
const RELEASE = script(releaseTurn, { mayOverfill: true });

/** How long a request of a pack waits for its turn, in milliseconds: less than the pack waits for its answer. */
const WAIT_MS = 3_000;
/** Wait before it is asked for again, in milliseconds. */
const AGAIN_MS = 20;

/** The right to deal with what the pack says: one process has it at a time, and loses it when it does nothing for a second. */
export function createPackTurns(redis: RedisConnection, machine: Clock) {
  /** settles when whoever came before in this process has had their turn */
  let before: Promise<unknown> = Promise.resolve();

  const pause = (): Promise<void> => new Promise(resolve => void machine.after(AGAIN_MS, resolve));

  async function take(until: number): Promise<Lease> {
    const own = { token: randomUUID(), key: redis.key("turn") };
    while (await redis.back(until - machine.monotonic())) {
      const [isOurs, session, run, fact] = listOf(await redis.run(TAKE, ["turn", "pack"], [own.token]));
      if (isOurs === 1 && session === "") return own;
      if (isOurs === 1)
        return { ...own, pack: { session: textOf(session), run: textOf(run), fact: numberOf(fact) } };
      if (machine.monotonic() >= until) break;
      await pause();
    }
    throw new StorageAway("the turn to deal with what the game says cannot be had");
  }

  async function deal<T>(until: number, work: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await take(until);
    try {
      return await work(lease);
    } finally {
      // One that cannot be given back ends by itself; whoever comes next in this process asks behind this.
      redis.run(RELEASE, ["turn"], [lease.token]).catch(() => undefined);
    }
  }

  return {
    inTurn<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
      const until = machine.monotonic() + WAIT_MS;
      const dealt = before.then(() => deal(until, work));
      before = dealt.catch(() => undefined);
      return dealt;
    },
  };
}
