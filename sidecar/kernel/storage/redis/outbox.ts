import { randomUUID } from "node:crypto";
import { type Action, actionBody } from "../../../../shared/actions.ts";
import { checkJson, count, object, text } from "../../../../shared/guard.ts";
import { ID_LENGTH, MAX_ACTIONS } from "../../../../shared/limits.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { actionFor, CAPACITY, RETIRED_RUNS, SUCCESSOR_SILENT_MS, shareFor } from "../../bridge/outbox.ts";
import type { Outbox, Refusal } from "../../bridge/ports.ts";
import type { RedisConnection } from "./connection.ts";
import appendAction from "./lua/append-action.lua";
import markReceived from "./lua/mark-received.lua";
import openSession from "./lua/open-session.lua";
import received from "./lua/received.lua";
import takeActions from "./lua/take-actions.lua";
import withdrawAction from "./lua/withdraw-action.lua";
import { createPackLease } from "./pack-lease.ts";
import { listOf, numberOf, pairsOf, queueScript, script, textOf } from "./script.ts";

const APPEND = queueScript(appendAction, { isFenced: true });
const OPEN = queueScript(openSession, { isFenced: true, mayOverfill: true });
const TAKE = queueScript(takeActions, { isFenced: true, mayOverfill: true });
const WITHDRAW = queueScript(withdrawAction, { isFenced: true, mayOverfill: true });
const MARK = script(markReceived, { isFenced: true, mayOverfill: true });
const RECEIVED = script(received, { mayOverfill: true });

const KEYS = ["queue", "actions", "numbers", "ends", "kinds", "begun", "pack", "retired", "bus"];

const storedAction = object({
  id: text(ID_LENGTH, 1),
  kind: text(64),
  at: count,
  until: count,
  body: actionBody,
});

/** The queue of many processes, which take turns at the lease for the pack's requests. */
export function createRedisOutbox(deps: {
  redis: RedisConnection;
  /** clock for the waits of polls */
  clock: Clock;
  /** clock of this machine */
  machine: Clock;
  now: SharedTime;
  log: Pick<Log, "error">;
}): Outbox & { wake(): void } {
  const { redis, clock, now, log } = deps;
  const waits = new Set<() => void>();
  /** number of wake-ups so far: a poll that was asking during one does not wait */
  let wakes = 0;
  const packLease = createPackLease(redis, deps.machine);
  let isClosed = false;
  function wakeAll(): void {
    wakes++;
    for (const wake of waits) wake();
  }
  redis.reach.onChange(wakeAll);

  /** Waits for a wake-up after the first `since` ones, at most `ms` milliseconds. */
  function waitForWake(since: number, ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (wakes !== since || ms <= 0 || signal?.aborted || isClosed) return Promise.resolve();
    return new Promise(resolve => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener("abort", end);
        waits.delete(end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      signal?.addEventListener("abort", end);
      waits.add(end);
    });
  }

  function actionOf(number: string, stored: string, receivedAt: number): Action[] {
    const read = checkJson(storedAction, stored);
    if ("value" in read) return [actionFor({ seq: Number(number), ...read.value }, receivedAt)];
    log.error({ fault: read.fault }, "Could not read an action stored by another sidecar");
    return [];
  }

  type How = "ask" | "wait" | "woken" | "last";
  async function ask(
    [session, after, poll]: readonly [string, number, string],
    how: How,
    receivedAt: number,
  ): Promise<Result<{ isOver: boolean; actions: Action[] }, Refusal>> {
    const reply = await redis.run(TAKE, KEYS, [now(), session, after, poll, how, MAX_ACTIONS]);
    const [is, what, actions] = listOf(reply);
    if (is === "refused") return { fault: what === "session_replaced" ? what : "unknown_session" };
    if (is === "over") return { value: { isOver: true, actions: [] } };
    const all = pairsOf(actions).flatMap(([number, stored]) => actionOf(number, stored, receivedAt));
    return { value: { isOver: all.length > 0, actions: all } };
  }

  return {
    /** To be called when there may be actions for a poll. */
    wake: wakeAll,
    async append(appended, lease) {
      const { id, body, lifeMs } = appended;
      const at = now();
      const action = JSON.stringify({ id, kind: body.do, at, until: at + lifeMs, body });
      const share = shareFor(appended) ?? -1;
      const values = [at, id, body.do, share, CAPACITY, at + lifeMs, action];
      return (await redis.run(APPEND, KEYS, values, lease)) === 1;
    },
    withdraw: async id => (await redis.run(WITHDRAW, KEYS, [now(), id])) === 1,
    async open({ run, firstFact }, lease) {
      const values = [
        now(),
        run,
        randomUUID(),
        Math.max(0, firstFact - 1),
        RETIRED_RUNS,
        SUCCESSOR_SILENT_MS,
      ];
      const [is, session, lost] = listOf(await redis.run(OPEN, KEYS, values, lease));
      if (is !== "ok") return { fault: "session_replaced" };
      const actions = pairsOf(lost).map(([id, kind]) => ({ id, do: kind }));
      return { value: { session: textOf(session), lost: actions } };
    },
    async take(session, after, waitMs, signal) {
      const receivedAt = now();
      const until = clock.monotonic() + waitMs;
      const poll = [session, after, randomUUID()] as const;
      const isWaiting = waitMs > 0 && !isClosed;
      for (let how: How = isWaiting ? "wait" : "ask"; ; ) {
        const since = wakes;
        const taken = await ask(poll, how, receivedAt);
        if ("fault" in taken) return taken;
        const { isOver, actions } = taken.value;
        if (isOver || how === "ask" || how === "last") return { value: actions };
        await waitForWake(since, until - clock.monotonic(), signal);
        if (signal?.aborted) return { value: [] };
        // A Redis that is back may have forgotten the waiting polls.
        how = redis.reach.isAway() ? "wait" : "woken";
        if (isClosed || clock.monotonic() >= until) how = "last";
      }
    },
    async received(session, lease) {
      if (lease?.pack?.session === session) return { value: lease.pack };
      const [is, run, fact] = listOf(await redis.run(RECEIVED, ["pack", "retired"], [session]));
      if (is === "ok") return { value: { run: textOf(run), fact: numberOf(fact) } };
      return { fault: run === "session_replaced" ? run : "unknown_session" };
    },
    withLease: packLease.withLease,
    async markReceived(session, fact, lease) {
      await redis.run(MARK, ["pack"], [session, fact], lease);
    },
    size: async () => numberOf(await redis.ask("ZCARD", redis.key("queue"))),
    async close() {
      isClosed = true;
      wakeAll();
    },
  };
}
