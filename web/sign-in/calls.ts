import { ERROR_CODES, type ErrorCode } from "../../client/index.ts";
import type { SignInEnd, SignInState } from "../../client/types.ts";
import { ANSWER_MS } from "../service.ts";

/** How long asking a player may take, in milliseconds: the service waits for the game. */
const ASK_MS = 12_000;

export type Answered<T> = { value: T } | { code: ErrorCode; retryAfter?: number };

/** Calls of this sign-in, below the address of the page. */
async function call<T>(name: string, body?: object): Promise<Answered<T>> {
  try {
    const answer = await fetch(`${location.pathname}/${name}`, {
      method: body ? "POST" : "GET",
      cache: "no-cache",
      ...(body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
      signal: AbortSignal.timeout(name === "player" ? ASK_MS : ANSWER_MS),
    });
    const value = await answer.json();
    if (answer.ok) return { value };
    const code = value.status === "already_pending" ? value.status : value.error;
    const wait = answer.headers.get("Retry-After");
    return {
      code: [...ERROR_CODES, "already_pending" as const].find(known => known === code) ?? "unknown",
      ...(wait !== null && { retryAfter: Number(wait) }),
    };
  } catch {
    return { code: "unreachable" };
  }
}

export const readState = (): Promise<Answered<SignInState>> => call("state");
export const askPlayer = (username: string): Promise<Answered<unknown>> => call("player", { username });
export const goOnAs = (uuid: string): Promise<Answered<SignInEnd>> => call("go-on", { uuid });
export const endSilently = (): Promise<Answered<SignInEnd>> => call("silent", {});
export const cancel = (): Promise<Answered<SignInEnd>> => call("cancel", {});
