import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { send } from "../../lab/fuzz/client.ts";

// Own connections: its server is its own.

/** How often something happens on the stream, in milliseconds: the client is quiet for longer. */
const OFTEN_MS = 2;

describe("the client of odd inputs", () => {
  const server = createServer((_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" }).write(": begins\n\n");
    const telling = setInterval(() => res.write(": something\n\n"), OFTEN_MS);
    res.on("close", () => clearInterval(telling));
  });
  beforeAll(() => new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());

  it("leaves a stream on which something happens all the time", async () => {
    const { port } = server.address() as AddressInfo;
    const pieces = [Buffer.from("GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")];
    const { received, isLate } = await send({ door: "public", kind: "call", pieces, isWhole: false }, port);
    expect(isLate).toBe(false);
    expect(`${received}`).toContain(": begins");
  });
});
