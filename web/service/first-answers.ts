import type { Client, Result } from "../../client/index.ts";
import { namedServer } from "../platform/address.ts";
import { ANSWER_MS, client, clientOf } from "./service.ts";

/** Figures that were asked for longer ago are asked for again, in milliseconds. */
const FRESH_MS = 5_000;

/** A call whose first answer is asked for at once, and serves whoever calls soon, unless nobody has answered. */
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

/** What the page asks of a game server to show it. */
type Asked = ReturnType<typeof askedOf>;

const askedOf = (of: Client, begin: typeof early) => ({
  status: begin(() => of.status({ timeoutMs: ANSWER_MS })),
  players: begin(() => of.players({ timeoutMs: ANSWER_MS })),
  history: begin(() => of.history({ timeoutMs: ANSWER_MS })),
});

/**
 * What the page shows first of the game: nobody waits for these answers until the page knows what it is called. Where its address
 * names a game server, the page first has to know whether there is one.
 */
const ofFirst = askedOf(client, namedServer() === null ? early : call => call);
const ofOthers = new Map<string, Asked>();

/** The same calls each time. `name`: of a game server beside the first one. */
export function asked(name: string | undefined): Asked {
  if (name === undefined) return ofFirst;
  const calls = ofOthers.get(name) ?? askedOf(clientOf(name), call => call);
  ofOthers.set(name, calls);
  return calls;
}
