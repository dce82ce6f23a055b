import { bridgeError } from "../shared/frames.ts";
import type { Guard } from "../shared/guard.ts";
import type { Reply } from "./requests.ts";

/** Why a request came to nothing. */
export interface Failure {
  /** HTTP status, 0 when there was no usable answer */
  status: number;
  /** code of the sidecar, name of the error, or what is wrong with the answer */
  why: string;
  /** side to update, on a refused version */
  update?: string;
  /** the answer came but has not the agreed shape */
  malformed?: boolean;
}

/** Reads an answer; what does not pass the guard is a failure. */
export function readReply<T>(reply: Reply, guard: Guard<T>): { value: T } | { failure: Failure } {
  if ("lost" in reply) return { failure: { status: 0, why: reply.lost } };
  const value = parse(reply.body);
  if (reply.status !== 200) return { failure: refusal(reply.status, value) };
  const fault = guard(value);
  return fault === undefined
    ? { value: value as T }
    : { failure: { status: 0, why: `malformed answer, ${fault}`, malformed: true } };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function refusal(status: number, value: unknown): Failure {
  if (bridgeError(value) !== undefined) return { status, why: `status ${status}` };
  const { error, detail, update } = value as { error: string; detail?: string; update?: string };
  const why = detail === undefined ? error : `${error}, ${detail}`;
  return update === undefined ? { status, why } : { status, why, update };
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

/** The failure in words, with what to do where that is known. */
export function inWords(failure: Failure): string {
  const hint = HINTS[failure.why];
  return hint === undefined ? failure.why : `${failure.why}: ${hint}`;
}
