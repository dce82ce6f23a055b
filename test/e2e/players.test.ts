import { afterEach, describe, expect, it } from "@jest/globals";
import type { KnownPlayerData, KnownPlayers } from "../../client/index.ts";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { LINKS, TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, formOf } from "../helpers/browser.ts";

describe.each(LINKS)("over %s, known players", over => {
  const KEY = "a key that reads of players 0123456789";
  const yaml = `modules: {api: {metrics-refresh-interval: 1s, known-players: {show: everybody},
  limits: {requests-per-minute: 100000},
  admin-keys: [{name: reader, sha256: "${sha256Of(KEY)}", scopes: ["players:read"]}]}}`;

  let bridge: TestBridge;
  afterEach(() => bridge.stop());

  const all = async (): Promise<KnownPlayers> => (await bridge.ask("/known-players")).json as KnownPlayers;
  async function one(name: string): Promise<KnownPlayerData> {
    const found = (await all()).players.find(player => player.name === name);
    const headers = { "X-Service-Api-Key": KEY };
    return (await bridge.ask(`/known-players/${found?.uuid ?? "-"}`, { headers })).json as KnownPlayerData;
  }
  const isKnown = async (expected: Partial<KnownPlayerData>, name = "Steve"): Promise<boolean> => {
    const known = await one(name);
    return Object.entries(expected).every(([key, value]) => known[key as keyof KnownPlayerData] === value);
  };

  describe("a known player", () => {
    it("has visits, figures and stays, across all restarts", async () => {
      bridge = await TestBridge.start(["Steve", "Alex"], { over, yaml });
      bridge.player("Alex").die({ by: bridge.player("Steve") });
      await bridge.until(() => isKnown({ visits: 1, online: true, playerKills: 1 }));
      await bridge.until(() => isKnown({ deaths: 1 }, "Alex"));

      // The script, the sidecar, and the sidecar while the script restarts.
      await bridge.tick(60);
      const { playtimeSeconds } = await one("Steve");
      await bridge.running.reload();
      await bridge.tick(60);
      const reloaded = (await one("Steve")).playtimeSeconds;
      expect(reloaded).toBeGreaterThanOrEqual(playtimeSeconds);
      await bridge.stopSidecar();
      await bridge.tick(60);
      await bridge.running.reload();
      await bridge.startSidecar();
      await bridge.enter();
      await bridge.tick(60);
      const stayed = await one("Steve");
      expect(stayed).toMatchObject({ visits: 1, online: true, playerKills: 1, stays: [{ to: null }] });
      expect(stayed.playtimeSeconds).toBeGreaterThan(reloaded);

      bridge.player("Steve").leave();
      await bridge.until(() => isKnown({ online: false }));
      const away = await one("Steve");
      bridge.join("Steve");
      await bridge.until(() => isKnown({ visits: 2, online: true }));
      await bridge.stopGame("kill");
      await bridge.tick(20);
      await bridge.startGame();
      await bridge.enter("Steve");
      await bridge.until(() => isKnown({ visits: 3 }));
      const back = await one("Steve");
      expect(back).toMatchObject({ visits: 3, playerKills: 1, firstSeen: away.firstSeen });
      expect(back.playtimeSeconds).toBeGreaterThanOrEqual(away.playtimeSeconds);
      expect(back.stays?.map(({ to }) => to === null)).toEqual([true, false, false]);
      expect(await isKnown({ visits: 1, online: false }, "Alex")).toBe(true);
      expect((await all()).total).toBe(2);
    });
  });
});

describe.each(LINKS)("over %s, statistics of players", over => {
  const yaml = "modules.api.metrics-refresh-interval: 1s";

  let bridge: TestBridge;
  afterEach(() => bridge.stop());

  const begin = async (...players: string[]): Promise<void> => {
    bridge = await TestBridge.start(players, { over, yaml });
  };

  interface Row {
    name: string;
    uuid: string;
    health: number;
    playtimeSeconds: number;
  }
  async function row(name: string): Promise<Row> {
    const { json } = await bridge.ask("/players");
    const found = (json as Row[]).find(one => one.name === name);
    if (!found) throw new Error(`${name} is not listed`);
    return found;
  }

  /** Waits for two more snapshots, so that the last one has everything so far. */
  const refreshed = (): Promise<void> => bridge.tick(45);

  describe("the figures of a player", () => {
    it("are counted for the player who did it, not for mobs, and survive a crash of the game except for some playtime", async () => {
      await begin("Steve", "Alex");
      const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
      const ways = [
        { by: alex, projectile: true, ownerOnly: true },
        { by: "minecraft:zombie" },
        { by: steve },
      ];
      for (const how of ways) {
        steve.die(how);
        await bridge.tick(2);
        steve.respawn();
        await bridge.tick(2);
      }
      bridge.world.mobDies("minecraft:cow", steve);
      // Twice the interval of saves of the world.
      await bridge.tick(800);
      await refreshed();
      const before = [await row("Steve"), await row("Alex")];
      expect(before).toMatchObject([
        { deaths: 3, playerKills: 0 },
        { deaths: 0, playerKills: 1 },
      ]);
      await bridge.stopGame("kill");
      await bridge.tick(10);
      await bridge.startGame();
      await bridge.enter("Steve", "Alex");
      for (const { playtimeSeconds, ...was } of before) {
        const now = await row(was.name);
        expect(now).toMatchObject({ ...was, health: 20 });
        expect(playtimeSeconds - now.playtimeSeconds).toBeLessThanOrEqual(40);
      }
    });
  });
});

describe.each(LINKS)("over %s, choices of players", over => {
  let bridge: TestBridge;
  afterEach(() => bridge.stop());

  const start = async (...players: string[]): Promise<void> => {
    bridge = await TestBridge.start(players, { over, yaml: "modules.api.trust-proxy: true" });
  };

  describe("a player who blocks requests", () => {
    it("declines open and pending requests, and can get new ones after /bridge:unblock", async () => {
      await start("Steve");
      const steve = bridge.player("Steve");
      const [linked, waiting] = [await Browser.open(bridge), await Browser.open(bridge)];
      for (const browser of [linked, waiting]) expect((await browser.link("Steve")).status).toBe(202);
      await formOf(bridge, steve);
      steve.closeForm();
      steve.command("/bridge:block");
      await linked.reaches("declined");
      await waiting.reaches("declined");
      expect((await waiting.link("Steve")).status).toBe(429);
      expect((await waiting.link("Nobody")).status).toBe(422);
      steve.command("/bridge:unblock");
      await bridge.tick(2);
      expect((await waiting.link("Steve")).status).toBe(202);
      await formOf(bridge, steve);
      steve.answer(ACCEPT);
      await waiting.reaches("accepted");
    });
  });

  describe("a player who hides", () => {
    it("leaves the list immediately, stays linked and counted, and still appears in the chat", async () => {
      await start("Steve", "Alex");
      const steve = bridge.player("Steve");
      const browser = await Browser.open(bridge);
      await browser.linkTo(steve);
      const socket = await bridge.socket();
      const listed = async () =>
        ((await bridge.ask("/players")).json as { name: string }[]).map(({ name }) => name);
      steve.command("/bridge:hide");
      const before = bridge.clock.now();
      await bridge.until(async () => !(await listed()).includes("Steve"));
      expect(bridge.clock.now() - before).toBeLessThanOrEqual(1_500);
      expect((await bridge.ask("/status")).json).toMatchObject({ onlinePlayerCount: 2 });
      expect((await browser.linked()).playerData?.name).toBe("Steve");
      await bridge.say("Steve", "still here");
      await bridge.until(() => socket.received.some(({ content }) => content.includes("still here")));
      steve.leave();
      await bridge.tick(20);
      const back = bridge.join("Steve");
      await bridge.until(async () => (await browser.linked()).playerData);
      expect(await listed()).toEqual(["Alex"]);
      back.command("/bridge:show");
      await bridge.until(async () => (await listed()).includes("Steve"));
    });
  });

  /** The public data of Steve, without the health. */
  async function figures(): Promise<object | undefined> {
    const { json } = await bridge.ask("/players");
    const row = (json as Record<string, unknown>[]).find(({ name }) => name === "Steve");
    return row && { deaths: row.deaths, playerKills: row.playerKills, playtimeSeconds: row.playtimeSeconds };
  }
  const deaths = async (count: number): Promise<boolean> =>
    JSON.stringify(await figures()).includes(`"deaths":${count}`);

  describe("/bridge:forget", () => {
    it("opens a form in the player's language, and publishes figures again from the next visit on, also after /reload", async () => {
      bridge = await TestBridge.start(["Steve", "Alex"], {
        over,
        yaml: "modules.api.metrics-refresh-interval: 1s",
      });
      const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
      steve.locale = "de_DE";
      const browser = await Browser.open(bridge);
      await browser.linkTo(steve);
      alex.die({ by: steve });
      steve.die();
      await bridge.until(() => deaths(1));
      steve.respawn();
      alex.respawn();

      steve.command("/bridge:forget");
      await bridge.until(() => steve.form);
      expect(steve.form).toMatchObject({
        title: "Deine Daten löschen?",
        buttons: ["Löschen", "Abbrechen"],
      });
      steve.answer(1);
      await bridge.tick(40);
      expect(await figures()).toMatchObject({ deaths: 1, playerKills: 1 });

      steve.command("/bridge:forget");
      await bridge.until(() => steve.form);
      steve.answer(0);
      const nothing = { deaths: 0, playerKills: 0, playtimeSeconds: 0 };
      await bridge.until(() => deaths(0));
      expect(steve.chat.at(-1)).toMatch(/^Deine Daten wurden gelöscht/);
      for (const then of [() => bridge.tick(1), () => bridge.running.reload()]) {
        await then();
        alex.die({ by: steve });
        steve.die();
        await bridge.tick(60);
        expect(await figures()).toEqual(nothing);
        alex.respawn();
        steve.respawn();
      }
      expect(await browser.status()).toBe("accepted");

      steve.leave();
      await bridge.until(async () => (await figures()) === undefined);
      bridge.join("Steve");
      await bridge.until(async () => (await figures()) !== undefined);
      bridge.player("Steve").die();
      await bridge.until(() => deaths(1));
      await bridge.tick(60);
      const counted = (await figures()) as { playtimeSeconds: number };
      expect(counted).toMatchObject({ deaths: 1, playerKills: 0 });
      expect(counted.playtimeSeconds).toBeGreaterThan(2);
      expect(counted.playtimeSeconds).toBeLessThan(10);
    });
  });
});
