import { createHash } from "node:crypto";
import type { Webhook } from "../../config/webhooks.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { FeedLog } from "../feed/feed-log.ts";
import type { FeedEntry } from "../feed/rules/window.ts";
import type { Attempt } from "./post.ts";
import type { HookState, HookStore } from "./records.ts";
import { leftOut, NOT_REFUSED, refusedAgain, takenOf } from "./refused.ts";
import { type Failing, failedAgain, GIVE_UP_MS, leftUntilGivenUp, waitBefore } from "./rules.ts";
import { askedMs, createSender, isTaken } from "./sender.ts";

/** Entries that are read at once; one message for Discord tells of fewer, or sums them up. */
const PAGE = 1_000;
/** Events that wait, as far as they are counted. */
const MOST_WAITING = 10_000;
/** What is under way at the stop may take this long, in milliseconds. */
const LAST_MS = 1_000;
/** A fault of a hook is told this often at most, in milliseconds. */
const TELL_MS = 60_000;
/** Wait before the feed is read again that could not be read, in milliseconds. */
const UNREADABLE_MS = 1_000;

/** The log's line for a webhook that is gone. */
const GONE =
  "Webhook switched off permanently: it no longer exists. Set its new url in webhooks, or take it out";

export interface HookDeps {
  feed: FeedLog;
  store: HookStore;
  clock: Clock;
  log: Log;
  /** from 0 to 1, for jitter */
  random(): number;
  /** An attempt has ended. */
  counted(hook: HookName, outcome: "taken" | "failed"): void;
}

/** How a hook is named where its address must not be: by its place in the configuration, from 0 on, and its origin. */
export type HookName = { hook: string; origin: string };

export type Hook = Awaited<ReturnType<typeof startHook>>;

/** What a hook is stored under: its address is a secret that the store need not hold. */
export const keyOfHook = (url: string): string => createHash("sha256").update(url).digest("hex");

/** It takes nothing; off: for so long that it is left alone until the next start; gone: it said that it never will. */
interface FailedHealth extends Failing {
  is: "failing" | "off" | "gone";
  /** of the last attempt, unless none was made since the start */
  reason?: string;
}

/** How it goes with the other side; behind: something waits since an attempt has failed, or since before the start. */
type Health = { is: "current" | "behind" } | FailedHealth;

type Doing =
  | { is: "working" }
  /** `hasMore`: the feed has grown meanwhile */
  | { is: "reading"; hasMore: boolean }
  | { is: "resting"; untilMore: boolean; end(): void }
  | { is: "stopping" };

/** Begins to send the events of the feed to one address, in order, each until it was taken, for as long as the turn lasts. */
export async function startHook(index: number, config: Webhook, deps: HookDeps, lease: Lease | undefined) {
  const { clock, feed, log, store } = deps;
  const { url, events } = config;
  const name: HookName = { hook: `${index}`, origin: new URL(url).origin };
  const key = keyOfHook(url);
  const wanted = new Set<string>(events);
  const isWanted = ({ event }: FeedEntry): boolean => wanted.has(event.event);
  const sender = createSender(config, clock);
  const { format, isDiscord } = sender;
  const broken = new AbortController();

  const stored = await store.get(key);
  /** the last event that was taken or is not wanted */
  let place = stored?.place ?? (await feed.last());
  const failingBefore = stored && failingAgain(stored, clock);
  const isBehind = place !== (await feed.last());
  let health: Health = failingBefore ?? { is: isBehind ? "behind" : "current" };
  if (stored?.gone !== undefined) setGone(stored.gone, failingBefore);
  let doing: Doing = { is: "working" };
  /** wanted events after that, as far as they were read */
  let page: FeedEntry[] = [];
  /** the event for whose company was waited */
  let waitedFor: string | undefined;
  /** what was permanently rejected, and how it is cut since */
  let refused = NOT_REFUSED;
  /** events that were left out since the start, by who has written them */
  const out = { web: 0, game: 0 };

  const failed = (): FailedHealth | undefined => ("since" in health ? health : undefined);

  /** Waits for `ms` milliseconds, if any, or until the feed has grown where `untilMore`; not past the stop. */
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

  const tellFault = (why: Attempt): void => {
    const meaning = sender.meaningOf(why);
    log.warn({ ...name, ...why, ...(meaning && { meaning }) }, "Webhook failing: its events are queued");
  };
  let tellAgain = atMostEvery(TELL_MS, clock, tellFault);
  const tellGone = atMostEvery(TELL_MS, clock, () =>
    log.warn(name, "Webhook queue full: its oldest events were dropped"),
  );
  const tellOut = atMostEvery(TELL_MS, clock, () =>
    log.warn({ ...name, ...out }, "Webhook rejected some messages: they were left out"),
  );

  /** Stores where the hook is; a fault of the store costs no more than events that are sent again. */
  async function keep(after: string): Promise<void> {
    place = after;
    const since = failed()?.since;
    const failingSince = Math.round(clock.now() - (clock.monotonic() - (since ?? 0)));
    const gone = health.is === "gone" ? health.reason : undefined;
    try {
      const failing = since === undefined ? {} : { failingSince, ...(gone && { gone }) };
      await store.set(key, { place, ...failing }, lease);
    } catch (error) {
      log.error({ ...name, error }, "Could not save a webhook's position");
    }
  }

  /** The wanted events that are next; none after a wait for more. */
  async function readOn(): Promise<void> {
    doing = { is: "reading", hasMore: false };
    const { entries, gap } = await feed.read(place, PAGE);
    if (gap) tellGone({});
    page = entries.filter(isWanted);
    const last = entries.at(-1);
    if (last === undefined) await idle();
    else if (page.length === 0) await keep(last.id);
  }

  /** Waits for more. All that waited may be gone, by its age, before the hook has failed for a day. */
  async function idle(): Promise<void> {
    if (health.is !== "failing") {
      health = { is: "current" };
      return rest(undefined, true);
    }
    const left = leftUntilGivenUp(health, clock.monotonic());
    if (left <= 0) giveUp(health);
    else await rest(left, true);
  }

  function giveUp(failed: FailedHealth): void {
    health = { ...failed, is: "off" };
    log.error(name, "Webhook failed for a day: disabled until the next start");
  }

  function setGone(reason: string, before: Failing = { since: clock.monotonic(), tries: 0 }): void {
    health = { ...before, is: "gone", reason };
    log.error({ ...name, reason }, GONE);
  }

  async function send(first: FeedEntry): Promise<void> {
    const { count, headers, body } = format.next(page, health.is !== "current", clock.now(), refused.cut);
    const message = page.slice(0, count);
    const attempt = await sender.post(body, headers, broken.signal);
    const isOver = isTaken(attempt);
    if (!isOver && broken.signal.aborted) return;
    deps.counted(name, isOver ? "taken" : "failed");
    if (!isOver) return fail(first, attempt, message);
    if ((failed()?.tries ?? 0) > 0) log.info(name, "Webhook accepts events again");
    if (health.is !== "current") health = { is: "behind" };
    const { web, game } = leftOut(refused.cut, message);
    out.web += web;
    out.game += game;
    if (web + game > 0) tellOut({});
    refused = takenOf(refused, count);
    await keep((message.at(-1) ?? first).id);
    // What comes soon after may belong to the next message.
    page = isDiscord ? [] : page.slice(count);
  }

  async function fail(first: FeedEntry, attempt: Attempt, message: readonly FeedEntry[]): Promise<void> {
    const now = clock.monotonic();
    const asked = askedMs(attempt);
    const before = failed();
    const reason = sender.inWords(attempt);
    if ("status" in attempt && format.isGone(attempt)) {
      setGone(reason, before);
      return keep(place);
    }
    const isRefused = "status" in attempt && format.refuses(attempt);
    if (isRefused) refused = refusedAgain(refused, message);
    // What is made in another way is tried soon.
    const isSoon = asked !== undefined || (isRefused && refused.cut !== undefined);
    const failing: FailedHealth = { is: "failing", ...failedAgain(before, now, isSoon), reason };
    health = failing;
    // The newest reason is told at once.
    if (reason !== before?.reason) tellAgain = atMostEvery(TELL_MS, clock, tellFault);
    // To ask for patience is no fault, unless there is no end to it.
    if (asked === undefined || now - failing.since > TELL_MS) tellAgain(attempt);
    if (before === undefined) await keep(place);
    if (leftUntilGivenUp(failing, now) <= 0) return giveUp(failing);
    waitedFor = first.id;
    // What the feed no longer holds by then is not sent.
    page = [];
    await rest(waitBefore(failing, asked, deps.random()));
  }

  async function step(): Promise<void> {
    const [first] = page;
    if (first === undefined) return readOn();
    const isAlone = health.is !== "failing" && waitedFor !== first.id;
    const waitMs = isAlone ? format.waitMs(first, clock.now()) : 0;
    if (waitMs === 0) return send(first);
    waitedFor = first.id;
    await rest(waitMs);
    page = [];
  }

  async function run(): Promise<void> {
    while (doing.is !== "stopping" && health.is !== "off" && health.is !== "gone")
      try {
        await step();
      } catch (error) {
        log.error({ ...name, error }, "Could not read a webhook's queue");
        await rest(UNREADABLE_MS);
      }
    sender.close();
  }

  if (stored === undefined) await keep(place);
  const running = run();

  return {
    name,
    /** The feed has grown. */
    wake(): void {
      if (doing.is === "reading") doing.hasMore = true;
      if (doing.is === "resting" && doing.untilMore) doing.end();
    },
    /** Number of events that it has still to be sent. */
    async waiting(): Promise<number> {
      const { entries } = await feed.read(place, MOST_WAITING);
      return entries.filter(isWanted).length;
    },
    /** For how long it has taken nothing, in milliseconds; 0: it works. */
    failingMs(): number {
      const since = failed()?.since;
      return since === undefined ? 0 : clock.monotonic() - since;
    },
    /** Why the last attempt has failed; undefined: it works, or none was made since the start. */
    reason: () => failed()?.reason,
    /** Events that it permanently rejected and that were left out since the start, by who has written them. */
    leftOut: () => out,
    /** Whether it is left alone: "off" until the next start, "gone" until its address is another one. */
    state: (): "ok" | "failing" | "off" | "gone" => ("since" in health ? health.is : "ok"),
    /** Gives what is under way a moment, and breaks it off then: it is sent again after the next start. */
    async stop(): Promise<void> {
      if (doing.is === "resting") doing.end();
      doing = { is: "stopping" };
      const stopTimer = clock.after(LAST_MS, () => broken.abort());
      await running;
      stopTimer();
    },
  };
}

/** Since when a hook fails that did so at the last stop. One that was given up begins anew, as after the clock was set back. */
function failingAgain({ failingSince = Number.NaN }: HookState, clock: Clock): FailedHealth | undefined {
  const failedMs = clock.now() - failingSince;
  if (!(failedMs >= 0 && failedMs < GIVE_UP_MS)) return undefined;
  return { is: "failing", since: clock.monotonic() - failedMs, tries: 0 };
}

/** Calls on, unless it has done so within `ms` milliseconds. */
function atMostEvery<T>(ms: number, clock: Clock, call: (value: T) => void): (value: T) => void {
  let last = Number.NEGATIVE_INFINITY;
  return value => {
    const now = clock.monotonic();
    if (now - last < ms) return;
    last = now;
    call(value);
  };
}
