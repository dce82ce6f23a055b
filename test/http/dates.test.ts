import { beforeEach, expect, it } from "@jest/globals";
import { bytesOf, serving } from "../helpers/serving.ts";

const side = serving();
beforeEach(() => side.limits("requests-per-minute: 2"));

/** The status of an answer, and whether it says when it was made. */
async function asked(path: string, ...headers: string[]): Promise<[string | undefined, boolean]> {
  const wire = side.wire(bytesOf(`GET ${path}`, ...headers));
  const date = /^Date: (.*)\r$/m.exec(await wire.until("\r\n\r\n"))?.[1] ?? "";
  return [wire.statuses()[0], Math.abs(Date.now() - Date.parse(date)) < 3_600_000];
}

it("streams, and requests for one that are refused, say when they were answered, as all answers do", async () => {
  for (const status of ["200", "429"])
    for (const path of ["/events", "/healthz"]) expect(await asked(path)).toEqual([status, true]);
});

it("refused handshakes of a WebSocket say when they were answered", async () => {
  expect(await asked("/nothing", "Connection: Upgrade", "Upgrade: websocket")).toEqual(["404", true]);
});
