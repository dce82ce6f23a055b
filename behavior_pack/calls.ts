import {
  BRIDGE_ERRORS,
  type BridgeErrorCode,
  bansAnswer,
  bridgeError,
  delivery,
  helloAnswer,
  PATHS,
} from "../shared/frames.ts";
import { checkJson, type Guard } from "../shared/guard.ts";
import { POLL_TIMEOUT_SECONDS, REQUEST_TIMEOUT_SECONDS } from "../shared/limits.ts";
import type { Result } from "../shared/result.ts";
import type { Answer } from "./ports.ts";

/** One of the calls to the sidecar, and what it answers. */
export interface Call<T> {
  path: string;
  timeoutSeconds: number;
  guard: Guard<T>;
}

const call = <T>(
  what: keyof typeof PATHS,
  guard: Guard<T>,
  timeoutSeconds = REQUEST_TIMEOUT_SECONDS,
): Call<T> => ({ path: PATHS[what], timeoutSeconds, guard });

export const HELLO = call("hello", helloAnswer);
export const POLL = call("poll", delivery, POLL_TIMEOUT_SECONDS);
export const FACTS = call("facts", delivery);
export const BANS = call("bans", bansAnswer);

/** Why a request came to nothing. */
export interface Failure {
  /**
   * Code of the sidecar; `no_answer`: there was none; `malformed`: one without the agreed shape; `other_status`: a
   * status that the sidecar has no code for
   */
  code: BridgeErrorCode | "no_answer" | "malformed" | "other_status";
  /** for people: name of the error with what to do, code with its detail, or what is wrong with the answer */
  why: string;
  /** side to update, on a refused version */
  update?: string;
}

/** Reads an answer: what was agreed on with status 200, or why there is nothing of that kind. */
export function readReply<T>(reply: Result<Answer>, guard: Guard<T>): Result<T, Failure> {
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

/** The code that is named, if it has this status, else the first one that has: a proxy or a newer sidecar says others. */
function codeOf(status: number, named?: string): Failure["code"] {
  const codes = CODES.filter(code => BRIDGE_ERRORS[code] === status);
  return codes.find(code => code === named) ?? codes[0] ?? "other_status";
}

const PERMISSIONS = "permissions.json of this pack's script module";

/** What an owner can do about an error that the game raises by its own configuration, by the error's name. */
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
