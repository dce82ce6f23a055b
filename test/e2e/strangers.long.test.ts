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
});
