import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, DECLINE, formOf } from "../helpers/browser.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

async function asked(): Promise<Browser> {
  bridge = await TestBridge.start(["Steve"]);
  const browser = await Browser.open(bridge);
  await browser.link("Steve");
  await formOf(bridge, bridge.player("Steve"));
  return browser;
}

describe("an answer of the player", () => {
  it.each([
    ["accepted", ACCEPT],
    ["declined", DECLINE],
  ])("is not lost while the sidecar is down (%s)", async (status, button) => {
    const browser = await asked();
    const steve = bridge.player("Steve");
    await bridge.stopSidecar();
    await bridge.tick(5);
    steve.answer(button);
    await bridge.tick(100);
    await bridge.startSidecar();
    await browser.reaches(status);
    await bridge.tick(100);
    expect(steve.formsShown).toBe(1);
  });
});

describe("pack and sidecar", () => {
  it("find each other again after every restart, in either order", async () => {
    bridge = await TestBridge.start(["Steve"]);
    for (let i = 0; i < 3; i++) {
      await bridge.stopSidecar();
      await bridge.tick(10 * i);
      await bridge.startSidecar();
      await bridge.enter();
      await bridge.stopGame(i % 2 === 0 ? "kill" : "stop");
      await bridge.tick(10 * i);
      await bridge.startGame();
      await bridge.enter("Steve");
    }
    await (await Browser.open(bridge)).linkTo(bridge.player("Steve"));
  });
});
