import { type Client, createClient } from "../../client/index.ts";

/** Address of the service relative to the page, which a page in a folder has in its head. */
const PLACE = document.querySelector<HTMLMetaElement>('meta[name="service"]')?.content ?? ".";

/** Address of the service, with a slash at its end: it serves the page, perhaps below a path. */
export const BASE = new URL(PLACE, location.href).href;

/** How long an answer may take, in milliseconds: two round trips in a slow network, and those that open a connection. */
export const ANSWER_MS = 8_000;
/** The least time after which an answer is overdue, in milliseconds. */
const MIN_OVERDUE_MS = 2_000;
/** Factor by which the longest answer time decays with each answer: networks recover, too. */
const DECAY = 0.9;

/** How long answers take here, in milliseconds: at first as long as the page itself took. */
let usualMs = performance
  .getEntriesByType("navigation")
  .reduce((ms, entry) => (entry instanceof PerformanceNavigationTiming ? entry.responseStart : ms), 0);

/** After how many milliseconds an answer is overdue, judged by the answers so far. */
export const overdueMs = (): number => Math.min(ANSWER_MS, Math.max(MIN_OVERDUE_MS, 2 * usualMs));

export const client = createClient({
  base: BASE,
  async fetch(url, init) {
    const begun = performance.now();
    // A cached answer may be an interval old; revalidation costs next to nothing.
    const answer = await fetch(url, { ...init, cache: "no-cache" });
    // Other methods wait for the game, or for a player.
    if (init.method === "GET") usualMs = Math.max(performance.now() - begun, usualMs * DECAY);
    return answer;
  },
});

const others = new Map<string, Client>();
/** The client of a game server, one object for each. `name`: of one other than the first. */
export function clientOf(name: string | undefined): Client {
  if (name === undefined) return client;
  const found = others.get(name) ?? client.server(name);
  others.set(name, found);
  return found;
}
