import { ownSurroundings, type Surroundings, systemTimers, type Timers } from "./platform.ts";

/**
 * `connecting`: the first or a new attempt is under way; `open`: it is connected; `waiting`: the next attempt comes at
 * `retryAt`, in milliseconds since 1970; `resting`: closed until the page is seen again; `closed`: by `close`, for good.
 */
export type ConnectionState =
  | { is: "connecting" }
  | { is: "open" }
  | { is: "waiting"; retryAt: number }
  | { is: "resting" }
  | { is: "closed" };

export interface ConnectionOptions {
  /** address of the service, also below a path; the page's own origin when it is left out, as is `url` */
  base?: string;
  /** how often the service gives a sign of life, in milliseconds; 2.5 of them without one, and the connection is made anew */
  heartbeatMs?: number;
  /** longest wait before the first new attempt and before any, in milliseconds; it doubles in between */
  firstDelayMs?: number;
  longestDelayMs?: number;
  timers?: Timers;
  /** from 0 up to 1, instead of `Math.random` */
  random?: () => number;
  /** instead of the page's own events */
  surroundings?: Surroundings;
}

/** An attempt to connect, and the connection that it became. Nothing that it tells counts once another has begun. */
export interface Attempt {
  /** when an attempt before it had a sign of life last, in milliseconds since 1970 */
  readonly heardBefore: number | undefined;
  opened(): void;
  /** A sign of life. `isLasting`: one that says that it is a good connection, after which waits begin short again. */
  heard(isLasting: boolean): void;
  /** The service says how often it gives a sign of life, in milliseconds. */
  beats(everyMs: number): void;
  /** It could not be had or has ended; the service wants to be left alone for `atLeastMs`. */
  lost(atLeastMs?: number): void;
}

const MISSED_HEARTBEATS = 2.5;
/** A connection that can be asked is asked after so many milliseconds of silence, and has so many to answer. */
const QUIET_MS = 6_000;
const ANSWER_MS = 8_000;
/** The same where the system says that the network is gone: it does not know of one on the same machine. */
const OFFLINE_ANSWER_MS = 3_000;
/** A refusal that asks for more, as a proxy may, is not believed. */
const LONGEST_REFUSAL_MS = 3_600_000;
/** How long an attempt may take, in milliseconds. */
const CONNECT_MS = 14_000;

/**
 * Begins to connect, and begins again with growing random delays whenever the connection is lost, and at once when the
 * network is back or the page is seen again. `open` begins an attempt and returns what ends it; `probe` asks for a sign of
 * life where that can be asked for. A page that nobody sees asks for none.
 */
export function keepConnected(
  options: ConnectionOptions & {
    onState?: ((state: ConnectionState) => void) | undefined;
    restsHidden?: boolean | undefined;
  },
  open: (attempt: Attempt) => () => void,
  probe?: () => void,
) {
  const { onState, restsHidden, timers = systemTimers, random = Math.random } = options;
  const { heartbeatMs = 20_000, firstDelayMs = 1_000, longestDelayMs = 30_000 } = options;
  const { surroundings = ownSurroundings } = options;
  let silenceMs = heartbeatMs * MISSED_HEARTBEATS;
  let state: ConnectionState = { is: "closed" };
  let failures = 0;
  /** when there was a sign of life last */
  let heardAt: number | undefined;
  /** whether an answer is waited for */
  let isAsked = false;
  /** cancels the wait for the next attempt, or for the next sign of life */
  let cancel = (): void => undefined;
  let end = (): void => undefined;
  let lost = (_atLeastMs?: number): void => undefined;

  function enter(next: ConnectionState): void {
    state = next;
    onState?.(next);
  }

  function wait(ms: number, callback: () => void): void {
    cancel();
    cancel = timers.after(ms, callback);
  }

  function drop(): void {
    cancel();
    isAsked = false;
    const ending = end;
    end = () => undefined;
    ending();
  }

  function begin(): void {
    drop();
    if (restsHidden && surroundings.isHidden()) enter({ is: "resting" });
    else attempt();
  }

  const isSilent = (): boolean => timers.now() - (heardAt ?? 0) > silenceMs;

  /** An answer has to come from now on. */
  function expectAnswer(withinMs = ANSWER_MS): void {
    if (isAsked) return;
    isAsked = true;
    wait(withinMs, () => lost());
  }

  function ask(): void {
    // So late only after a sleep.
    if (isSilent()) begin();
    else if (surroundings.isHidden()) wait(Math.max(0, silenceMs - QUIET_MS), () => lost());
    else {
      probe?.();
      expectAnswer();
    }
  }

  function listen(): void {
    isAsked = false;
    if (probe && QUIET_MS < silenceMs) wait(QUIET_MS, ask);
    else wait(silenceMs, () => lost());
  }

  function attempt(): void {
    enter({ is: "connecting" });
    silenceMs = heartbeatMs * MISSED_HEARTBEATS;
    let isOver = false;
    let close = (): void => undefined;
    end = () => {
      isOver = true;
      close();
    };
    lost = (atLeastMs = 0) => {
      if (isOver) return;
      drop();
      const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** failures++);
      const delay = Math.min(atLeastMs, LONGEST_REFUSAL_MS) + Math.round(random() * ceiling);
      enter({ is: "waiting", retryAt: timers.now() + delay });
      wait(delay, begin);
    };
    wait(Math.min(CONNECT_MS, silenceMs), () => lost());
    try {
      close = open({
        heardBefore: heardAt,
        opened: () => isOver || enter({ is: "open" }),
        heard(isLasting) {
          if (isOver) return;
          heardAt = timers.now();
          if (isLasting) failures = 0;
          listen();
        },
        beats(everyMs) {
          if (!isOver) silenceMs = everyMs * MISSED_HEARTBEATS;
        },
        lost,
      });
    } catch {
      lost();
    }
  }

  function look(): void {
    if (state.is === "open" && !isSilent()) {
      if (probe) ask();
    } else if (state.is !== "connecting") begin();
  }

  const deafen = surroundings.listen(what => {
    if (what === "online") begin();
    else if (what === "seen") look();
    else if (what === "hidden") restsHidden && begin();
    else if (state.is === "open" && !surroundings.isHidden()) {
      probe?.();
      isAsked = false;
      expectAnswer(probe ? OFFLINE_ANSWER_MS : silenceMs / 2);
    }
  });
  begin();
  return {
    state: () => state,
    expectAnswer,
    /** Does not wait for the next attempt. */
    retryNow(): void {
      if (state.is === "waiting") begin();
    },
    /** Begins anew, unless it was ended. */
    reconnect(): void {
      if (state.is !== "closed") begin();
    },
    /** Ends it for good. */
    close(): void {
      deafen();
      drop();
      enter({ is: "closed" });
    },
  };
}
