import { afterEach, describe, expect, it } from "@jest/globals";
import type { SimulatorOptions } from "../../lab/simulator/types.ts";
import type { AuditEntry } from "../../sidecar/ports.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";
import type { Answer } from "../helpers/client.ts";
import { createMemoryBans } from "../helpers/memory-bans.ts";
import { SIDECARS } from "../helpers/one-sidecar.ts";
import { MODERATOR_KEY, moderators } from "../helpers/sidecar.ts";

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
    { yaml, env: moderators(), audit: { write: async entry => void audit.push(entry) } },
    game,
  );
}

const ask = (method: string, body?: object): Promise<Answer> =>
  bridge.ask("/bans", { method, headers: { "X-Service-Api-Key": MODERATOR_KEY }, body });
async function done(method: "POST" | "DELETE", body: object): Promise<void> {
  const { status, json } = await bridge.during(ask(method, body));
  expect([status, json]).toEqual([200, { status: method === "POST" ? "banned" : "unbanned" }]);
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
  ((await bridge.ask("/events?format=json")).json as { event: string; player?: { name: string } }[]).flatMap(
    ({ event, player }) => (player ? [`${event} ${player.name}`] : []),
  );
const isGone = async (name: string): Promise<void> =>
  bridge.until(async () => bridge.world.find(name) === undefined && !(await online()).includes(name));
/** Somebody tries to join, with the persistent id of another one where that is given; whether she is in the world then. */
async function comes(name: string, persistentId?: string): Promise<boolean> {
  const player = bridge.world.join(name, persistentId === undefined ? {} : { persistentId });
  await bridge.tick(40);
  expect(player.sentAway === undefined).toBe(player.online);
  return player.online;
}
const audited = (): string[] =>
  audit.map(entry => `${"key" in entry && entry.key} ${entry.action} ${entry.name}: ${entry.outcome}`);

describe("a ban from the web", () => {
  it("sends away at once, keeps out from then on, and says why and for how long", async () => {
    await begin();
    const steve = bridge.player("Steve");
    await ban("steve", { reason: "read the rules", for: "2h" });
    await isGone("Steve");
    expect(steve.sentAway?.reason).toMatch(/banned.*read the rules.*2/s);
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

  it("ends by itself", async () => {
    await begin(["Alex"]);
    await ban("Steve", { for: "5s" });
    await bridge.tick(10);
    expect(await comes("Steve")).toBe(false);
    await bridge.tick(100);
    expect(await list()).toEqual([]);
    expect(await comes("Steve")).toBe(true);
  });

  it("by name is of the first who comes by it, renamed too, and of nobody who has the name later", async () => {
    await begin(["Alex"]);
    await ban("Steve");
    await bridge.tick(10);
    expect(await comes("Steve", "AAAA")).toBe(false);
    await bridge.until(async () => (await list())[0]?.uuid !== null);
    expect(await comes("Zoe", "aaaa")).toBe(false);
    expect(await comes("STEVE", "BBBB")).toBe(true);
    await bridge.until(async () => (await list())[0]?.name === "Zoe");
    expect(await list()).toHaveLength(1);
    bridge.world.command("bridge:unban Zoe");
    await bridge.until(async () => (await list()).length === 0);
    expect(await comes("Zoe", "aaaa")).toBe(true);
  });

  it.each([
    ["Jose\u0301", "José"],
    ["STRASSE", "Straße"],
    ["ΟΔΥΣΣΕΥΣ", "Οδυσσευς"],
    ["fire", "ﬁre"],
    ["Old Steve", "Old  Steve "],
    ["Steve", "Ｓｔｅｖｅ"],
  ])("of %j keeps %j out, who is there or comes", async (typed, name) => {
    await begin(["Alex", name]);
    await ban(typed);
    await isGone(name);
    await lift(typed);
    await ban(`  ${typed}`);
    await bridge.tick(10);
    expect(await comes(name)).toBe(false);
    bridge.world.command(`bridge:unban "${typed}"`);
    await bridge.until(async () => (await list()).length === 0);
    expect(await comes(name)).toBe(true);
  });

  it.each([
    [{ playerName: "Steve" }, ""],
    [{ playerName: "Steve" }, 'modules.api.known-players.show: "off"'],
  ])("of %j, who was forgotten, is away and comes back renamed, holds by id: %s", async (who, yaml) => {
    await begin(["Alex", "Steve"], undefined, yaml);
    const steve = bridge.player("Steve");
    const { persistentId } = steve;
    const [{ uuid } = { uuid: "" }] = (
      (await bridge.ask("/players")).json as { name: string; uuid: string }[]
    ).filter(({ name }) => name === "Steve");
    steve.command("/bridge:forget");
    await bridge.until(() => steve.form);
    steve.answer(0);
    await bridge.tick(20);
    steve.leave();
    await bridge.until(async () => !(await online()).includes("Steve"));
    for (const each of [who, { uuid }]) {
      await done("POST", each);
      await bridge.tick(10);
      expect(await comes("Alexis", persistentId)).toBe(false);
      expect(await list()).toMatchObject([{ name: "Alexis", uuid }]);
      await lift("Steve");
      await bridge.tick(10);
    }
  });

  it("of a uuid that nobody has seen sends the player away as she comes", async () => {
    await begin();
    const { uuid } = ((await bridge.ask("/players")).json as { name: string; uuid: string }[])[0] ?? {};
    await bridge.stopSidecar();
    bridge.bans = createMemoryBans("another");
    await bridge.stopGame();
    await bridge.startSidecar();
    await done("POST", { uuid });
    await bridge.startGame();
    await bridge.until(async () => (await bridge.ask("/players")).status === 200);
    bridge.join("Steve");
    await isGone("Steve");
    expect(await list()).toMatchObject([{ name: "Steve", uuid }]);
    expect(await comes("Steve")).toBe(false);
  });

  it("is taken without a game server, and reaches it when it is back", async () => {
    await begin();
    await bridge.stopGame();
    bridge.clock.advance(60_000);
    await ban("Steve");
    await bridge.startGame();
    await bridge.until(async () => (await bridge.ask("/players")).status === 200);
    await bridge.tick(10);
    expect(await comes("Steve")).toBe(false);
  });

  it("leaves links of the player, which give nothing", async () => {
    await begin();
    const browser = await Browser.open(bridge);
    await browser.linkTo(bridge.player("Steve"));
    const headers = { Cookie: browser.cookie };
    const forward = async () => (await bridge.ask("/session/forward", { headers })).status;
    expect(await forward()).toBe(200);
    await ban("Steve");
    expect([await forward(), await browser.status()]).toEqual([401, "accepted"]);
    const socket = await bridge.socket(headers);
    socket.unread();
    socket.send({ type: "CHAT", content: "hi" });
    expect(await socket.settled()).toEqual([{ type: "EXCEPTION", content: "not allowed" }]);
    await lift("Steve");
    await bridge.until(async () => (await forward()) === 200);
  });
});

describe("a ban from the game", () => {
  it("is in the list and in the audit under who has made it", async () => {
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

  it("holds while the sidecar is away, which hears of it later, and lifts what the web has banned", async () => {
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

describe("the list of bans", () => {
  it("unbans nobody where the sidecar is away, or has lost it", async () => {
    await begin();
    await ban("Steve");
    await isGone("Steve");
    await bridge.stopSidecar();
    await bridge.tick(40);
    expect(await comes("Steve")).toBe(false);
    expect(await comes("Kai")).toBe(true);
    bridge.bans = createMemoryBans("another");
    await bridge.startSidecar();
    await bridge.until(async () => (await bans()).join() === "Steve by moderator");
    expect(await comes("Steve")).toBe(false);
    // Several sidecars have not lost the list, which is in Redis.
    const toldAgain = SIDECARS > 1 ? [] : ["game:Server ban.add Steve: banned"];
    expect(audited()).toEqual(["moderator ban.add Steve: banned", ...toldAgain]);
  });

  it("has what was decided later of two who could not hear each other", async () => {
    await begin();
    await ban("Steve");
    await ban("Kai", { reason: "early" });
    await bridge.tick(10);
    bridge.frozen = true;
    await bridge.stopSidecar();
    bridge.frozen = false;
    bridge.world.command("bridge:unban Steve");
    bridge.world.command("bridge:unban Kai");
    await bridge.tick(20);
    await bridge.stopGame();
    bridge.clock.advance(60_000);
    await bridge.startSidecar();
    await ban("Kai", { reason: "late" });
    await bridge.startGame();
    await bridge.until(async () => (await list()).length === 1);
    expect(await list()).toMatchObject([{ name: "Kai", reason: "late" }]);
    await bridge.tick(20);
    expect([await comes("Steve"), await comes("Kai")]).toEqual([true, false]);
  });

  it.each([
    ["does not ask", { quirks: { script: { joins: "unasked" as const } } }],
    ["offers nothing for it", { omit: ["AdminBeforeEvents.asyncPlayerJoin"] }],
  ])("keeps a player from the web whom the game lets in since it %s", async (_, game) => {
    await begin(["Alex"], game);
    const socket = await bridge.socket();
    await ban("Steve");
    await bridge.tick(10);
    const before = await events();
    const steve = bridge.join("Steve");
    steve.say("hi");
    await isGone("Steve");
    await bridge.tick(120);
    expect([await events(), await online()]).toEqual([before, ["Alex"]]);
    expect((await socket.settled()).filter(({ type }) => type === "CHAT")).toEqual([]);
  });
});
