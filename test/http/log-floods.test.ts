import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Action } from "../../shared/actions.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { FakePack, hello, row } from "../helpers/fake-pack.ts";
import { plainSocket } from "../helpers/flood.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// Own connections: asks the bridge listener for figures.

let side: TestSidecar;
let pack: FakePack;
beforeEach(async () => {
  side = await startTestSidecar({ yaml: "modules: {api: {limits: {websocket-buffer-bytes: 1024}}}" });
  pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
});
afterEach(() => side.stop());

const TIMES = 30;
/** Lines of one kind that may be written in a moment. */
const MOST = 20;

const logged = (message: string): number =>
  side.log.lines.filter(line => line.message.startsWith(message)).length;

const steve = row("Steve").player;

describe("a line of the log that others can cause", () => {
  it.each<[string, string, () => Promise<unknown>]>([
    [
      "a malformed message of a pack",
      "refused a malformed bridge message",
      () => pack.post("/bridge/hello", "{}"),
    ],
    [
      "a pack of another version",
      "the pack speaks another wire version",
      () => pack.post("/bridge/hello", { ...hello(), wire: 99, wireOldest: 99 }),
    ],
    ["a new run of a pack", "a game server has connected", () => pack.connect(`${Math.random()}`)],
    [
      "a player who ends links",
      "a player ended the links",
      () => pack.report({ is: "unlinked-by-player", player: steve }),
    ],
    [
      "the answer of a player",
      "a player answered",
      () => pack.report({ is: "answered", request: "none", accepted: false }),
    ],
    [
      "a link request that the game fails at",
      "a request ended with an unexpected result",
      async () => {
        const { cookie } = await newSession(side.base);
        const asked = ask(side.base, "/link-player", { cookie, body: { username: "Steve" } });
        let action: Action | undefined;
        while (!action) action = (await pack.take()).find(({ body }) => body.do === "link-open");
        await pack.report({ is: "outcome", id: action.id, status: "failed", reason: "planted" });
        expect((await asked).status).toBe(500);
      },
    ],
    [
      "a socket that breaks the protocol",
      "a chat socket failed",
      async () => {
        const socket = await plainSocket(side.sidecar.publicAddress.port);
        const before = logged("a chat socket failed");
        socket.resume().write("no frame");
        for (let i = 0; i < 20 && logged("a chat socket failed") === before; i++) await nextTurn();
        socket.destroy();
      },
    ],
  ])("is left out when there are too many: %s", async (_what, message, cause) => {
    for (let i = 0; i < TIMES; i++) await cause();
    expect(logged(message)).toBeGreaterThanOrEqual(MOST - 1);
    expect(logged(message)).toBeLessThanOrEqual(MOST);
  });

  it("is left out when there are too many: a socket that does not read", async () => {
    const slow = await Promise.all(Array.from({ length: TIMES }, () => ChatSocket.open(side.base)));
    for (const { ws } of slow) ws.pause();
    const facts = Array.from({ length: 25 }, () => ({
      is: "said" as const,
      name: "Steve",
      text: "x".repeat(2_000),
    }));
    const closed = async (): Promise<string> => (await fetch(`${side.bridge}/metrics`)).text();
    // The kernel holds some megabytes of each before bytes stay unsent.
    for (let i = 0; i < 500 && !(await closed()).includes(`slow_readers_total ${TIMES}`); i++)
      await pack.report(...facts);
    expect(await closed()).toContain(`slow_readers_total ${TIMES}`);
    expect(logged("closed a chat socket that does not read")).toBe(MOST);
    for (const { ws } of slow) ws.terminate();
  });

  it("is never left out when only the owner can cause it", async () => {
    const headers = { "X-Service-Api-Key": side.config.modules.api.adminApiKey };
    for (let i = 0; i < TIMES; i++) {
      const added = ask(side.base, "/whitelist", { headers, body: { playerName: `Name${i}` } });
      await pack.carryOut("done");
      expect((await added).status).toBe(202);
    }
    expect(logged("put a name on the allowlist")).toBe(TIMES);
  });
});

describe("who asks for links over the limit", () => {
  it("is named in the log and counted by limit", async () => {
    const { cookie } = await newSession(side.base);
    const link = () => ask(side.base, "/link-player", { cookie, body: { username: "Steve" } });
    const first = link();
    await pack.take();
    for (let i = 0; i < 22; i++) await link();
    side.clock.advance(5_000);
    expect(side.log.lines.at(-1)?.fields).toEqual({
      address: "127.0.0.1",
      refused: 3,
      limits: { "link-session": 3 },
    });
    const figures = await (await fetch(`${side.bridge}/metrics`)).text();
    expect(figures).toContain('web_bridge_limits_reached_total{limit="link-session"} 3');
    side.clock.advance(5_000);
    expect((await first).status).toBe(500);
  });
});
