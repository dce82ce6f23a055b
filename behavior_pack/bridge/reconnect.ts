import type { Endpoint } from "../ports.ts";
import type { Failure } from "./requests.ts";

/** Wait after the first failure, in ticks. */
const FIRST_WAIT_TICKS = 4;

/** Longest wait after a rejected request, in ticks: 15 s. */
export const MAX_WAIT_TICKS = 300;

/** Longest wait for a sidecar that may be back at any moment, in ticks: 1.5 s. */
export const MAX_AWAY_WAIT_TICKS = 30;

/** Wait before the next hello after another game server has taken over, in ticks: 60 s. */
export const REPLACED_WAIT_TICKS = 1200;

/** Wait while sidecars cannot reach the storage that they share, in ticks. */
const STORAGE_WAIT_TICKS = 10;

/**
 * Ticks to wait after the given number of failures in a row: doubles from 4, plus or minus a random quarter, at most
 * `max`. `random` returns a number from 0 up to 1.
 */
export function waitTicks(failures: number, random: () => number, max = MAX_WAIT_TICKS): number {
  const base = FIRST_WAIT_TICKS * 2 ** Math.min(Math.max(failures, 1) - 1, 16);
  const spread = Math.min(base, max) * (0.75 + 0.5 * random());
  return Math.min(Math.max(Math.round(spread), 1), max);
}

/** Codes of failures that mean the sidecar has ended, or was restarted. */
const RESTARTED: readonly Failure["code"][] = ["no_answer", "other_status", "unknown_session"];

/** One object for each session: answers to requests of any other session are ignored. */
export interface Session {
  readonly id: string;
  /** `id` as JSON */
  readonly json: string;
  /** where its requests go: the endpoint that answered the last hello */
  endpoint: Endpoint;
  /** `seq` of the last action taken */
  after: number;
  /** whether a poll is open */
  polling: boolean;
  /** whether a request with facts or bans is open */
  sending: boolean;
}

/** A session lives on while a hello is due: its open requests still count, and the sidecar may resume it. */
export type ConnectionState =
  /** the next hello is due at tick `until` */
  | { is: "waiting"; until: number; session: Session | undefined }
  /** a hello is open */
  | { is: "greeting"; session: Session | undefined }
  /** the sidecar knows the session; no poll is sent before tick `pollAt`, and no facts before `factsAt` */
  | { is: "live"; session: Session; pollAt: number; factsAt: number }
  /** another game server has taken over: the next hello is due at tick `until` */
  | { is: "replaced"; until: number }
  | { is: "stopped" };

export type RequestKind = "hello" | "poll" | "facts";

/** A request that failed. */
export interface FailedRequest {
  kind: RequestKind;
  code: Failure["code"];
  /** requests of this kind that failed in a row, with this one */
  failures: number;
  tick: number;
  /** a number from 0 up to 1 */
  random(): number;
}

/** The current session, or the one that may be resumed. */
export const sessionOf = (state: ConnectionState): Session | undefined =>
  "session" in state ? state.session : undefined;

/** The state after a failed request. After one lost poll or facts request, that request is sent again without a hello. */
export function afterFailure(state: ConnectionState, failed: FailedRequest): ConnectionState {
  const { kind, code, failures, tick } = failed;
  const isReplaced = code === "session_replaced";
  const isUnknown = isReplaced || code === "unknown_session";
  const until = tick + waitAfter(failed);
  const next = (from: number, session: Session | undefined): ConnectionState =>
    isReplaced
      ? { is: "replaced", until: Math.max(from, until) }
      : { is: "waiting", until: Math.max(from, until), session: isUnknown ? undefined : session };
  switch (state.is) {
    case "waiting":
      return next(state.until, state.session);
    case "greeting":
      if (kind === "hello") return next(until, state.session);
      // The answer to the hello decides.
      return isUnknown ? { is: "greeting", session: undefined } : state;
    case "live": {
      const isFinal = isUnknown || code === "unauthorized" || code === "wire_mismatch";
      if (isFinal || (failures > 1 && code !== "storage_away")) return next(until, state.session);
      return kind === "poll" ? { ...state, pollAt: until } : { ...state, factsAt: until };
    }
    case "replaced":
    case "stopped":
      return state;
  }
}

function waitAfter({ code, failures, random }: FailedRequest): number {
  if (code === "session_replaced") return REPLACED_WAIT_TICKS;
  if (code === "storage_away") return STORAGE_WAIT_TICKS;
  // The first hello to a restarted sidecar is sent at once.
  if (code === "unknown_session" && failures === 1) return 0;
  return waitTicks(failures, random, RESTARTED.includes(code) ? MAX_AWAY_WAIT_TICKS : undefined);
}

/** The state after the answer to a hello: the session with this id is resumed, any other one is dropped. */
export function afterHello(
  state: ConnectionState,
  id: string,
  endpoint: Endpoint,
  tick: number,
): Extract<ConnectionState, { is: "live" }> {
  const known = sessionOf(state);
  const session =
    known?.id === id
      ? known
      : { id, json: JSON.stringify(id), endpoint, after: 0, polling: false, sending: false };
  session.endpoint = endpoint;
  return { is: "live", session, pollAt: tick, factsAt: tick };
}
