import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, formOf } from "../helpers/browser.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const start = async (...players: string[]): Promise<void> => {
  bridge = await TestBridge.start(players, { yaml: "modules.api.trust-proxy: true" });
};

describe("a player who blocks requests", () => {
  it("declines what is open and what waits, and can be asked again after /bridge:unblock", async () => {
    await start("Steve");
    const steve = bridge.player("Steve");
    const [shown, waiting] = [await Browser.open(bridge), await Browser.open(bridge)];
    for (const browser of [shown, waiting]) expect((await browser.link("Steve")).status).toBe(202);
    await formOf(bridge, steve);
    steve.closeForm();
    steve.command("/bridge:block");
    await shown.reaches("declined");
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
  it("goes from the list at once, stays linked and counted, and is heard", async () => {
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
    steve.say("still here");
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

/** What the web is told of Steve, without the health. */
async function figures(): Promise<object | undefined> {
  const { json } = await bridge.ask("/players");
  const row = (json as Record<string, unknown>[]).find(({ name }) => name === "Steve");
  return row && { deaths: row.deaths, playerKills: row.playerKills, playtimeSeconds: row.playtimeSeconds };
}
const deaths = async (count: number): Promise<boolean> =>
  JSON.stringify(await figures()).includes(`"deaths":${count}`);

describe("/bridge:forget", () => {
  it("asks in the player's language, and the web has figures again from the next visit only, after /reload too", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { yaml: "modules.api.metrics-refresh-interval: 1s" });
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
      title: "Soll alles über dich vergessen werden?",
      buttons: ["Vergessen", "Behalten"],
    });
    steve.answer(1);
    await bridge.tick(40);
    expect(await figures()).toMatchObject({ deaths: 1, playerKills: 1 });

    steve.command("/bridge:forget");
    await bridge.until(() => steve.form);
    steve.answer(0);
    const nothing = { deaths: 0, playerKills: 0, playtimeSeconds: 0 };
    await bridge.until(() => deaths(0));
    expect(steve.chat.at(-1)).toMatch(/^Alles über dich ist vergessen/);
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
