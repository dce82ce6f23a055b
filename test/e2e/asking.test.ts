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
