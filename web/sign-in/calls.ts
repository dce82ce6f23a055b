import { createRequests } from "../../client/request.ts";
import type { Result, SignInEnd, SignInState } from "../../client/types.ts";
import { ANSWER_MS } from "../service/service.ts";

/** How long a request in the game may take, in milliseconds: the service itself waits 10 s for the game. */
const PLAYER_MS = 12_000;

/** Calls that the service has for this page alone, below its address. */
const { call } = createRequests({
  base: location.pathname,
  timeoutMs: ANSWER_MS,
  fetch: (url, init) => fetch(url, { ...init, cache: "no-store" }),
});

export const state = (): Promise<Result<SignInState>> => call("/state");
/** Sends a request to the online player of exactly this name. */
export const player = (username: string): Promise<Result<object>> =>
  call("/player", { body: { username }, timeoutMs: PLAYER_MS });
/** Returns to the site as this player, whose name the page has shown. */
export const goOn = (uuid: string): Promise<Result<SignInEnd>> => call("/go-on", { body: { uuid } });
export const silent = (): Promise<Result<SignInEnd>> => call("/silent", { body: {} });
export const cancel = (): Promise<Result<SignInEnd>> => call("/cancel", { body: {} });
