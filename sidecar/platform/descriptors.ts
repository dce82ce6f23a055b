import { executionAsyncResource } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { isatty } from "node:tty";

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

/** How many connections this process can have; undefined: not known, for example outside Linux. */
export function possibleConnections(): number | undefined {
  try {
    return connectionsFor(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return undefined;
  }
}

const STREAMS = [0, 1, 2];

/** Whether the terminal of this process has been closed. */
export function createTerminalCheck(): () => boolean {
  const isThere = (): boolean => STREAMS.some(stream => isatty(stream));
  const wasThere = isThere();
  return () => wasThere && !isThere();
}

/** Keeps the hidden class in V8. */
const resources: object[] = [];

/**
 * Keeps one of the objects that Node makes for each `process.nextTick`. In an idle process V8 frees the hidden class of such
 * objects. Node's code for `nextTick`, of which each HTTP answer needs several, is deoptimised then: an answer took 1.3 to 1.5
 * times the CPU in a sidecar that had ever been idle for 10 s. (In profiles of Node 20 that is
 * `Runtime_DefineKeyedOwnPropertyInLiteral`.)
 */
export function keepTicksFast(): void {
  process.nextTick(() => resources.push(executionAsyncResource()));
}
