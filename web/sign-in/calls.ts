import type { ErrorCode, Result } from "../../client/index.ts";
import { ERROR_CODES, type SignInEnd, type SignInState } from "../../client/types.ts";
import { ANSWER_MS } from "../service/service.ts";

/** Longer than that no player is waited for, in milliseconds: the service itself waits 10 s for the game. */
const PLAYER_MS = 12_000;

/** Why an answer is none; `already_pending` is no error of the service. */
function codeOf(said: { error?: unknown; status?: unknown }): ErrorCode {
  if (said.status === "already_pending") return said.status;
  return ERROR_CODES.find(known => known === said.error) ?? "unknown";
}

/** Calls what the service has for this page alone, below its address. */
async function call<T>(path: string, body?: object, timeoutMs = ANSWER_MS): Promise<Result<T>> {
  try {
    const answer = await fetch(`${location.pathname}/${path}`, {
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const value = await answer.json();
    if (answer.ok) return { ok: true, value };
    const retryAfter = Number(answer.headers.get("Retry-After") ?? -1);
    const code = codeOf(value);
    return { ok: false, status: answer.status, code, ...(retryAfter >= 0 && { retryAfter }) };
  } catch (cause) {
    return { ok: false, status: 0, code: "unreachable", cause };
  }
}

/** Where the sign-in stands. */
export const state = (): Promise<Result<SignInState>> => call("state");
/** Asks the online player of exactly this name. */
export const player = (username: string): Promise<Result<object>> => call("player", { username }, PLAYER_MS);
/** The player who was shown goes on to the site. */
export const goOn = (uuid: string): Promise<Result<SignInEnd>> => call("go-on", { uuid });
export const silent = (): Promise<Result<SignInEnd>> => call("silent", {});
export const cancel = (): Promise<Result<SignInEnd>> => call("cancel", {});
