import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { StorageAway } from "../../sidecar/ports.ts";
import { type Answer, ask, newSession } from "../helpers/client.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { createMemoryStore } from "../helpers/memory-store.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let bridge: TestSidecar;
let pack: FakePack;
let cookie: string;
let userId: string;
/** the store of links, whose reading a test may have fail */
let read: ((session: string) => Promise<never>) | undefined;

beforeEach(async () => {
  read = undefined;
  const store = createMemoryStore();
  bridge = await startTestSidecar({
    env: {
      WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback",
      WEB_BRIDGE_MODULES_API_SESSION_COOKIE_MAX_AGE: "2m",
    },
    store: { ...store, read: session => (read ?? store.read)(session) },
  });
  pack = new FakePack(bridge.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
  ({ cookie, userId } = await newSession(bridge.base));
});
afterEach(() => bridge.stop());

const initialize = (headers: Record<string, string> = {}, own = cookie): Promise<Answer> =>
  ask(bridge.base, "/initialize", { cookie: own, headers });
const setCookie = ({ headers }: Answer): string | null => headers.get("set-cookie");

/** Asks the player, and returns the id of the request. */
async function request(): Promise<string> {
  const asked = ask(bridge.base, "/link-player", { cookie, body: { username: "Steve" } });
  const { id } = await pack.carryOut("done", { player: row("Steve").player });
  expect((await asked).status).toBe(202);
  return id;
}

async function link(accepted = true): Promise<void> {
  await pack.report({ is: "answered", request: await request(), accepted });
}

/** Attributes of a cookie, less the moment at which it was set. */
const attributes = (set: string | null): string[] => (set ?? "").replace(/Expires=[^;]+/, "").split("; ");

describe("GET /initialize of a browser that is linked", () => {
  it("sets the same cookie again as it was set first, each time", async () => {
    const first = await initialize({}, "");
    await link();
    for (let i = 0; i < 2; i++) {
      const answer = await initialize();
      expect([answer.status, answer.json]).toEqual([200, { status: "existing", userId }]);
      const [pair, ...others] = attributes(setCookie(answer));
      expect(pair).toBe(cookie);
      expect(others).toEqual(attributes(setCookie(first)).slice(1));
      expect(others).toContain("Max-Age=120");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("sets it as a Secure one behind a trusted proxy that was asked over HTTPS", async () => {
    await link();
    expect(setCookie(await initialize({ "X-Forwarded-Proto": "https" }))).toContain("; Secure");
  });

  it("sets none where another site has sent the browser here", async () => {
    await link();
    const answer = await initialize({ "Sec-Fetch-Site": "cross-site" });
    expect([answer.json, setCookie(answer)]).toEqual([{ status: "existing", userId }, null]);
  });

  it("sets it while the player is offline and while no game server is connected", async () => {
    await link();
    await pack.snapshot();
    expect(setCookie(await initialize())).toContain(cookie);
    bridge.clock.advance(60_000);
    expect((await ask(bridge.base, "/status")).status).toBe(503);
    expect(setCookie(await initialize())).toContain(cookie);
  });

  it("sets none once the link has ended", async () => {
    await link();
    await ask(bridge.base, "/unlink-player", { method: "POST", cookie });
    expect(setCookie(await initialize())).toBeNull();
  });

  it("answers without it while the storage is away, or reads nothing for another reason", async () => {
    await link();
    for (const error of [new StorageAway("nobody answers there"), new Error("broken")]) {
      read = async () => Promise.reject(error);
      const answer = await initialize();
      expect([answer.status, answer.json]).toEqual([200, { status: "existing", userId }]);
      expect(setCookie(answer)).toBeNull();
    }
    read = undefined;
    expect(setCookie(await initialize())).toContain(cookie);
  });
});

describe("GET /initialize of a browser without a link", () => {
  it("sets no cookie again, whatever was asked for", async () => {
    expect(setCookie(await initialize())).toBeNull();
    const id = await request();
    expect(setCookie(await initialize())).toBeNull();
    await pack.report({ is: "answered", request: id, accepted: false });
    expect(setCookie(await initialize())).toBeNull();
  });
});
