import type { Server, ServerResponse } from "node:http";
import { Server as TcpServer } from "node:net";
import type { Clock } from "../../../platform/clock.ts";
import { endConnectionAfter } from "./server.ts";

/** How often open connections are checked, in milliseconds. */
const CHECK_MS = 50;
/** Longest turn of the event loop that counts as idle, and how long to wait for one, in milliseconds. */
const QUICK_MS = 0.2;
const BUSY_MS = 500;
/** Time without requests after which the server stops to listen and closes idle connections, in milliseconds. */
const QUIET_MS = 250;

/** Stops a server without disconnecting clients during a response. */
export function createDrain(
  { server, underWay }: { server: Server; underWay(): ServerResponse[] },
  clock: Clock,
) {
  /**
   * Stops listening once the accept queue is empty, since the system would reset connections in it. A turn
   * of the event loop accepts one; a quick turn that accepts none leaves hardly time for another.
   */
  function endListening(ended: () => void): void {
    const begun = clock.monotonic();
    let taken = 0;
    server.on("connection", () => taken++);
    const look = (before: number, last: number): void => {
      const now = clock.monotonic();
      const quick = now - last < QUICK_MS || now - begun > BUSY_MS;
      // The method of the HTTP server would also close idle connections.
      if ((taken === before && quick) || now - begun > 2 * BUSY_MS)
        TcpServer.prototype.close.call(server, ended);
      else lookSoon(taken, now);
    };
    const lookSoon = (before: number, last: number): void => clock.soon(() => look(before, last));
    lookSoon(taken, begun);
  }

  return {
    /**
     * Makes each response that has not begun the last one of its connection. Once no request has arrived for a while, since one
     * may be in transit, or half of the time has passed, no more connections are accepted, and those without a request are closed.
     * Resolves when all are closed. After `withinMs` milliseconds the others are reset.
     */
    async close(withinMs: number): Promise<void> {
      const begun = clock.monotonic();
      let lastRequest = begun;
      for (const res of underWay()) endConnectionAfter(res);
      server.prependListener("request", (_req, res) => {
        lastRequest = clock.monotonic();
        endConnectionAfter(res);
      });
      await new Promise<void>(resolve => {
        const end = (): void => {
          stopChecking();
          cancel();
          resolve();
        };
        let listening = true;
        const closeQuiet = (): void => {
          const now = clock.monotonic();
          const quiet = now - lastRequest >= QUIET_MS;
          if (listening && (quiet || now - begun >= withinMs / 2)) {
            listening = false;
            endListening(end);
          }
          if (quiet) server.closeIdleConnections();
        };
        // After received data has been read.
        const stopChecking = clock.every(CHECK_MS, () => clock.soon(closeQuiet));
        const cancel = clock.after(withinMs, () => {
          server.closeAllConnections();
          // This does not close connections that have switched to another protocol; the stop does not wait for them.
          end();
        });
      });
      // Also stops the server's timers.
      server.close();
    },
  };
}
