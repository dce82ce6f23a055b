import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Action } from "../../shared/actions.ts";
import { hello, row } from "../helpers/fake-pack.ts";
import { plainSocket } from "../helpers/flood.ts";
import { serving } from "../helpers/serving.ts";
import { said } from "./feeding.ts";

const side = serving();
const { pack } = side;
beforeEach(() => side.limits("websocket-buffer-bytes: 1024", ["Steve"]));

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
        const { cookie } = await side.session();
        const asked = side.ask("/link-player", { cookie, body: { username: "Steve" } });
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
        const socket = await plainSocket(side.port);
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
    for (let i = 0; i < TIMES; i++) (await side.socket()).ws.pause();
    const facts = Array.from({ length: 25 }, () => said("x".repeat(2_000)));
    const closed = (): Promise<number> => side.figure("websocket_slow_readers_total");
    // The kernel holds some megabytes of each before bytes stay unsent.
    for (let i = 0; i < 500 && (await closed()) < TIMES; i++) await pack.report(...facts);
    expect(await closed()).toBe(TIMES);
    expect(logged("closed a chat socket that does not read")).toBe(MOST);
  });

  it("is never left out when only the owner can cause it", async () => {
    const headers = { "X-Service-Api-Key": side.config.modules.api.adminApiKey };
    for (let i = 0; i < TIMES; i++) {
      const added = side.ask("/whitelist", { headers, body: { playerName: `Name${i}` } });
      await pack.carryOut("done");
      expect((await added).status).toBe(202);
    }
    expect(logged("put a name on the allowlist")).toBe(TIMES);
  });
});

describe("who asks for links over the limit", () => {
  it("is named in the log and counted by limit", async () => {
    const { cookie } = await side.session();
    const link = () => side.ask("/link-player", { cookie, body: { username: "Steve" } });
    const first = link();
    await pack.take();
    for (let i = 0; i < 22; i++) await link();
    side.clock.advance(5_000);
    expect(side.log.lines.at(-1)?.fields).toEqual({
      address: "127.0.0.1",
      refused: 3,
      limits: { "link-session": 3 },
    });
    expect(await side.figures()).toContain('web_bridge_limits_reached_total{limit="link-session"} 3');
    side.clock.advance(5_000);
    expect((await first).status).toBe(500);
  });
});
