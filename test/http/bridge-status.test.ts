import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { FakePack, hello } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar, TOKEN } from "../helpers/sidecar.ts";

// Own connections: speaks to the bridge listener, which is not public.

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
const connect = (run: string, world?: object) => pack.post("/bridge/hello", { ...hello(run), world });

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
});
