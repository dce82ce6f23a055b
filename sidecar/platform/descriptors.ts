import { readFileSync } from "node:fs";

/**
 * Descriptors that the process needs besides the connections of the public listener: 32 past its limit for the health check, some
 * 100 for the bridge listener, 50 for webhooks, and store, log and Redis.
 */
const KEPT = 220;

/** How many connections there may be where the system lets the process have so many descriptors; undefined: not known. */
export function connectionsFor(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Math.max(1, Number(soft) - KEPT);
}

/** The same for this process, which only Linux tells. */
export function possibleConnections(): number | undefined {
  try {
    return connectionsFor(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return undefined;
  }
}
