import { LONGEST_AWAY_TICKS, waitTicks } from "../backoff.ts";
import type { Failure } from "../calls.ts";
import type { Endpoint } from "../ports.ts";

/** Wait before the next hello after another game server has taken over, in ticks: 60 s. */
export const REPLACED_WAIT_TICKS = 1200;

/** Wait while sidecars cannot reach what they share, in ticks. */
const AWAY_WAIT_TICKS = 10;

/** What comes of requests to a sidecar that has ended, or to the one that was started in its place. */
const ENDED: readonly Failure["code"][] = ["no_answer", "other_status", "unknown_session"];

/** One object for each session: the answer to a request of any other one is of no interest. */
export interface Session {
  readonly id: string;
  /** `id` as JSON */
  readonly json: string;
  /** where its requests go: where the last hello was answered */
  endpoint: Endpoint;
  /** `seq` of the last action taken */
  after: number;
  /** whether a poll is open */
  polling: boolean;
  /** whether a request with facts is open */
  sending: boolean;
}

/** A session lives on while a hello is due: what is open in it still counts, and the sidecar may continue it. */
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

/** A request that came to nothing. */
export interface FailedRequest {
  kind: RequestKind;
  code: Failure["code"];
  /** requests of this kind that failed in a row, with this one */
  failures: number;
  tick: number;
  /** a number from 0 up to 1 */
  random(): number;
}

/** The session that there is, or that may be continued. */
export const sessionOf = (state: ConnectionState): Session | undefined =>
  "session" in state ? state.session : undefined;

/** The state after a request that failed. A single poll or request with facts that got lost is sent again. */
export function afterFailure(state: ConnectionState, failed: FailedRequest): ConnectionState {
  const { kind, code, failures, tick } = failed;
  const replaced = code === "session_replaced";
  const forgotten = replaced || code === "unknown_session";
  const until = tick + wait(failed);
  const next = (from: number, session: Session | undefined): ConnectionState =>
    replaced
      ? { is: "replaced", until: Math.max(from, until) }
      : { is: "waiting", until: Math.max(from, until), session: forgotten ? undefined : session };
  switch (state.is) {
    case "waiting":
      return next(state.until, state.session);
    case "greeting":
      if (kind === "hello") return next(until, state.session);
      // The answer to the hello decides.
      return forgotten ? { is: "greeting", session: undefined } : state;
    case "live":
      if (
        forgotten ||
        code === "unauthorized" ||
        code === "wire_mismatch" ||
        (failures > 1 && code !== "storage_away")
      )
        return next(until, state.session);
      return kind === "poll" ? { ...state, pollAt: until } : { ...state, factsAt: until };
    case "replaced":
    case "stopped":
      return state;
  }
}

function wait({ code, failures, random }: FailedRequest): number {
  if (code === "session_replaced") return REPLACED_WAIT_TICKS;
  if (code === "storage_away") return AWAY_WAIT_TICKS;
  // A sidecar that was started again is no failure: the first hello to it comes at once.
  if (code === "unknown_session" && failures === 1) return 0;
  return waitTicks(failures, random, ENDED.includes(code) ? LONGEST_AWAY_TICKS : undefined);
}

/** The state after the answer to a hello: the session of this id goes on, any other one is left. */
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
