import { readFileSync } from "node:fs";

/**
 * Descriptors that the process needs besides the connections of the public listener: 32 past its limit for the health check, some
 * 100 for the bridge listener, 50 for webhooks, and store, log and Redis.
 */
const RESERVED = 220;

/** How many connections the text of `/proc/self/limits` allows; undefined: not known. */
export function connectionsFor(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Math.max(1, Number(soft) - RESERVED);
}

/** How many connections this process may have; undefined: not known, as outside of Linux. */
export function possibleConnections(): number | undefined {
  try {
    return connectionsFor(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return undefined;
  }
}
