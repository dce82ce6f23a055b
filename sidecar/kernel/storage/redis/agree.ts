import { StorageAway } from "../ports.ts";

/** How often is decided anew since somebody else was quicker. */
const MOST_TRIES = 1_000;

/**
 * Tries until nobody else was quicker, which `attempt` says by nothing; what it answers.
 * @throws StorageAway when `what` is changed by others all the time
 */
export async function untilAgreed<T>(
  what: string,
  attempt: () => Promise<{ answer: T } | undefined>,
): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const agreed = await attempt();
    if (agreed) return agreed.answer;
  }
  throw new StorageAway(`${what} is changed by others all the time`);
}
