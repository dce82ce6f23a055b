import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// Own connections: looks at the head of an answer that is a stream, and at upgrades that are refused; all else is checked.

let side: TestSidecar;
beforeEach(async () => {
  side = await startTestSidecar({ yaml: "modules: {api: {limits: {requests-per-minute: 2}}}" });
});
afterEach(() => side.stop());

/** The status of an answer, and whether it says when it was made. */
async function asked(path: string, headers: Record<string, string> = {}): Promise<[number, boolean]> {
  const req = request(`${side.base}${path}`, { headers, agent: false });
  req.end();
  const [answer] = (await once(req, "response")) as [IncomingMessage];
  req.destroy();
  return [answer.statusCode ?? 0, Math.abs(Date.now() - Date.parse(answer.headers.date ?? "")) < 3_600_000];
}

it("streams, and requests for one that are refused, say when they were answered, as all answers do", async () => {
  expect(await asked("/events")).toEqual([200, true]);
  expect(await asked("/healthz")).toEqual([200, true]);
  expect(await asked("/events")).toEqual([429, true]);
  expect(await asked("/healthz")).toEqual([429, true]);
});

it("refused handshakes of a WebSocket say when they were answered", async () => {
  const handshake = { Connection: "Upgrade", Upgrade: "websocket" };
  expect(await asked("/nothing", handshake)).toEqual([404, true]);
});
