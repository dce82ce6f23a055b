import { setTimeout as delay } from "node:timers/promises";
import type { Page, Response } from "playwright-core";
import { noting } from "../../test/helpers/breaches.ts";
import { contractOf } from "../../test/helpers/contract.ts";

/** Longest wait for pending bodies, in milliseconds: one that the page never reads may never arrive. */
const READ_TIMEOUT_MS = 2_000;

/**
 * Checks every response that a page gets from the service at `base()`, and every message of its WebSockets, against the API
 * description; a breach fails the test when it ends. Returns a function that waits for the bodies so far: call it while the page
 * is open.
 */
export function watch(page: Page, base: () => string): () => Promise<void> {
  const isOurs = (url: string): boolean => new URL(url).host === new URL(base()).host;
  const reading = new Set<Promise<void>>();
  page.on("response", response => {
    if (!isOurs(response.url())) return;
    const read = check(response).finally(() => reading.delete(read));
    reading.add(read);
  });
  page.on("websocket", socket => {
    if (!isOurs(socket.url())) return;
    const contract = contractOf(socket.url());
    socket.on("framereceived", ({ payload }) => noting(() => contract.fromService(payload.toString())));
    socket.on("framesent", ({ payload }) =>
      noting(() => {
        if (!contract.fromClient(payload.toString())) throw new Error(`a page may not send ${payload}`);
      }),
    );
  });
  return async () => {
    await Promise.race([Promise.all(reading), delay(READ_TIMEOUT_MS)]);
  };
}

async function check(response: Response): Promise<void> {
  const url = response.url();
  const contract = contractOf(url);
  const headers = response.headers();
  // A stream has no end, and a page that is closed or goes elsewhere lets go of bodies that are on their way.
  const isStream = headers["content-type"] === "text/event-stream";
  const read = isStream ? undefined : response.text().catch(() => undefined);
  const text = response.status() === 304 ? "" : await read;
  noting(() =>
    contract.answer({
      method: response.request().method(),
      path: new URL(url).pathname,
      status: response.status(),
      header: name => headers[name.toLowerCase()] ?? null,
      text,
    }),
  );
}
