import { afterEach, describe, expect, it } from "@jest/globals";
import type { SimulatorOptions } from "../../lab/simulator/types.ts";
import type { AuditEntry } from "../../sidecar/features/moderation/audit.ts";
import { LINKS, TestBridge } from "../helpers/bridge.ts";
import type { Answer } from "../helpers/client.ts";
import { errorBody } from "../helpers/errors.ts";
import { ADMIN_KEY, MODERATOR_KEY, moderators } from "../helpers/sidecar.ts";

describe.each(LINKS)("over %s, a moderator", over => {
  /** A name with a quote is never typed on the console. */
  const name = over === "HTTP" ? 'Ari "V" Vale' : "Ari, V: Vale";
  let bridge: TestBridge;
  let audit: AuditEntry[];
  afterEach(() => bridge.stop());

  async function begin(game?: Partial<SimulatorOptions>): Promise<void> {
    audit = [];
    bridge = await TestBridge.start(
      ["Steve", name],
      {
        over,
        env: moderators(),
        audit: { write: async entry => void audit.push(entry) },
      },
      game,
    );
  }
  const post = (path: string, body: object): Promise<Answer> =>
    bridge.ask(path, { headers: { "X-Service-Api-Key": MODERATOR_KEY }, body });
  const done = async (path: string, body: object): Promise<unknown[]> => {
    const { status, json } = await bridge.during(post(path, body));
    return [status, json];
  };
  const online = async (): Promise<string[]> =>
    ((await bridge.ask("/players")).json as { name: string }[]).map(({ name }) => name);

  describe("a kick", () => {
    it("kicks the player with exactly this name, who sees the reason, and is off the list by then", async () => {
      await begin();
      const [steve, ari] = [bridge.player("Steve"), bridge.player(name)];
      expect(await done("/kick", { playerName: "steve" })).toEqual([422, errorBody("player_offline")]);
      expect(await done("/kick", { playerName: name, reason: "§cbe\n %gui.accept" })).toEqual([
        200,
        { status: "kicked" },
      ]);
      expect([ari.online, ari.removal?.reason?.replaceAll("§r", "")]).toEqual([false, "be %gui.accept"]);
      expect(await online()).toEqual(["Steve"]);
      expect(await done("/kick", { playerName: "Steve" })).toEqual([200, { status: "kicked" }]);
      expect(steve.removal).toEqual({ reason: undefined });
      expect(await online()).toEqual([]);
      expect(audit.map(({ name, outcome }) => [name, outcome])).toEqual([
        ["steve", "player_offline"],
        [name, "kicked"],
        ["Steve", "kicked"],
      ]);
    });
  });
});

describe.each(LINKS)("over %s, the bans", over => {
  let bridge: TestBridge;
  let audit: AuditEntry[];
  afterEach(() => bridge.stop());

  async function begin(
    players: string[] = ["Steve", "Alex"],
    game?: Partial<SimulatorOptions>,
    yaml = "",
  ): Promise<void> {
    audit = [];
    bridge = await TestBridge.start(
      players,
      { over, yaml, env: moderators(), audit: { write: async entry => void audit.push(entry) } },
      game,
    );
  }

  const ask = (method: string, body?: object): Promise<Answer> =>
    bridge.ask("/bans", { method, headers: { "X-Service-Api-Key": MODERATOR_KEY }, body });
  async function done(method: "POST" | "DELETE", body: object): Promise<void> {
    const { status, json } = await bridge.during(ask(method, body));
    expect(json).toMatchObject({ status: method === "POST" ? "banned" : "unbanned" });
    expect(status).toBe(200);
  }
  const ban = (playerName: string, more: object = {}) => done("POST", { playerName, ...more });
  const lift = (playerName: string) => done("DELETE", { playerName });
  const list = async (): Promise<{ name: string; uuid: string; by: string }[]> =>
    (await ask("GET")).json as { name: string; uuid: string; by: string }[];
  const bans = async (): Promise<string[]> => (await list()).map(({ name, by }) => `${name} by ${by}`);
  const online = async (): Promise<string[]> => {
    const { status, json } = await bridge.ask("/players");
    return status === 200 ? (json as { name: string }[]).map(({ name }) => name) : [];
  };
  const events = async (): Promise<string[]> =>
    (
      (await bridge.ask("/events?format=json")).json as { event: string; player?: { name: string } }[]
    ).flatMap(({ event, player }) => (player ? [`${event} ${player.name}`] : []));
  const isGone = async (name: string): Promise<void> =>
    bridge.until(async () => bridge.world.find(name) === undefined && !(await online()).includes(name));
  /** A player tries to join, optionally with another player's persistent id; returns whether they are in the world. */
  async function comes(name: string, persistentId?: string): Promise<boolean> {
    const player = bridge.world.join(name, persistentId === undefined ? {} : { persistentId });
    await bridge.tick(40);
    expect(player.removal === undefined).toBe(player.online);
    return player.online;
  }
  const audited = (): string[] =>
    audit.map(entry => `${"key" in entry && entry.key} ${entry.action} ${entry.name}: ${entry.outcome}`);

  describe("a ban from the website", () => {
    it("kicks immediately, blocks joins from then on, and shows the reason and the duration", async () => {
      await begin();
      const steve = bridge.player("Steve");
      await ban("steve", { reason: "read the rules", for: "2h" });
      await isGone("Steve");
      expect(steve.removal?.reason).toMatch(/banned.*read the rules.*2/s);
      const before = await events();
      expect(before.at(-1)).toBe("leave Steve");
      expect(await comes("Steve")).toBe(false);
      expect([await events(), await online()]).toEqual([before, ["Alex"]]);
      await lift("Steve");
      await bridge.tick(10);
      expect(await comes("Steve")).toBe(true);
      await bridge.until(async () => (await online()).includes("Steve"));
      expect(audited()).toEqual(["moderator ban.add Steve: banned", "moderator ban.remove Steve: unbanned"]);
    });
  });

  describe("a ban from the game", () => {
    it("is in the list and in the audit log, with who made it", async () => {
      await begin();
      bridge.player("Alex").operator = true;
      bridge.player("Alex").command("/bridge:ban Steve spam");
      await isGone("Steve");
      bridge.world.command('bridge:ban "Kai"');
      await bridge.until(async () => (await list()).length === 2);
      expect(await bans()).toEqual(["Kai by game:Server", "Steve by game:Alex"]);
      bridge.world.command("bridge:unban Steve");
      await bridge.until(async () => (await list()).length === 1);
      expect(audited()).toEqual([
        "game:Alex ban.add Steve: banned",
        "game:Server ban.add Kai: banned",
        "game:Server ban.remove Steve: unbanned",
      ]);
      expect(audit[0]).toMatchObject({ reason: "spam", address: "game" });
    });

    it("holds while the sidecar is offline, reaches it later, and removes a ban from the website", async () => {
      await begin();
      await ban("Kai");
      await bridge.tick(10);
      await bridge.stopSidecar();
      bridge.world.command("bridge:ban Steve");
      bridge.world.command("bridge:unban Kai");
      await bridge.tick(40);
      expect(bridge.world.find("Steve")).toBeUndefined();
      expect([await comes("Steve"), await comes("Kai")]).toEqual([false, true]);
      await bridge.startSidecar();
      await bridge.until(async () => (await bans()).join() === "Steve by game:Server");
      await bridge.until(async () => (await online()).includes("Kai"));
      expect(audited()).toEqual([
        "moderator ban.add Kai: banned",
        "game:Server ban.add Steve: banned",
        "game:Server ban.remove Kai: unbanned",
      ]);
    });
  });
});

describe.each(LINKS)("over %s, an administrator", over => {
  let bridge: TestBridge;
  afterEach(() => bridge.stop());

  const headers = { "X-Service-Api-Key": ADMIN_KEY };
  const begin = async (game: Partial<SimulatorOptions> = {}): Promise<void> => {
    bridge = await TestBridge.start(["Steve"], { over }, game);
  };
  const send = (playerName: string, method = "POST"): Promise<Answer> =>
    bridge.ask("/whitelist", { method, headers, body: { playerName } });
  const add = async (name: string): Promise<number> => (await bridge.during(send(name))).status;
  const remove = async (name: string): Promise<number> => (await bridge.during(send(name, "DELETE"))).status;
  const list = async (): Promise<unknown> => (await bridge.askGame("/whitelist", { headers })).json;

  describe("the whitelist", () => {
    it("is the game's own list, including names added in the game", async () => {
      await begin();
      for (const name of ["Gamer Tag", "名前"]) bridge.world.allowList.put({ name });
      bridge.world.allowList.put({ xuid: "2535000000000001" });
      for (const name of ["b", "Z", "b"]) expect(await add(name)).toBe(202);
      expect(await list()).toEqual(["Gamer Tag", "Z", "b", "名前"]);
      for (const name of ["b", "Gamer Tag"]) expect(await remove(name)).toBe(200);
      expect(bridge.world.allowList.names).toEqual(["名前", "Z"]);
      expect(bridge.world.allowList.entries).toHaveLength(3);
      expect([await remove("b"), await remove("Gamer Tag")]).toEqual([404, 400]);
    });
  });
});
