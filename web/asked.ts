import type { Result } from "../client/index.ts";
import { ANSWER_MS, client } from "./service.ts";

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

/** What the page shows first of the game: nobody waits for these answers until the page knows what it is called. */
export const asked = {
  status: early(() => client.status({ timeoutMs: ANSWER_MS })),
  players: early(() => client.players({ timeoutMs: ANSWER_MS })),
  history: early(() => client.history({ timeoutMs: ANSWER_MS })),
};
