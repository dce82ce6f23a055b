import {
  BRIDGE_ERRORS,
  type BridgeErrorCode,
  bansAnswer,
  bridgeError,
  delivery,
  helloAnswer,
  PATHS,
} from "../../shared/frames.ts";
import { checkJson, type Guard } from "../../shared/guard.ts";
import {
  MAX_BODY_BYTES,
  MAX_REQUESTS_IN_FLIGHT,
  POLL_TIMEOUT_SECONDS,
  REQUEST_TIMEOUT_SECONDS,
} from "../../shared/limits.ts";
import type { Result } from "../../shared/result.ts";
import { utf8Bytes } from "../../shared/text.ts";
import { errorName } from "../notices.ts";
import type { Clock, Endpoint, HttpAnswer, HttpClient } from "../ports.ts";

/** A call to the sidecar, with the guard of its answer. */
export interface Call<T> {
  path: string;
  timeoutSeconds: number;
  guard: Guard<T>;
}

const call = <T>(path: string, guard: Guard<T>, timeoutSeconds = REQUEST_TIMEOUT_SECONDS): Call<T> => ({
  path,
  timeoutSeconds,
  guard,
});

export const HELLO = call(PATHS.hello, helloAnswer);
export const POLL = call(PATHS.poll, delivery, POLL_TIMEOUT_SECONDS);
export const FACTS = call(PATHS.facts, delivery);
export const BANS = call(PATHS.bans, bansAnswer);

/** Why a request failed. */
export interface Failure {
  /**
   * Error code of the sidecar; `no_answer`: none came; `malformed`: the answer does not pass its guard; `other_status`: a status
   * without a code
   */
  code: BridgeErrorCode | "no_answer" | "malformed" | "other_status";
  /** for people: name of the error and the fix, code and detail, or the problem with the answer */
  why: string;
  /** side to update, after a version mismatch */
  update?: string;
}

/** Reads an answer: its body when the status is 200, else a failure. */
export function readReply<T>(reply: Result<HttpAnswer>, guard: Guard<T>): Result<T, Failure> {
  if ("fault" in reply) return { fault: { code: "no_answer", why: withHint(reply.fault) } };
  const { status, body } = reply.value;
  if (status !== 200) return { fault: refusal(status, body) };
  const read = checkJson(guard, body);
  if ("value" in read) return read;
  return { fault: { code: "malformed", why: `malformed answer, ${read.fault}` } };
}

function refusal(status: number, body: string): Failure {
  const read = checkJson(bridgeError, body);
  if ("fault" in read) return { code: codeOf(status), why: `status ${status}` };
  const { error, detail, update } = read.value;
  const code = codeOf(status, error);
  const why = detail === undefined ? error : `${error}, ${detail}`;
  return update === undefined ? { code, why } : { code, why, update };
}

const CODES = Object.keys(BRIDGE_ERRORS) as BridgeErrorCode[];

/** The named code if it belongs to this status, else the first that does: a proxy or a newer sidecar may name another. */
function codeOf(status: number, named?: string): Failure["code"] {
  const codes = CODES.filter(code => BRIDGE_ERRORS[code] === status);
  return codes.find(code => code === named) ?? codes[0] ?? "other_status";
}

const PERMISSIONS = "permissions.json of this pack's script module";

/** How an owner fixes an error that comes from the game's configuration, by the error's name. */
const HINTS: Record<string, string> = {
  UriNotAllowedError: `list the address of bridge-url in allowed_uris of ${PERMISSIONS}`,
  TLSOnlyError: `set force_tls to false in ${PERMISSIONS}, or use an https address`,
  MalformedUriError: "correct bridge-url in variables.json",
  HttpRequestLimitExceededError: `set max_concurrent_requests to at least 3 in ${PERMISSIONS}`,
  RequestBodyTooLargeError: `set max_body_bytes to at least 65536 in ${PERMISSIONS}`,
};

function withHint(name: string): string {
  const hint = HINTS[name];
  return hint === undefined ? name : `${name}: ${hint}`;
}

/** How long after its timeout an unsettled request is abandoned, in milliseconds. */
const GRACE_MS = 10_000;

// After a long freeze the game gets this many ticks to deliver answers.
const GRACE_TICKS = 20;

/** Most bytes that a UTF-16 code unit takes in UTF-8. */
const BYTES_PER_UNIT = 3;

type Done = (reply: Result<HttpAnswer>) => void;

interface OpenRequest {
  until: number;
  untilTick: number;
  readonly done: Done;
}

const lost = (fault: string): Result<HttpAnswer> => ({ fault });

/** Copies the values of an answer, an object of the game that may be unreadable. */
function readAnswer(answer: HttpAnswer): Result<HttpAnswer> {
  try {
    const { status, body } = answer;
    return { value: { status, body } };
  } catch (error) {
    return lost(errorName(error));
  }
}

export type Requests = ReturnType<typeof createRequests>;

/** The open requests, never more than the limit. */
export function createRequests(clock: Clock, http: Pick<HttpClient, "cancelAll">) {
  const open = new Set<OpenRequest>();
  let steppedAt = 0;
  // Wall time before which no request is abandoned.
  let lateAt = Infinity;

  // A method on the request would be a reference cycle, which a reference-counting engine leaves to its collector.
  function end(request: OpenRequest, reply: Result<HttpAnswer>): void {
    if (open.delete(request)) request.done(reply);
  }

  return {
    /** Sends a body. `done` is called once, immediately if the request cannot be sent; a fault is the name of the error. */
    post(endpoint: Endpoint, path: string, body: string, timeoutSeconds: number, done: Done) {
      if (open.size >= MAX_REQUESTS_IN_FLIGHT) return done(lost("TooManyRequests"));
      if (body.length * BYTES_PER_UNIT > MAX_BODY_BYTES && utf8Bytes(body) > MAX_BODY_BYTES)
        return done(lost("BodyTooLarge"));
      const until = clock.now() + timeoutSeconds * 1000 + GRACE_MS;
      const request: OpenRequest = { until, untilTick: clock.tick() + GRACE_TICKS, done };
      open.add(request);
      lateAt = Math.min(lateAt, until);
      try {
        endpoint.post(path, body, timeoutSeconds).then(
          answer => end(request, readAnswer(answer)),
          error => end(request, lost(errorName(error))),
        );
      } catch (error) {
        end(request, lost(errorName(error)));
      }
    },
    /** Abandons overdue requests at wall time `now`. To be called every tick. */
    step(now: number) {
      const setBack = steppedAt - now;
      steppedAt = now;
      // A clock that was set back must not extend a request.
      if (setBack > 0) {
        for (const request of open) request.until -= setBack;
        lateAt -= setBack;
      }
      if (now < lateAt) return;
      const tick = clock.tick();
      const late: OpenRequest[] = [];
      lateAt = Infinity;
      for (const request of open)
        if (now >= request.until && tick >= request.untilTick) late.push(request);
        else lateAt = Math.min(lateAt, request.until);
      if (late.length === 0) return;
      // Cancels them in the game too, where they count towards its own limit.
      http.cancelAll();
      for (const request of late) end(request, lost("NoAnswer"));
    },
    inFlight: () => open.size,
  };
}
