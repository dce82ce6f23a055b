import { createClient } from "../client/index.ts";
import type { ConsoleData } from "./console-data.ts";

// What a cache holds may be an interval old; asking whether it has changed costs next to nothing.
export const client = createClient({ fetch: (url, init) => fetch(url, { ...init, cache: "no-cache" }) });

/** Asks until there is an answer. */
export async function consoleData(): Promise<ConsoleData> {
  for (;;) {
    try {
      const answer = await fetch("/console.json");
      if (answer.ok) return await answer.json();
    } catch {
      // Asked again below.
    }
    await new Promise(resolve => setTimeout(resolve, 2_000));
  }
}
