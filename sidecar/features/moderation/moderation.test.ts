import { describe, expect, it } from "@jest/globals";
import type { Outcome } from "../../../shared/facts.ts";
import { createTestApp, type TestApp } from "../../../test/helpers/test-app.ts";
import { StorageAway } from "../../kernel/storage/ports.ts";

const AUTHOR = { key: "moderator", address: "192.0.2.1" };
const unexpected = (why: string) => ({ outcome: "unexpected_result", why });
const kick = ({ kicksOf, server }: TestApp, name = "Steve", reason = "spam") =>
  kicksOf(server).kick({ name, reason }, AUTHOR);
const announce = ({ announce: show, server }: TestApp, content = "hi") => show(server, content, AUTHOR);

describe("a player is kicked", () => {
  it.each<[Outcome["status"], { outcome: string }]>([
    ["done", { outcome: "kicked" }],
    ["offline", { outcome: "player_offline" }],
    ["failed", unexpected("kick failed: no")],
  ])("by the game, which is %s, and that is in the audit", async (status, kicked) => {
    const app = await createTestApp({ players: ["Steve"] });
    const pending = kick(app);
    app.clock.advance(3);
    const { body } = await app.pack.carryOut(status, status === "failed" ? { reason: "no" } : {});
    expect(body).toEqual({ do: "kick", name: "Steve", reason: "spam" });
    expect(await pending).toEqual(kicked);
    const { outcome } = kicked;
    expect(app.audit).toEqual([
      { at: app.clock.now(), ...AUTHOR, action: "player.kick", name: "Steve", reason: "spam", outcome },
    ]);
  });

  it("is offline afterwards, except for those who have not heard that it was done", async () => {
    const app = await createTestApp({ players: ["Steve"] });
    const again = async (): Promise<string> => {
      const pending = kick(app);
      await app.pack.carryOut("offline");
      return (await pending).outcome;
    };
    expect(await again()).toBe("player_offline");
    app.kicksOf(app.server).answerLost("Steve");
    expect([await again(), await again()]).toEqual(["kicked", "kicked"]);
    app.clock.advance(60_000);
    expect(await again()).toBe("player_offline");
  });

  it("is kicked where it is asked again after an answer of the game was lost", async () => {
    const app = await createTestApp({ players: ["Steve"] });
    const lost = kick(app);
    await app.pack.take();
    app.clock.advance(10_000);
    expect(await lost).toMatchObject({ outcome: "unexpected_result" });
    const pending = kick(app);
    await app.pack.carryOut("offline");
    expect(await pending).toEqual({ outcome: "kicked" });
  });

  it("where somebody may be called so, else the game is not asked", async () => {
    const app = await createTestApp({ players: ["Steve"] });
    expect(await kick(app, "x".repeat(65))).toEqual({ outcome: "player_offline" });
    expect(await app.pack.waiting()).toEqual([]);
  });

  it("[ACT-16] where the pack says that it knows how, else the game is not asked", async () => {
    const app = await createTestApp();
    await app.pack.connect("old", { knows: [] });
    await app.pack.snapshot("Steve");
    expect(await kick(app)).toMatchObject({ outcome: "unexpected_result" });
    expect(await app.pack.waiting()).toEqual([]);
    expect(app.audit).toMatchObject([{ action: "player.kick", outcome: "unexpected_result" }]);
  });
});

describe("an announcement", () => {
  it("is shown in the game, and then in the feed as a line that nobody says, and is in the audit", async () => {
    const app = await createTestApp({ players: [], yaml: 'server: { info: { title: "Oak §l& Stone" } }' });
    app.told.length = 0;
    const pending = announce(app);
    await app.quiet();
    expect(app.told).toEqual([]);
    expect((await app.pack.carryOut("done")).body).toEqual({ do: "chat", text: "§e[Oak & Stone]§r hi" });
    expect(await pending).toEqual({ outcome: "announced" });
    const at = app.clock.now();
    expect(app.told).toMatchObject([
      { event: { event: "chat", at, from: "game", content: "§#ffff55[Oak & Stone]§§ hi" } },
    ]);
    expect(app.told[0]?.event).not.toHaveProperty("player");
    expect(app.audit).toEqual([{ at, ...AUTHOR, action: "chat.announce", name: "hi", outcome: "announced" }]);
  });

  it("is read by nobody on the web while its chat is off", async () => {
    const app = await createTestApp({ players: [], yaml: "modules.api.chat.web: off" });
    app.told.length = 0;
    const pending = announce(app);
    await app.pack.carryOut("done");
    await pending;
    expect(app.told).toMatchObject([{ event: { from: "game" }, withheld: true }]);
  });

  it("is of its game server, by whose title or name it goes, and is shown on no other one", async () => {
    const yaml = "modules.api.chat.relay: true\nmessages.api.announce-format: '{title}: {content}'";
    const app = await createTestApp({ yaml, servers: ["lobby"] });
    const { pack: main, lobby } = app;
    for (const pack of [main, lobby]) await pack.snapshot();
    const server = app.gameServers.of("lobby");
    if (!server) throw new Error("there is no lobby");
    const pending = app.announce(server, "{title}", AUTHOR);
    expect((await lobby.carryOut("done")).body).toEqual({ do: "chat", text: "lobby: {title}" });
    await pending;
    expect(app.told.at(-1)?.event).toMatchObject({ server: "lobby", content: "§§lobby: {title}" });
    expect(app.audit).toMatchObject([{ action: "chat.announce", server: "lobby" }]);
    expect(await main.waiting()).toEqual([]);
  });

  it("is answered as unavailable where it was shown, and cannot be told to anybody else", async () => {
    const app = await createTestApp({
      players: [],
      stores: ({ feedLog }) => ({
        feedLog: {
          ...feedLog,
          publish: async () => {
            throw new StorageAway("away");
          },
        },
      }),
    });
    const pending = announce(app);
    await app.pack.carryOut("done");
    expect(await pending).toEqual({ outcome: "server_unavailable" });
    expect(app.audit).toMatchObject([{ outcome: "server_unavailable" }]);
  });
});
