import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../test/helpers/eventually.ts";
import { serving } from "../../../../test/helpers/serving.ts";
import { TOKEN } from "../../../../test/helpers/sidecar.ts";
import type { WebFile } from "../../../features/console/web-files.ts";
import { CLIENT_TIMEOUTS } from "./server.ts";

const side = serving();
async function start(webFiles: WebFile[] = []): Promise<void> {
  const timeouts = {
    answerTimeout: 200,
    headersTimeout: 100,
    requestTimeout: 200,
    connectionsCheckingInterval: 20,
    keepAliveTimeout: CLIENT_TIMEOUTS.keepAliveTimeout,
  };
  await side.start({ timeouts, webFiles });
}
beforeEach(() => start());

/** Sends the start of a request, and a little more of it at each call; returns everything received. */
function dribble(port: number, beginning: string): () => { received: string; closed: boolean } {
  const { socket, got } = side.wire(beginning, port);
  return () => {
    if (socket.writable) socket.write("x: y\r\n");
    return { received: got(), closed: socket.closed };
  };
}

const TOO_LATE = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";
const HEAD = "Host: localhost\r\n";

describe("headers that arrive slowly", () => {
  it.each([
    ["the public listener", "publicAddress", `GET /status HTTP/1.1\r\n${HEAD}`],
    ["the bridge listener", "bridgeAddress", `POST /bridge/hello HTTP/1.1\r\n${HEAD}`],
  ] as const)("get 408 by %s, and the connection closes", async (_name, address, beginning) => {
    const look = dribble(side.sidecar[address].port, beginning);
    await eventually(() => expect(look()).toEqual({ received: TOO_LATE, closed: true }));
  });

  it("get 408 after a complete request, too", async () => {
    const request = `GET /healthz HTTP/1.1\r\n${HEAD}`;
    const look = dribble(side.port, `${request}\r\n${request}`);
    await eventually(() => expect(look()).toMatchObject({ closed: true }));
    expect(look().received).toMatch(/^HTTP\/1\.1 200 /);
    expect(look().received.endsWith(TOO_LATE)).toBe(true);
  });

  it("have 15 s at most, including the interval of the checks", () => {
    expect(CLIENT_TIMEOUTS.headersTimeout + CLIENT_TIMEOUTS.connectionsCheckingInterval).toBeLessThanOrEqual(
      15_000,
    );
  });
});

describe("a body that arrives slowly", () => {
  it("gets 408, and the connection closes", async () => {
    const head = `POST /bridge/hello HTTP/1.1\r\n${HEAD}Authorization: ${TOKEN}\r\nContent-Length: 60000\r\n\r\n`;
    const look = dribble(side.sidecar.bridgeAddress.port, head);
    await eventually(() => expect(look()).toEqual({ received: TOO_LATE, closed: true }));
  });
});

describe("a response that is not read", () => {
  it("closes its connection", async () => {
    // More than the system buffers for a client that does not read.
    await start([{ path: "assets/large.js", content: randomBytes(16 * 1_048_576) }]);
    const { socket } = side.wire(`GET /assets/large.js HTTP/1.1\r\n${HEAD}\r\n`);
    socket.pause();
    await eventually(() => expect(side.sidecar.connections().publicConnections).toBe(1));
    await eventually(() => expect(side.sidecar.connections().publicConnections).toBe(0));
  });
});
