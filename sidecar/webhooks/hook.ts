import { createHash } from "node:crypto";
import type { Webhook } from "../config/webhooks.ts";
import type { FeedEntry, HookState } from "../domain/feed.ts";
import { leftOut, NOT_REFUSED, refusedAgain, takenOf } from "../domain/refused.ts";
import { type Failing, failedAgain, GIVE_UP_MS, leftUntilGivenUp, waitBefore } from "../domain/retry.ts";
import type { Clock, FeedLog, Log } from "../ports.ts";
import type { Attempt } from "./post.ts";
import { createSender, inWords, isTaken } from "./sender.ts";

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

export interface HookDeps {
  feed: FeedLog;
  clock: Clock;
  log: Log;
  /** from 0 to 1, for jitter */
  random(): number;
  /** An attempt has ended. */
  counted(hook: HookName, outcome: "taken" | "failed"): void;
}

/** How a hook is named where its address must not be: by its place in the configuration, from 0 on, and its origin. */
export interface HookName {
  hook: string;
  origin: string;
}

export type Hook = Awaited<ReturnType<typeof startHook>>;

/** What a hook is stored under: its address is a secret that the store need not hold. */
export const keyOfHook = (url: string): string => createHash("sha256").update(url).digest("hex");

/** Begins to send the events of the feed to one address, in order, each until it was taken. */
export async function startHook(index: number, config: Webhook, deps: HookDeps) {
  const { clock, feed, log } = deps;
  const { url, events } = config;
  const name: HookName = { hook: `${index}`, origin: new URL(url).origin };
  const key = keyOfHook(url);
  const wanted = new Set<string>(events);
  const isWanted = ({ event }: FeedEntry): boolean => wanted.has(event.event);
  const sender = createSender(config, clock);
  const { format, isDiscord } = sender;
  const broken = new AbortController();

  const stored = (await feed.hooks()).get(key);
  /** the last event that was taken or is not wanted */
  let place = stored?.place ?? (await feed.last());
  let failing = stored && failingAgain(stored, clock);
  /** whether something waits since an attempt has failed, or since before the start */
  let isBehind = failing !== undefined || place !== (await feed.last());
  /** wanted events after that, as far as they were read */
  let page: FeedEntry[] = [];
  /** the event for whose company was waited */
  let waitedFor: string | undefined;
  /** what was refused for good, and how it is cut since */
  let refused = NOT_REFUSED;
  /** events that were left out since the start, by who has written them */
  const out = { web: 0, game: 0 };
  /** why the last attempt has failed */
  let reason: string | undefined;
  let isOff = false;
  let isStopping = false;
  /** whether the feed has grown since it was last read */
  let hasMore = false;
  /** ends what is waited for */
  let resting: { end(): void; isForMore: boolean } | undefined;

  /** Waits for `ms` milliseconds, if any, or until the feed has grown where `isForMore`; not past the stop. */
  function rest(ms: number | undefined, isForMore = false): Promise<void> {
    if (isStopping || (isForMore && hasMore)) return Promise.resolve();
    return new Promise(resolve => {
      const end = (): void => {
        resting = undefined;
        cancel?.();
        resolve();
      };
      const cancel = ms === undefined ? undefined : clock.after(ms, end);
      resting = { end, isForMore };
    });
  }

  const tellFault = (why: Attempt): void =>
    log.warn({ ...name, ...why }, "a webhook does not take events: they wait");
  let tellAgain = atMostEvery(TELL_MS, clock, tellFault);
  const tellGone = atMostEvery(TELL_MS, clock, () =>
    log.warn(name, "the oldest events that waited for a webhook are gone"),
  );
  const tellOut = atMostEvery(TELL_MS, clock, () =>
    log.warn({ ...name, ...out }, "a webhook does not take some lines: they were left out"),
  );

  /** Stores where the hook is; a fault of the store costs no more than events that are sent again. */
  async function keep(after: string): Promise<void> {
    place = after;
    const failingSince = failing && Math.round(clock.now() - (clock.monotonic() - failing.since));
    try {
      await feed.setHook(key, { place, ...(failingSince !== undefined && { failingSince }) });
    } catch (error) {
      log.error({ ...name, error }, "could not store how far a webhook is");
    }
  }

  /** The wanted events that are next; none after a wait for more. */
  async function readOn(): Promise<void> {
    hasMore = false;
    const { entries, gone } = await feed.read(place, PAGE);
    if (gone) tellGone({});
    page = entries.filter(isWanted);
    const last = entries.at(-1);
    if (last === undefined) await idle();
    else if (page.length === 0) await keep(last.id);
  }

  /** Waits for more. All that waited may be gone, by its age, before the hook has failed for a day. */
  async function idle(): Promise<void> {
    isBehind = false;
    const left = failing && leftUntilGivenUp(failing, clock.monotonic());
    if (left !== undefined && left <= 0) giveUp();
    else await rest(left, true);
  }

  function giveUp(): void {
    isOff = true;
    log.error(name, "a webhook has failed for a day and is switched off until the next start");
  }

  async function send(first: FeedEntry): Promise<void> {
    const { count, headers, body } = format.next(page, isBehind, clock.now(), refused.cut);
    const message = page.slice(0, count);
    const attempt = await sender.post(body, headers, broken.signal);
    const isOver = isTaken(attempt);
    if (!isOver && broken.signal.aborted) return;
    deps.counted(name, isOver ? "taken" : "failed");
    if (!isOver) return failed(first, attempt, message);
    if (failing !== undefined && failing.tries > 0) log.info(name, "a webhook takes events again");
    failing = undefined;
    reason = undefined;
    const { web, game } = leftOut(refused.cut, message);
    out.web += web;
    out.game += game;
    if (web + game > 0) tellOut({});
    refused = takenOf(refused, count);
    await keep((message.at(-1) ?? first).id);
    // What comes soon after may belong to the next message.
    page = isDiscord ? [] : page.slice(count);
  }

  async function failed(first: FeedEntry, attempt: Attempt, message: readonly FeedEntry[]): Promise<void> {
    const now = clock.monotonic();
    const asked = sender.askedMs(attempt);
    const isNew = failing === undefined;
    isBehind = true;
    const isRefused = "status" in attempt && format.refuses(attempt.status);
    if (isRefused) refused = refusedAgain(refused, message);
    // What is made in another way is tried soon.
    failing = failedAgain(failing, now, asked !== undefined || (isRefused && refused.cut !== undefined));
    const why = inWords(attempt);
    // The newest reason is told at once.
    if (why !== reason) tellAgain = atMostEvery(TELL_MS, clock, tellFault);
    reason = why;
    // To ask for patience is no fault, unless there is no end to it.
    if (asked === undefined || now - failing.since > TELL_MS) tellAgain(attempt);
    if (isNew) await keep(place);
    if (leftUntilGivenUp(failing, now) <= 0) return giveUp();
    waitedFor = first.id;
    // What the feed no longer holds by then is not sent.
    page = [];
    await rest(waitBefore(failing, asked, deps.random()));
  }

  async function step(): Promise<void> {
    const [first] = page;
    if (first === undefined) return readOn();
    const waitMs = failing === undefined && waitedFor !== first.id ? format.waitMs(first, clock.now()) : 0;
    if (waitMs === 0) return send(first);
    waitedFor = first.id;
    await rest(waitMs);
    page = [];
  }

  async function run(): Promise<void> {
    while (!isStopping && !isOff)
      try {
        await step();
      } catch (error) {
        log.error({ ...name, error }, "could not read what a webhook waits for");
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
      hasMore = true;
      if (resting?.isForMore) resting.end();
    },
    /** Number of events that it has still to be sent. */
    async waiting(): Promise<number> {
      const { entries } = await feed.read(place, MOST_WAITING);
      return entries.filter(isWanted).length;
    },
    /** For how long it has taken nothing, in milliseconds; 0: it works. */
    failingMs: () => (failing === undefined ? 0 : clock.monotonic() - failing.since),
    /** Why the last attempt has failed; undefined: it works, or none was made since the start. */
    reason: () => reason,
    /** Events that it refused for good and that were left out since the start, by who has written them. */
    leftOut: () => out,
    /** Whether it has failed for so long that it is left alone until the next start. */
    isOff: () => isOff,
    /** Gives what is under way a moment, and breaks it off then: it is sent again after the next start. */
    async stop(): Promise<void> {
      isStopping = true;
      resting?.end();
      const stopTimer = clock.after(LAST_MS, () => broken.abort());
      await running;
      stopTimer();
    },
  };
}

/** Since when a hook fails that did so at the last stop. One that was given up begins anew, as after the clock was set back. */
function failingAgain({ failingSince = Number.NaN }: HookState, clock: Clock): Failing | undefined {
  const failed = clock.now() - failingSince;
  return failed >= 0 && failed < GIVE_UP_MS ? { since: clock.monotonic() - failed, tries: 0 } : undefined;
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
