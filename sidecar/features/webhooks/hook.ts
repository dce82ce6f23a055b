import { createHash } from "node:crypto";
import type { Webhook } from "../../config/webhooks.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { FeedLog } from "../feed/feed-log.ts";
import type { FeedEntry } from "../feed/rules/window.ts";
import type { Attempt } from "./post.ts";
import type { HookState, HookStore } from "./records.ts";
import { afterAccepted, leftOut, NOT_REJECTED, rejectedAgain } from "./rejected-message.ts";
import { DISABLE_AFTER_MS, type Failing, failedAgain, leftUntilDisabled, waitBefore } from "./rules.ts";
import { createSender, isAccepted, requestedWaitMs } from "./sender.ts";

/** Entries of one read; a message for Discord contains fewer, or summarises them. */
const PAGE = 1_000;
/** Limit for counting queued events. */
const MAX_COUNTED = 10_000;
/** How long an attempt in progress may take at the stop, in milliseconds. */
const STOP_MS = 1_000;
/** Interval of logging a failure of a hook, in milliseconds. */
const LOG_MS = 60_000;
/** Pause before the feed is read again after an error, in milliseconds. */
const READ_RETRY_MS = 1_000;

/** Log line for a webhook that is permanently off. */
const GONE = "Webhook disabled permanently: it no longer exists. Set its new url in webhooks, or remove it";

export interface HookDeps {
  feed: FeedLog;
  store: HookStore;
  clock: Clock;
  log: Log;
  /** from 0 to 1, for jitter */
  random(): number;
  /** Counts an attempt that has ended. */
  counted(hook: HookName, outcome: "taken" | "failed"): void;
}

/** Name of a hook without its secret address: its index in the configuration, from 0 on, and its origin. */
export type HookName = { hook: string; origin: string };

export type Hook = Awaited<ReturnType<typeof startHook>>;

/** Storage key of a hook: a digest, since its address is a secret. */
export const keyOfHook = (url: string): string => createHash("sha256").update(url).digest("hex");

/** It fails; `off`: for so long that it is disabled until the next start; `gone`: the receiver said that it no longer exists. */
interface FailedHealth extends Failing {
  is: "failing" | "off" | "gone";
  /** failure of the last attempt, if there was one since the start */
  reason?: string;
}

/** Health of the receiver; `behind`: events are queued since a failed attempt, or since before the start. */
type Health = { is: "current" | "behind" } | FailedHealth;

type Doing =
  | { is: "working" }
  /** `hasMore`: the feed has grown since */
  | { is: "reading"; hasMore: boolean }
  | { is: "resting"; untilMore: boolean; end(): void }
  | { is: "stopping" };

/** Starts sending the events of the feed to one address, in order, each until it is accepted, while the lease is valid. */
export async function startHook(index: number, config: Webhook, deps: HookDeps, lease: Lease | undefined) {
  const { clock, feed, log, store } = deps;
  const { url, events } = config;
  const name: HookName = { hook: `${index}`, origin: new URL(url).origin };
  const key = keyOfHook(url);
  const types = new Set<string>(events);
  const isWanted = ({ event }: FeedEntry): boolean => types.has(event.event);
  const sender = createSender(config, clock);
  const { format, isDiscord } = sender;
  const broken = new AbortController();

  const stored = await store.get(key);
  /** the last event that was accepted or skipped */
  let position = stored?.place ?? (await feed.last());
  const failingBefore = stored && resumedFailure(stored, clock);
  const isBehind = position !== (await feed.last());
  let health: Health = failingBefore ?? { is: isBehind ? "behind" : "current" };
  if (stored?.gone !== undefined) setGone(stored.gone, failingBefore);
  let doing: Doing = { is: "working" };
  /** wanted events after that, as far as they were read */
  let page: FeedEntry[] = [];
  /** the event that has already waited for others */
  let waitedId: string | undefined;
  /** the permanently rejected message, if any */
  let rejected = NOT_REJECTED;
  /** events left out since the start, by origin */
  const leftOutCounts = { web: 0, game: 0 };

  const failed = (): FailedHealth | undefined => ("since" in health ? health : undefined);

  /** Waits for `ms` milliseconds, if any, or for new events if `untilMore`, or for the stop. */
  function rest(ms: number | undefined, untilMore = false): Promise<void> {
    if (doing.is === "stopping" || (untilMore && doing.is === "reading" && doing.hasMore))
      return Promise.resolve();
    return new Promise(resolve => {
      const end = (): void => {
        doing = { is: "working" };
        cancel?.();
        resolve();
      };
      const cancel = ms === undefined ? undefined : clock.after(ms, end);
      doing = { is: "resting", untilMore, end };
    });
  }

  const logFailure = (why: Attempt): void => {
    const meaning = sender.meaningOf(why);
    log.warn({ ...name, ...why, ...(meaning && { meaning }) }, "Webhook failing: its events are queued");
  };
  let logFailureRarely = atMostEvery(LOG_MS, clock, logFailure);
  const logDropped = atMostEvery(LOG_MS, clock, () =>
    log.warn(name, "Webhook queue full: its oldest events were dropped"),
  );
  const logLeftOut = atMostEvery(LOG_MS, clock, () =>
    log.warn({ ...name, ...leftOutCounts }, "Webhook rejected some messages: they were left out"),
  );

  /** Stores the position; after a failure, events may be sent again, but none is lost. */
  async function savePosition(after: string): Promise<void> {
    position = after;
    const since = failed()?.since;
    const failingSince = Math.round(clock.now() - (clock.monotonic() - (since ?? 0)));
    const gone = health.is === "gone" ? health.reason : undefined;
    try {
      const failing = since === undefined ? {} : { failingSince, ...(gone && { gone }) };
      await store.set(key, { place: position, ...failing }, lease);
    } catch (error) {
      log.error({ ...name, error }, "Could not save a webhook's position");
    }
  }

  /** Reads the next wanted events; waits if there are none. */
  async function readNext(): Promise<void> {
    doing = { is: "reading", hasMore: false };
    const { entries, gap } = await feed.read(position, PAGE);
    if (gap) logDropped({});
    page = entries.filter(isWanted);
    const last = entries.at(-1);
    if (last === undefined) await idle();
    else if (page.length === 0) await savePosition(last.id);
  }

  /** Waits for new events. Queued ones may all expire before the hook has failed for a day. */
  async function idle(): Promise<void> {
    if (health.is !== "failing") {
      health = { is: "current" };
      return rest(undefined, true);
    }
    const left = leftUntilDisabled(health, clock.monotonic());
    if (left <= 0) disable(health);
    else await rest(left, true);
  }

  function disable(failed: FailedHealth): void {
    health = { ...failed, is: "off" };
    log.error(name, "Webhook failed for a day: disabled until the next start");
  }

  function setGone(reason: string, before: Failing = { since: clock.monotonic(), tries: 0 }): void {
    health = { ...before, is: "gone", reason };
    log.error({ ...name, reason }, GONE);
  }

  async function send(first: FeedEntry): Promise<void> {
    const { count, headers, body } = format.next(
      page,
      health.is !== "current",
      clock.now(),
      rejected.bisection,
    );
    const message = page.slice(0, count);
    const attempt = await sender.post(body, headers, broken.signal);
    const isOver = isAccepted(attempt);
    if (!isOver && broken.signal.aborted) return;
    deps.counted(name, isOver ? "taken" : "failed");
    if (!isOver) return fail(first, attempt, message);
    if ((failed()?.tries ?? 0) > 0) log.info(name, "Webhook accepts events again");
    if (health.is !== "current") health = { is: "behind" };
    const { web, game } = leftOut(rejected.bisection, message);
    leftOutCounts.web += web;
    leftOutCounts.game += game;
    if (web + game > 0) logLeftOut({});
    rejected = afterAccepted(rejected, count);
    await savePosition((message.at(-1) ?? first).id);
    // Events that follow shortly may belong to the next message.
    page = isDiscord ? [] : page.slice(count);
  }

  async function fail(first: FeedEntry, attempt: Attempt, message: readonly FeedEntry[]): Promise<void> {
    const now = clock.monotonic();
    const requestedMs = requestedWaitMs(attempt);
    const before = failed();
    const reason = sender.describeAttempt(attempt);
    if ("status" in attempt && format.isGone(attempt)) {
      setGone(reason, before);
      return savePosition(position);
    }
    const isRejected = "status" in attempt && format.refuses(attempt);
    if (isRejected) rejected = rejectedAgain(rejected, message);
    // A changed message is tried soon.
    const isSoon = requestedMs !== undefined || (isRejected && rejected.bisection !== undefined);
    const failing: FailedHealth = { is: "failing", ...failedAgain(before, now, isSoon), reason };
    health = failing;
    // A new reason is logged immediately.
    if (reason !== before?.reason) logFailureRarely = atMostEvery(LOG_MS, clock, logFailure);
    // A request to retry later is not a failure, unless it is repeated too often.
    if (requestedMs === undefined || now - failing.since > LOG_MS) logFailureRarely(attempt);
    if (before === undefined) await savePosition(position);
    if (leftUntilDisabled(failing, now) <= 0) return disable(failing);
    waitedId = first.id;
    // Read again later: the feed may have dropped events by then.
    page = [];
    await rest(waitBefore(failing, requestedMs, deps.random()));
  }

  async function step(): Promise<void> {
    const [first] = page;
    if (first === undefined) return readNext();
    const isAlone = health.is !== "failing" && waitedId !== first.id;
    const waitMs = isAlone ? format.waitMs(first, clock.now()) : 0;
    if (waitMs === 0) return send(first);
    waitedId = first.id;
    await rest(waitMs);
    page = [];
  }

  async function run(): Promise<void> {
    while (doing.is !== "stopping" && health.is !== "off" && health.is !== "gone")
      try {
        await step();
      } catch (error) {
        log.error({ ...name, error }, "Could not read a webhook's queue");
        await rest(READ_RETRY_MS);
      }
    sender.close();
  }

  if (stored === undefined) await savePosition(position);
  const running = run();

  return {
    name,
    /** There are new events. */
    wake(): void {
      if (doing.is === "reading") doing.hasMore = true;
      if (doing.is === "resting" && doing.untilMore) doing.end();
    },
    /** Number of queued events. */
    async waiting(): Promise<number> {
      const { entries } = await feed.read(position, MAX_COUNTED);
      return entries.filter(isWanted).length;
    },
    /** For how long it has been failing, in milliseconds; 0: it works. */
    failingMs(): number {
      const since = failed()?.since;
      return since === undefined ? 0 : clock.monotonic() - since;
    },
    /** Why the last attempt failed; undefined: it works, or there was none since the start. */
    reason: () => failed()?.reason,
    /** Permanently rejected events that were left out since the start, by origin. */
    leftOut: () => leftOutCounts,
    /** Whether it is disabled: "off" until the next start, "gone" until its address changes. */
    state: (): "ok" | "failing" | "off" | "gone" => ("since" in health ? health.is : "ok"),
    /** Gives an attempt in progress a moment, then aborts it: it is repeated after the next start. */
    async stop(): Promise<void> {
      if (doing.is === "resting") doing.end();
      doing = { is: "stopping" };
      const stopTimer = clock.after(STOP_MS, () => broken.abort());
      await running;
      stopTimer();
    },
  };
}

/** The health of a hook that was failing at the last stop. One that was disabled starts over, as after the clock was set back. */
function resumedFailure({ failingSince = Number.NaN }: HookState, clock: Clock): FailedHealth | undefined {
  const failedMs = clock.now() - failingSince;
  if (!(failedMs >= 0 && failedMs < DISABLE_AFTER_MS)) return undefined;
  return { is: "failing", since: clock.monotonic() - failedMs, tries: 0 };
}

/** Limits calls to one in `ms` milliseconds. */
function atMostEvery<T>(ms: number, clock: Clock, call: (value: T) => void): (value: T) => void {
  let last = Number.NEGATIVE_INFINITY;
  return value => {
    const now = clock.monotonic();
    if (now - last < ms) return;
    last = now;
    call(value);
  };
}
