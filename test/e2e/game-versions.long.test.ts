import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, formOf } from "../helpers/browser.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const headers = { "X-Service-Api-Key": ADMIN_KEY };

/** What a user can do with the bridge; each answers whether it works. */
const FEATURES = {
  listing: async () => (await bridge.ask("/players")).text.includes('"name":"Steve"'),
  "game chat": async () => {
    const socket = await bridge.socket();
    bridge.player("Steve").say("to the web");
    await bridge.tick(10);
    return socket.received.some(({ content }) => content === "§§<Steve> §§to the web");
  },
  "web chat": async () => {
    (await bridge.socket()).say("to the game");
    await bridge.tick(10);
    return bridge.player("Steve").chat.includes("§7[Web]§r <Guest> to the game");
  },
  links: async () => {
    const browser = await Browser.open(bridge);
    if ((await browser.link("Steve")).status !== 202) return false;
    await formOf(bridge, bridge.player("Steve"));
    bridge.player("Steve").answer(ACCEPT);
    await bridge.tick(10);
    return (await browser.status()) === "accepted";
  },
  deaths: async () => {
    bridge.player("Steve").die();
    await bridge.tick(50);
    return (await bridge.ask("/players")).text.includes('"deaths":1');
  },
  "adding to the whitelist": async () => {
    const body = { playerName: "Noor" };
    return (await bridge.askGame("/whitelist", { headers, body })).status === 202;
  },
  "reading the whitelist": async () => {
    bridge.world.allowList.put({ name: "Alex" });
    const { status, text } = await bridge.askGame("/whitelist", { headers });
    return status === 200 && text.includes("Alex");
  },
  "removing from the whitelist": async () => {
    bridge.world.allowList.put({ name: "Kim" });
    const body = { playerName: "Kim" };
    return (await bridge.askGame("/whitelist", { method: "DELETE", headers, body })).status === 200;
  },
  leaving: async () => {
    bridge.player("Steve").leave();
    await bridge.tick(50);
    return (await bridge.ask("/players")).text === "[]";
  },
};
type Feature = keyof typeof FEATURES;

async function broken(): Promise<Feature[]> {
  const failed: Feature[] = [];
  for (const name of Object.keys(FEATURES) as Feature[]) if (!(await FEATURES[name]())) failed.push(name);
  return failed;
}

const WHITELIST: Feature[] = [
  "adding to the whitelist",
  "reading the whitelist",
  "removing from the whitelist",
];
const MEMBERS: [string, string, Feature[]][] = [
  ["WorldAfterEvents.chatSend", "chatSend", ["game chat"]],
  ["WorldAfterEvents.worldLoad", "worldLoad", []],
  ["WorldAfterEvents.playerSpawn", "playerSpawn", []],
  ["WorldAfterEvents.playerLeave", "playerLeave", []],
  ["WorldAfterEvents.entityDie", "entityDie", ["deaths"]],
  ["SystemBeforeEvents.shutdown", "shutdown", []],
  ["System.run", "system.run:", []],
  ["System.runInterval", "system.runInterval", []],
  ["System.currentTick", "system.currentTick", []],
  ["World.getAllPlayers", "getAllPlayers", []],
  ["World.sendMessage", "sendMessage", ["web chat"]],
  ["World.getDynamicProperty", "getDynamicProperty", []],
  ["World.setDynamicProperty", "setDynamicProperty", []],
  ["Player.persistentId", "persistentId", []],
  ["HttpClient.cancelAll", "cancelAll", []],
  ["@minecraft/server-ui.ActionFormData", "ActionFormData", ["links"]],
  ["UIManager.closeAllForms", "closeAllForms", []],
  ["@minecraft/server-admin.dedicatedServer", "dedicatedServer", WHITELIST],
  ["DedicatedServerUtils.allowList", "allowList", WHITELIST],
  ["AllowList.add", "add", ["adding to the whitelist"]],
  ["AllowList.contains", "contains", []],
  ["AllowList.entries", "entries", ["reading the whitelist", "removing from the whitelist"]],
  ["AllowList.remove", "remove", ["removing from the whitelist"]],
];

describe("a game that offers everything", () => {
  it("says nothing but that it is connected, and everything works", async () => {
    await begin();
    expect(await broken()).toEqual([]);
    expect(bridge.linesWith("")).toEqual([expect.stringContaining("connected to the sidecar")]);
  });
});

describe("a game without a member", () => {
  it.each(MEMBERS)("%s names it once, and the rest works", async (omit, name, without) => {
    await begin(omit);
    expect(await broken()).toEqual(without);
    expect(bridge.linesWith("does not offer")).toEqual([expect.stringContaining(name)]);
    expect(bridge.linesWith("")).toHaveLength(2);
  });

  it.each(["chatDisplayName", "chatMessagePrefix"])("Player.%s relays the rest of the line", async key => {
    await begin(`Player.${key}`);
    expect(await broken()).toEqual([]);
  });
});

async function begin(omit?: string): Promise<void> {
  const yaml = "modules.api.metrics-refresh-interval: 1s";
  bridge = await TestBridge.start(["Steve"], { yaml }, omit === undefined ? {} : { omit: [omit] });
  await bridge.until(() => bridge.linesWith("connected to the sidecar").length > 0);
}
