import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { limitConnections } from "../../sidecar/http/crowds/connections.ts";
import { createDoor } from "../../sidecar/http/crowds/door.ts";
import { createCrowd } from "../../sidecar/http/crowds/turns.ts";
import { ManualClock } from "../helpers/clock.ts";

// Own connections: asks a bare listener for who comes first.

const CROWD = "127.0.0.2";
const VISITOR = "127.0.0.1";

let server: Server;
let barredMs: number;
let faults: unknown[];
/** addresses in the order in which their requests were dealt with */
let served: string[];
/** connections in the order in which the system handed them out */
let taken: Socket[];
/** what waits for a bar to end */
let later: (() => void)[];
const sockets: Socket[] = [];

beforeEach(async () => {
  [served, taken, later, faults, barredMs] = [[], [], [], [], 0];
  server = createServer((req, res) => {
    served.push(req.socket.remoteAddress ?? "");
    res.end("answer");
  });
  const raise = (error: unknown): void => {
    throw error;
  };
  // Its time stands still: whoever comes is waited for, however slow this machine is.
  const crowd = createCrowd(new ManualClock(), raise);
  const clock = {
    after(_ms: number, act: () => void) {
      later.push(act);
      return () => undefined;
    },
  };
  const report = (error: unknown): unknown => faults.push(error);
  createDoor(server, { crowd, clock, report, barredMs: address => (address === CROWD ? barredMs : 0) });
  server.prependListener("connection", (socket: Socket) => taken.push(socket));
  server.listen(0, VISITOR);
  await once(server, "listening");
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await once(server, "close");
});

/** Connects and asks at once; resolves with the answer, or with nothing where the connection ends without one. */
function ask(localAddress: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: VISITOR, localAddress });
  sockets.push(socket);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  let text = "";
  socket.on("data", bytes => {
    text += bytes;
  });
  return new Promise(resolve => socket.on("error", () => undefined).once("close", () => resolve(text)));
}

it("whoever comes last is let in before a crowd of another address that came first", async () => {
  const answers = Array.from({ length: 100 }, () => ask(CROWD));
  expect(await ask(VISITOR)).toContain("answer");
  expect(served.indexOf(VISITOR)).toBeLessThanOrEqual(2);
  for (const answer of await Promise.all(answers)) expect(answer).toContain("answer");
});

it("nothing is read of who waits at the door, and everything once they are let in", async () => {
  barredMs = 1_000;
  const answer = ask(CROWD);
  expect(await ask(VISITOR)).toContain("answer");
  expect([served, taken[0]?.bytesRead, later.length]).toEqual([[VISITOR], 0, 1]);
  barredMs = 0;
  for (const act of later.splice(0)) act();
  expect(await answer).toContain("answer");
});

it("who is refused, or has gone, while they wait is not let in", async () => {
  server.prependListener("connection", (socket: Socket) => socket.destroy());
  expect(await ask(VISITOR)).toBe("");
  server.removeListener("connection", server.listeners("connection")[0] as () => void);
  barredMs = 1_000;
  const gone = ask(CROWD);
  expect(await ask(VISITOR)).toContain("answer");
  taken[1]?.destroy();
  expect(await gone).toBe("");
  barredMs = 0;
  for (const act of later.splice(0)) act();
  expect(await ask(VISITOR)).toContain("answer");
  expect(served).toEqual([VISITOR, VISITOR]);
});

it("a fault in letting somebody in ends that connection and is told", async () => {
  server.removeAllListeners("connection");
  createDoor(server, {
    crowd: createCrowd(new ManualClock(), () => undefined),
    clock: { after: () => () => undefined },
    report: error => faults.push(error),
    barredMs() {
      throw new Error("planted");
    },
  });
  expect(await ask(VISITOR)).toBe("");
  expect(faults).toEqual([new Error("planted")]);
});

it("a connection that was reset before it is taken has no place among others", () => {
  const limits = { most: 1, mostPerAddress: 1, trust: () => false, refused: () => undefined };
  const connections = limitConnections(server, limits);
  // Nobody can be asked any more who it was.
  const gone = new Socket();
  server.emit("connection", gone);
  expect([gone.destroyed, connections.count()]).toEqual([true, 0]);
});
