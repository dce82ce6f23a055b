import { browserPage, type PageState, systemTimers, type Timers } from "./platform.ts";

/**
 * `waiting`: the next attempt is at `retryAt`, in milliseconds since 1970; `resting`: closed until the page is visible again;
 * `closed`: by `close`, permanently.
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
  /** interval of the service's heartbeats, in milliseconds; after 2.5 of them without one it reconnects */
  heartbeatMs?: number;
  /** longest delay before the first new attempt and before any, in milliseconds; it doubles in between */
  firstDelayMs?: number;
  longestDelayMs?: number;
  timers?: Timers;
  /** called instead of `Math.random` */
  random?: () => number;
  /** used instead of the page's own events */
  surroundings?: PageState;
}

/** An attempt to connect, and the resulting connection. It is ignored once another one has begun. */
export interface Attempt {
  /** when the last heartbeat of an earlier attempt came, in milliseconds since 1970 */
  readonly lastReceivedAt: number | undefined;
  opened(): void;
  /** Something was received. `isGood`: it proves a good connection, which resets the delays. */
  received(isGood: boolean): void;
  /** The service has announced its heartbeat interval, in milliseconds. */
  setHeartbeat(everyMs: number): void;
  /** It failed or has ended; the service requests a delay of `atLeastMs`. */
  lost(atLeastMs?: number): void;
}

const MISSED_HEARTBEATS = 2.5;
/** After how many milliseconds of silence a connection is probed, and how many it has to answer. */
const QUIET_MS = 6_000;
const ANSWER_MS = 8_000;
/** The time to answer while the system is offline: a service on this machine still can. */
const OFFLINE_ANSWER_MS = 3_000;
/** Longest delay that a service, or a proxy, may request. */
const MAX_RETRY_AFTER_MS = 3_600_000;
/** How long an attempt may take, in milliseconds. */
const CONNECT_MS = 14_000;

/**
 * Connects, and reconnects with growing random delays whenever the connection is lost, and immediately when the network is back or the
 * page becomes visible. `open` begins an attempt and returns what ends it; `probe` requests an answer, where the protocol can. A
 * hidden page sends no probes.
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
  const { surroundings = browserPage } = options;
  let silenceMs = heartbeatMs * MISSED_HEARTBEATS;
  let state: ConnectionState = { is: "closed" };
  let failures = 0;
  /** when something was received last */
  let lastReceivedAt: number | undefined;
  let awaitsAnswer = false;
  /** cancels the current timer: for the next attempt, heartbeat or answer */
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

  function disconnect(): void {
    cancel();
    awaitsAnswer = false;
    const ending = end;
    end = () => undefined;
    ending();
  }

  function begin(): void {
    disconnect();
    if (restsHidden && surroundings.isHidden()) enter({ is: "resting" });
    else attempt();
  }

  const isSilent = (): boolean => timers.now() - (lastReceivedAt ?? 0) > silenceMs;

  /** Data has to be received within that time. */
  function expectAnswer(withinMs = ANSWER_MS): void {
    if (awaitsAnswer) return;
    awaitsAnswer = true;
    wait(withinMs, () => lost());
  }

  function checkQuiet(): void {
    // Only after the device was asleep.
    if (isSilent()) begin();
    else if (surroundings.isHidden()) wait(Math.max(0, silenceMs - QUIET_MS), () => lost());
    else {
      probe?.();
      expectAnswer();
    }
  }

  function listen(): void {
    awaitsAnswer = false;
    if (probe && QUIET_MS < silenceMs) wait(QUIET_MS, checkQuiet);
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
      disconnect();
      const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** failures++);
      const delay = Math.min(atLeastMs, MAX_RETRY_AFTER_MS) + Math.round(random() * ceiling);
      enter({ is: "waiting", retryAt: timers.now() + delay });
      wait(delay, begin);
    };
    wait(Math.min(CONNECT_MS, silenceMs), () => lost());
    try {
      close = open({
        lastReceivedAt: lastReceivedAt,
        opened: () => isOver || enter({ is: "open" }),
        received(isGood) {
          if (isOver) return;
          lastReceivedAt = timers.now();
          if (isGood) failures = 0;
          listen();
        },
        setHeartbeat(everyMs) {
          if (!isOver) silenceMs = everyMs * MISSED_HEARTBEATS;
        },
        lost,
      });
    } catch {
      lost();
    }
  }

  function checkVisible(): void {
    if (state.is === "open" && !isSilent()) {
      if (probe) checkQuiet();
    } else if (state.is !== "connecting") begin();
  }

  const unsubscribe = surroundings.listen(what => {
    if (what === "online") begin();
    else if (what === "seen") checkVisible();
    else if (what === "hidden") restsHidden && begin();
    else if (state.is === "open" && !surroundings.isHidden()) {
      probe?.();
      awaitsAnswer = false;
      expectAnswer(probe ? OFFLINE_ANSWER_MS : silenceMs / 2);
    }
  });
  begin();
  return {
    state: () => state,
    expectAnswer,
    /** Skips the wait for the next attempt. */
    retryNow(): void {
      if (state.is === "waiting") begin();
    },
    /** Reconnects, unless it was closed. */
    reconnect(): void {
      if (state.is !== "closed") begin();
    },
    /** Closes it permanently. */
    close(): void {
      unsubscribe();
      disconnect();
      enter({ is: "closed" });
    },
  };
}
