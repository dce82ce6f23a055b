import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { createMemoryStore } from "../../sidecar/store/memory.ts";
import { FakePack, hello } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar, TOKEN } from "../helpers/sidecar.ts";

let bridge: TestSidecar;
let pack: FakePack;
beforeEach(async () => {
  bridge = await startTestSidecar();
  pack = new FakePack(bridge.bridge);
});
afterEach(() => bridge.stop());

const ask = (method = "GET", token = TOKEN) =>
  fetch(`${bridge.bridge}/bridge/status`, { method, headers: { Authorization: token } });
const status = async (): Promise<unknown> => (await ask()).json();

const ONE = { id: "w1", name: "One" };
const TWO = { id: "w2", name: "Two" };
const connect = (run: string, world?: object) => pack.post("/bridge/hello", { ...hello(run), world });
const warnings = () => bridge.log.lines.filter(({ level }) => level === "warn").map(({ message }) => message);

describe("GET /bridge/status", () => {
  it("[HTTP-6] tells who has the token what runs, and since when", async () => {
    const startedAt = bridge.clock.now();
    bridge.clock.advance(5_000);
    expect(await status()).toEqual({ version: PRODUCT_VERSION, startedAt });
    expect((await ask("GET", `${TOKEN}x`)).status).toBe(401);
  });

  it("[HTTP-6] takes no other method, and says which", async () => {
    const response = await ask("POST");
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET"]);
  });

  it("[HTTP-6] [SESSION-11] names the world that is connected, since when, and when it reported", async () => {
    await connect("run", ONE);
    const connectedAt = bridge.clock.now();
    expect(await status()).toMatchObject({ game: { world: ONE, connectedAt } });
    bridge.clock.advance(1_000);
    await pack.connect("run");
    await connect("run", ONE);
    await pack.snapshot("Steve");
    expect(await status()).toMatchObject({
      game: { world: ONE, connectedAt, reportedAt: bridge.clock.now() },
    });
  });

  it("[SESSION-11] knows of a game server that says nothing of its world", async () => {
    await pack.connect();
    expect(await status()).toMatchObject({ game: { connectedAt: bridge.clock.now() } });
  });
});

describe("one sidecar per world", () => {
  it("[SESSION-11] says nothing while it is the same world, whatever it is called", async () => {
    await connect("a", ONE);
    await connect("b", { ...ONE, name: "Renamed" });
    await connect("c");
    expect(warnings()).toEqual([]);
    expect(bridge.log.text).toContain('"world":"Renamed"');
  });

  it("[SESSION-11] warns when another world connects, after a restart of the sidecar too", async () => {
    await connect("a", ONE);
    await connect("b", TWO);
    const another = "another world is connected than before: each world needs a sidecar of its own";
    expect(warnings()).toEqual([another]);
    expect(bridge.log.lines.find(({ message }) => message === another)?.fields).toEqual({
      world: TWO,
      before: ONE,
    });
    await bridge.stop();
    const store = createMemoryStore();
    await store.setGameServer({ run: "a", since: 1, world: ONE });
    bridge = await startTestSidecar({ store });
    pack = new FakePack(bridge.bridge);
    await connect("c", ONE);
    expect(warnings()).toEqual([]);
    await connect("d", TWO);
    expect(warnings()).toEqual([another]);
  });

  it("[SESSION-12] tells whoever was replaced by which world, and logs whom it refuses", async () => {
    await connect("a", ONE);
    const first = (await connect("a", ONE)).body as { session: string };
    await connect("b", TWO);
    const replaced = { status: 409, body: { error: "session_replaced", detail: "world: Two" } };
    expect(await pack.post("/bridge/poll", { session: first.session, after: 0 })).toEqual(replaced);
    const facts = { session: first.session, after: 0, first: 1, facts: [] };
    expect(await pack.post("/bridge/facts", facts)).toEqual(replaced);
    expect(await connect("a", ONE)).toEqual(replaced);
    expect(bridge.log.lines.at(-1)).toMatchObject({
      message: expect.stringMatching(/^two game servers want this bridge/),
      fields: { world: ONE, connected: TWO },
    });
  });

  it("[SESSION-12] tells it in a name that nobody's console obeys", async () => {
    await connect("a", ONE);
    const first = (await connect("a", ONE)).body as { session: string };
    await connect("b", { id: "w2", name: "T\u001b[31mwo\n[INFO] §4Three\u202e" });
    expect(await pack.post("/bridge/poll", { session: first.session, after: 0 })).toMatchObject({
      body: { detail: "world: T[31mwo[INFO] Three" },
    });
  });

  it("[SESSION-11] serves the game though the world cannot be remembered", async () => {
    await bridge.stop();
    const store = createMemoryStore();
    bridge = await startTestSidecar({
      store: {
        ...store,
        gameServer: () => Promise.reject(new Error()),
        setGameServer: () => Promise.reject(new Error()),
      },
    });
    pack = new FakePack(bridge.bridge);
    expect((await connect("a", ONE)).status).toBe(200);
    expect(await status()).toMatchObject({ game: { world: ONE } });
  });
});
