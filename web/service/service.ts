import { type Client, createClient } from "../../client/index.ts";

/** Where the service is from here: a page that lies deeper says so in its head. */
const PLACE = document.querySelector<HTMLMetaElement>('meta[name="service"]')?.content ?? ".";

/** Address of the service, with a slash at its end: the page is served by it, maybe below a path. */
export const BASE = new URL(PLACE, location.href).href;

/** How long an answer may take, in milliseconds: two round trips in a slow network, and what sets up a connection. */
export const ANSWER_MS = 8_000;
/** Sooner no answer is overdue, in milliseconds. */
const SOON_MS = 2_000;
/** How much of the longest time that an answer took counts the next time: networks become better, too. */
const FADING = 0.9;

/** How long the answers to this page take, in milliseconds: at first as long as it took itself. */
let usualMs = performance
  .getEntriesByType("navigation")
  .reduce((ms, entry) => (entry instanceof PerformanceNavigationTiming ? entry.responseStart : ms), 0);

/** After so many milliseconds an answer is overdue, as long as they take here. */
export const overdueMs = (): number => Math.min(ANSWER_MS, Math.max(SOON_MS, 2 * usualMs));

export const client = createClient({
  base: BASE,
  async fetch(url, init) {
    const begun = performance.now();
    // What a cache holds may be an interval old; asking whether it has changed costs next to nothing.
    const answer = await fetch(url, { ...init, cache: "no-cache" });
    // Others wait for the game, or for a player.
    if (init.method === "GET") usualMs = Math.max(performance.now() - begun, usualMs * FADING);
    return answer;
  },
});

const others = new Map<string, Client>();
/** The same each time. `name`: of a game server beside the first one. */
export function clientOf(name: string | undefined): Client {
  if (name === undefined) return client;
  const of = others.get(name) ?? client.server(name);
  others.set(name, of);
  return of;
}
