import type { Server } from "node:http";
import type { Clock } from "../ports.ts";

/** How long requests that are being answered may take when the server stops, in milliseconds. */
const DRAIN_TIMEOUT_MS = 5_000;
/** How often connections are closed whose request has been answered since, in milliseconds. */
const IDLE_CHECK_MS = 50;

/**
 * Makes a server stop without cutting off anybody: `close` lets requests finish that are being answered, closes
 * their connections after that, and resolves when all are gone.
 */
export function drainable(server: Server, clock: Clock): { close(): Promise<void> } {
  let draining = false;
  server.prependListener("request", (_req, res) => {
    if (draining) res.setHeader("Connection", "close");
  });
  return {
    close: () =>
      new Promise(resolve => {
        draining = true;
        const stopChecking = clock.every(IDLE_CHECK_MS, () => server.closeIdleConnections());
        const cancel = clock.after(DRAIN_TIMEOUT_MS, () => {
          server.closeAllConnections();
          // Connections that are no longer of HTTP are not closed by that; the stop does not wait for them.
          stopChecking();
          resolve();
        });
        server.close(() => {
          stopChecking();
          cancel();
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
