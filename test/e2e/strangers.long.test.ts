import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { type StrangeServer, strangeServer } from "../helpers/strange-server.ts";

let bridge: TestBridge;
let stranger: StrangeServer | undefined;
afterEach(async () => {
  await bridge.stop();
  await stranger?.close();
  stranger = undefined;
});

type Reply = (path: string, response: ServerResponse) => void;

const json =
  (status: number, body: unknown): Reply =>
  (_path, response) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
const text =
  (status: number, body: string | Buffer): Reply =>
  (_path, response) =>
    response.writeHead(status).end(body);
const welcome = {
  product: PRODUCT_VERSION,
  wire: WIRE_VERSION,
  wireOldest: WIRE_OLDEST,
  session: "s",
  refreshMs: 1000,
  linkForm: "buttons",
  texts: {},
  languages: [],
  links: [],
};

/** A game whose sidecar is a stranger. */
async function meet(reply: Reply): Promise<StrangeServer> {
  stranger = await strangeServer(reply);
  bridge = new TestBridge({ bridgePort: stranger.port });
  await bridge.startGame();
  bridge.join("Steve");
  await bridge.tick(200);
  return stranger;
}

/** The stranger goes and the right sidecar comes in its place. */
async function recovers(): Promise<void> {
  await stranger?.close();
  stranger = undefined;
  await bridge.startSidecar();
  await bridge.enter();
  await bridge.until(() => bridge.linesWith("connected to the sidecar").length === 1);
}

describe("an incompatible sidecar", () => {
  it.each([
    ["the behavior pack", json(426, { error: "wire_mismatch", product: "9.9.9", update: "pack" })],
    ["the sidecar", json(426, { error: "wire_mismatch", product: "0.0.1", update: "sidecar" })],
    ["the behavior pack", json(200, { ...welcome, wire: 99, wireOldest: 99 })],
  ])("[VER-3] is named once with the side to update: %s", async (side, reply) => {
    const { asked } = await meet(reply);
    expect(bridge.linesWith("")).toEqual([expect.stringContaining(`update ${side}`)]);
    expect(new Set(asked)).toEqual(new Set(["/bridge/hello"]));
    expect(asked.length).toBeLessThan(10);
    await recovers();
  });

  it("[VER-1] that is newer and still understands this pack is no trouble", async () => {
    const { asked } = await meet(json(200, { ...welcome, wire: 99, wireOldest: 1 }));
    expect(asked).toContain("/bridge/poll");
    expect(bridge.linesWith("update")).toEqual([]);
  });
});

describe("a server that is no sidecar", () => {
  it.each<[string, Reply]>([
    ["HTML", text(200, "<!doctype html><title>It works!</title>")],
    ["an empty object", json(200, {})],
    ["null", json(200, null)],
    ["bytes", text(200, Buffer.from(Array.from({ length: 2_000 }, (_, i) => i % 256)))],
    ["a hello answer with a wrong member", json(200, { ...welcome, refreshMs: "soon" })],
    ["400", json(400, { error: "invalid_message", detail: "body.x: expected y" })],
    ["500", text(500, "<h1>oops</h1>")],
    ["301", (_path, response) => response.writeHead(301, { Location: "http://127.0.0.1:1/" }).end()],
    ["a broken connection", (_path, response) => response.destroy()],
    ["no answer at all", () => undefined],
  ])("and answers with %s costs one line and a request now and then", async (_what, reply) => {
    const { asked } = await meet(reply);
    expect(bridge.linesWith("")).toHaveLength(1);
    expect(asked.length).toBeGreaterThan(0);
    // A sidecar in its place would be found within two seconds: by RETRY-2 at most twelve in ten.
    expect(asked.length).toBeLessThanOrEqual(12);
    expect(bridge.running.terminated).toBeUndefined();
    await recovers();
  });

  it.each<[string, unknown]>([
    ["garbage", "garbage"],
    [
      "an action of an unknown kind",
      { actions: [{ seq: 1, id: "a", expiresInMs: 9e3, body: { do: "op" } }] },
    ],
    ["an acknowledgement of nothing", { actions: [], received: 0 }],
    ["an acknowledgement of facts that were never sent", { actions: [], received: 1e15 }],
  ])("but says hello as one, and then answers with %s, does not stop the game", async (_what, body) => {
    const { asked } = await meet((path, response) => {
      const answer = path === "/bridge/hello" ? welcome : body;
      setImmediate(() => response.writeHead(200).end(JSON.stringify(answer)));
    });
    expect(asked.length).toBeLessThan(1_000);
    expect(bridge.linesWith("").length).toBeLessThanOrEqual(3);
    expect(bridge.running.terminated).toBeUndefined();
    await stranger?.close();
    stranger = undefined;
    await bridge.startSidecar();
    await bridge.enter();
  });
});
