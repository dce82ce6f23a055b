import type { Server, ServerResponse } from "node:http";
import type { Clock } from "../ports.ts";

/** How long requests that are being answered may take when the server stops, in milliseconds. */
const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Makes a server stop without cutting off anybody: `close` lets requests finish that are being answered, tells their
 * connections to close after that, and resolves when all are gone.
 */
export function drainable(server: Server, clock: Clock): { close(): Promise<void> } {
  const answering = new Set<ServerResponse>();
  let draining = false;
  server.prependListener("request", (_req, res: ServerResponse) => {
    if (draining) res.setHeader("Connection", "close");
    answering.add(res);
    res.once("close", () => answering.delete(res));
  });
  return {
    close: () =>
      new Promise(resolve => {
        draining = true;
        for (const res of answering) if (!res.headersSent) res.setHeader("Connection", "close");
        const cancel = clock.after(DRAIN_TIMEOUT_MS, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
