import type { Client, Result } from "../../client/index.ts";
import { serverInAddress } from "../platform/address.ts";
import { ANSWER_MS, client, clientOf } from "./service.ts";

/** Older early answers are not used, in milliseconds. */
const FRESH_MS = 5_000;

/** Makes a call immediately; its response is for the first caller, unless it is old or missing. */
function early<T>(call: () => Promise<Result<T>>): () => Promise<Result<T>> {
  let first: Promise<Result<T>> | undefined = call();
  setTimeout(() => {
    first = undefined;
  }, FRESH_MS);
  return async () => {
    const answer = await first;
    first = undefined;
    return answer?.ok || answer?.status ? answer : call();
  };
}

/** The calls for the figures of a game server. */
type FigureCalls = ReturnType<typeof figureCalls>;

const figureCalls = (of: Client, begin: typeof early) => ({
  status: begin(() => of.status({ timeoutMs: ANSWER_MS })),
  players: begin(() => of.players({ timeoutMs: ANSWER_MS })),
  // Not needed for the first content.
  history: () => of.history({ timeoutMs: ANSWER_MS }),
});

/**
 * The first game server is called before the page knows its settings. Where the address names a game server, the page first has to
 * know whether it exists.
 */
const ofFirst = figureCalls(client, serverInAddress() === null ? early : call => call);
const ofOthers = new Map<string, FigureCalls>();

/** The calls of a game server, one object for each. `name`: of one other than the first. */
export function figureCallsOf(name: string | undefined): FigureCalls {
  if (name === undefined) return ofFirst;
  const calls = ofOthers.get(name) ?? figureCalls(clientOf(name), call => call);
  ofOthers.set(name, calls);
  return calls;
}
