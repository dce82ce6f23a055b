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

/** Time, so that tests can own it. */
export interface Timers {
  now(): number;
  /** calls back once after `ms` milliseconds; returns what cancels it */
  after(ms: number, callback: () => void): () => void;
}

export interface ConnectionOptions {
  /** how often the service gives a sign of life, in milliseconds; 2.5 of them without one, and the connection is made anew */
  heartbeatMs?: number;
  /** longest wait before the first new attempt and before any, in milliseconds; it doubles in between */
  firstDelayMs?: number;
  longestDelayMs?: number;
  timers?: Timers;
  /** from 0 up to 1, instead of `Math.random` */
  random?: () => number;
}

/** An attempt to connect, and the connection that it became. Nothing that it tells counts once another has begun. */
export interface Attempt {
  /** when an attempt before it had a sign of life last, in milliseconds since 1970 */
  readonly heardBefore: number | undefined;
  opened(): void;
  /** A sign of life. `isLasting`: one that says that it is a good connection, after which waits begin short again. */
  heard(isLasting: boolean): void;
  /** It could not be had or has ended; the service wants to be left alone for `atLeastMs`. */
  lost(atLeastMs?: number): void;
}

const MISSED_HEARTBEATS = 2.5;

const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** What a page has; in Node it is missing. */
const page = globalThis as {
  location?: { href: string };
  document?: EventTarget & { hidden: boolean };
  addEventListener?: EventTarget["addEventListener"];
  removeEventListener?: EventTarget["removeEventListener"];
};

/** The address of a path on the page's own origin. */
export const ownUrl = (path: string): string => new URL(path, page.location?.href).href;

/**
 * Begins to connect, and begins again with growing random delays whenever the connection is lost, and at once when the
 * network is back or the page is seen again. `open` begins an attempt and returns what ends it.
 */
export function keepConnected(
  options: ConnectionOptions & {
    onState?: ((state: ConnectionState) => void) | undefined;
    restsHidden?: boolean | undefined;
  },
  open: (attempt: Attempt) => () => void,
) {
  const { onState, restsHidden, timers = systemTimers, random = Math.random } = options;
  const { heartbeatMs = 20_000, firstDelayMs = 1_000, longestDelayMs = 30_000 } = options;
  const silenceMs = heartbeatMs * MISSED_HEARTBEATS;
  let state: ConnectionState = { is: "closed" };
  let failures = 0;
  /** when there was a sign of life last */
  let heardAt: number | undefined;
  /** cancels the wait for the next attempt, or for the next sign of life */
  let cancel = (): void => undefined;
  let end = (): void => undefined;

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
    const ending = end;
    end = () => undefined;
    ending();
  }

  function begin(): void {
    drop();
    if (restsHidden && page.document?.hidden) enter({ is: "resting" });
    else attempt();
  }

  function attempt(): void {
    enter({ is: "connecting" });
    let isOver = false;
    let close = (): void => undefined;
    end = () => {
      isOver = true;
      close();
    };
    function lost(atLeastMs = 0): void {
      if (isOver) return;
      drop();
      const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** failures++);
      const delay = atLeastMs + Math.round(random() * ceiling);
      enter({ is: "waiting", retryAt: timers.now() + delay });
      wait(delay, begin);
    }
    // A connection that never opens is given up like one that falls silent.
    wait(silenceMs, lost);
    try {
      close = open({
        heardBefore: heardAt,
        opened: () => isOver || enter({ is: "open" }),
        heard(isLasting) {
          if (isOver) return;
          heardAt = timers.now();
          if (isLasting) failures = 0;
          wait(silenceMs, lost);
        },
        lost,
      });
    } catch {
      lost();
    }
  }

  function look(): void {
    const isSilent = timers.now() - (heardAt ?? 0) > silenceMs;
    if (page.document?.hidden ? restsHidden : state.is !== "connecting" && (state.is !== "open" || isSilent))
      begin();
  }

  page.addEventListener?.("online", begin);
  page.document?.addEventListener("visibilitychange", look);
  begin();
  return {
    state: () => state,
    /** Does not wait for the next attempt. */
    retryNow(): void {
      if (state.is === "waiting") begin();
    },
    /** Ends it for good. */
    close(): void {
      page.removeEventListener?.("online", begin);
      page.document?.removeEventListener("visibilitychange", look);
      drop();
      enter({ is: "closed" });
    },
  };
}
