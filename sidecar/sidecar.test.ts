import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, it } from "@jest/globals";
import { ChatSocket } from "../test/helpers/chat-socket.ts";
import { newSession } from "../test/helpers/client.ts";
import { ManualClock } from "../test/helpers/clock.ts";
import { FakePack, hello } from "../test/helpers/fake-pack.ts";
import { memoryFeedLog } from "../test/helpers/feed-log.ts";
import { createMemoryStore } from "../test/helpers/memory-store.ts";
import { bytesOf, SESSION, Wire } from "../test/helpers/serving.ts";
import { ADMIN_KEY, startTestSidecar, TOKEN } from "../test/helpers/sidecar.ts";
import { NO_LINK } from "./features/linking/rules/links.ts";
import type { AuditEntry } from "./features/moderation/audit.ts";

// Own connections: sends bodies while the sidecar stops; its socket is watched.

const pumped = async (clock: ManualClock, stopped: Promise<void>): Promise<void> => {
  const pump = setInterval(() => clock.advance(50), 1);
  await stopped;
  clearInterval(pump);
};

it("leaves no link request open that it rejects while it stops", async () => {
  const store = createMemoryStore();
  const side = await startTestSidecar({ store });
  const pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
  const { cookie, userId } = await newSession(side.base);
  const headers = { Cookie: cookie, "Content-Type": "application/json", Expect: "100-continue" };
  const asking = request(`${side.base}/link-player`, { method: "POST", headers, agent: false });
  asking.flushHeaders();
  await once(asking, "continue");

  const stopped = side.sidecar.stop();
  await side.quiet();
  asking.end('{"username":"Steve"}');
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(503);
  answer.resume();
  expect(await store.read(userId)).toEqual(NO_LINK);
  await pumped(side.clock, stopped);
});

it("[FACT-14] delivers every chat message that it accepts while it stops", async () => {
  const side = await startTestSidecar();
  const pack = new FakePack(side.bridge);
  await pack.connect();
  const socket = await ChatSocket.open(side.base);
  const facts = [{ is: "said", name: "Steve", text: "one moment" }];
  const body = JSON.stringify({ session: pack.session, after: 0, first: 1, facts });
  const headers = { Authorization: TOKEN, "Content-Type": "application/json", Expect: "100-continue" };
  const sending = request(`${side.bridge}/bridge/facts`, { method: "POST", headers, agent: false });
  sending.flushHeaders();
  await once(sending, "continue");

  const stopped = side.sidecar.stop();
  sending.end(body);
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  await pumped(side.clock, stopped);
  expect(await socket.closed).toBe(1001);
  expect(socket.unread()).toMatchObject([{ type: "CHAT", content: "§§<Steve> §§one moment" }]);
});

it.each([
  ["browser", "publicAddress", "/link-player", { username: "Steve" }, "server_unavailable"],
  ["game", "bridgeAddress", "/bridge/hello", hello(), "session"],
] as const)(
  "marks a response to a %s during a stop as the last one of its connection",
  async (_who, listener, path, given, answer) => {
    const side = await startTestSidecar();
    const wire = new Wire(side.sidecar[listener].port);
    const body = JSON.stringify(given);
    const headers = [`Authorization: ${TOKEN}`, `Cookie: ${SESSION.Cookie}`];
    const more = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    wire.write(bytesOf("GET /nowhere", ...headers) + bytesOf(`POST ${path}`, ...headers, ...more));
    await wire.until("not_found");

    const stopped = side.sidecar.stop();
    await side.quiet();
    const got = await wire.write(body).until(answer);
    expect(got.slice(got.lastIndexOf("HTTP/1.1"))).toContain("\r\nConnection: close\r\n");
    wire.socket.destroy();
    await pumped(side.clock, stopped);
  },
);

it("completes every step of a stop even if one fails, and reports the error", async () => {
  const clock = new ManualClock();
  let isClosed = false;
  const store = {
    ...createMemoryStore(),
    close: async () => {
      isClosed = true;
    },
  };
  const feedLog = { ...memoryFeedLog(clock), close: () => Promise.reject(new Error("no room")) };
  const { sidecar } = await startTestSidecar({ clock, store, feedLog });
  let fault: unknown;
  const stopped = sidecar.stop().catch((error: unknown) => {
    fault = error;
  });
  await pumped(clock, stopped);
  expect([fault, isClosed]).toEqual([new Error("no room"), true]);
});

it.each(["POST", "DELETE"])(
  "answers %s /whitelist with 503 that it refuses while it stops, and has it in the audit",
  async method => {
    const audit: AuditEntry[] = [];
    const side = await startTestSidecar({ audit: { write: async entry => void audit.push(entry) } });
    const pack = new FakePack(side.bridge);
    await pack.connect();
    await pack.snapshot();
    const headers = {
      "X-Service-Api-Key": ADMIN_KEY,
      "Content-Type": "application/json",
      "Transfer-Encoding": "chunked",
      Expect: "100-continue",
    };
    const asking = request(`${side.base}/whitelist`, { method, headers, agent: false });
    asking.flushHeaders();
    await once(asking, "continue");

    const stopped = side.sidecar.stop();
    await side.quiet();
    asking.end('{"playerName":"Steve"}');
    const [answer] = (await once(asking, "response")) as [IncomingMessage];
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "5"]);
    const [body] = (await once(answer, "data")) as [Buffer];
    expect(String(body)).toMatch(/^{"error":"server_unavailable",/);
    expect(audit).toMatchObject([{ name: "Steve", outcome: "server_unavailable" }]);
    await pumped(side.clock, stopped);
  },
);
