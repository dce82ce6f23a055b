import { describe, expect, it } from "@jest/globals";
import type { Outcome } from "../../../shared/facts.ts";
import { createTestApp, type TestApp } from "../../../test/helpers/test-app.ts";
import { StorageAway, StorageFull } from "../../kernel/storage/ports.ts";

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
  ])("by the game, which is %s, and audited", async (status, kicked) => {
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

  it("is offline afterwards, except after a lost answer", async () => {
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

  it("is kicked if it is requested again after a lost answer of the game", async () => {
    const app = await createTestApp({ players: ["Steve"] });
    const lost = kick(app);
    await app.pack.take();
    app.clock.advance(10_000);
    expect(await lost).toMatchObject({ outcome: "unexpected_result" });
    const pending = kick(app);
    await app.pack.carryOut("offline");
    expect(await pending).toEqual({ outcome: "kicked" });
  });

  it("only if the name is a valid player name, otherwise the game gets no request", async () => {
    const app = await createTestApp({ players: ["Steve"] });
    expect(await kick(app, "x".repeat(65))).toEqual({ outcome: "player_offline" });
    expect(await app.pack.waiting()).toEqual([]);
  });

  it("[ACT-16] only if the pack supports it, otherwise the game gets no request", async () => {
    const app = await createTestApp();
    await app.pack.connect("old", { knows: [] });
    await app.pack.snapshot("Steve");
    expect(await kick(app)).toMatchObject({ outcome: "unexpected_result" });
    expect(await app.pack.waiting()).toEqual([]);
    expect(app.audit).toMatchObject([{ action: "player.kick", outcome: "unexpected_result" }]);
  });
});

describe("an announcement", () => {
  it("is shown in the game, then in the feed as a message without an author, and is in the audit", async () => {
    const app = await createTestApp({ players: [], yaml: 'server: { info: { title: "Oak §l& Stone" } }' });
    app.events.length = 0;
    const pending = announce(app);
    await app.quiet();
    expect(app.events).toEqual([]);
    expect((await app.pack.carryOut("done")).body).toEqual({ do: "chat", text: "§e[Oak & Stone]§r hi" });
    expect(await pending).toEqual({ outcome: "announced" });
    const at = app.clock.now();
    expect(app.events).toMatchObject([
      { event: { event: "chat", at, from: "game", content: "§#ffff55[Oak & Stone]§§ hi" } },
    ]);
    expect(app.events[0]?.event).not.toHaveProperty("player");
    expect(app.audit).toEqual([{ at, ...AUTHOR, action: "chat.announce", name: "hi", outcome: "announced" }]);
  });

  it("is not shown on the website while its chat is off", async () => {
    const app = await createTestApp({ players: [], yaml: "modules.api.chat.web: off" });
    app.events.length = 0;
    const pending = announce(app);
    await app.pack.carryOut("done");
    await pending;
    expect(app.events).toMatchObject([{ event: { from: "game" }, withheld: true }]);
  });

  it("has the title or name of its game server, and is shown on no other", async () => {
    const yaml = "modules.api.chat.relay: true\nmessages.api.announce-format: '{title}: {content}'";
    const app = await createTestApp({ yaml, servers: ["lobby"] });
    const { pack: main, lobby } = app;
    for (const pack of [main, lobby]) await pack.snapshot();
    const server = app.gameServers.of("lobby");
    if (!server) throw new Error("there is no lobby");
    const pending = app.announce(server, "{title}", AUTHOR);
    expect((await lobby.carryOut("done")).body).toEqual({ do: "chat", text: "lobby: {title}" });
    await pending;
    expect(app.events.at(-1)?.event).toMatchObject({ server: "lobby", content: "§§lobby: {title}" });
    expect(app.audit).toMatchObject([{ action: "chat.announce", server: "lobby" }]);
    expect(await main.waiting()).toEqual([]);
  });

  it.each([new StorageAway("away"), new StorageFull("full")])(
    "that was shown in the game but could not be stored for the website is not answered as if it could be sent again: %s",
    async fault => {
      const app = await createTestApp({
        players: [],
        stores: ({ feedLog }) => ({
          feedLog: {
            ...feedLog,
            publish: async () => {
              throw fault;
            },
          },
        }),
      });
      const pending = announce(app);
      await app.pack.carryOut("done");
      expect(await pending).toEqual({ outcome: "announced" });
      expect(app.audit).toMatchObject([{ outcome: "announced" }]);
    },
  );
});
