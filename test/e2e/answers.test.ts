import { afterEach, describe, expect, it } from "@jest/globals";
import { loseRequests, loseResponses, onlyPath, outage } from "../../lab/simulator/faults.ts";
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

  it.each([
    ["is refused", outage()],
    ["never arrives", loseRequests(1, 1)],
    ["is reset before the response", loseResponses(1, 1, "atOnce")],
    ["gets no response", loseResponses(1, 1, "atTimeout")],
  ])("[FACT-4] [FORM-4] is not lost, nor asked for again, when its request %s", async (_what, faults) => {
    const browser = await asked();
    const steve = bridge.player("Steve");
    bridge.running.http.setFaults(onlyPath("/bridge/facts", faults));
    steve.answer(ACCEPT);
    await bridge.tick(200);
    bridge.running.http.setFaults(undefined);
    await browser.reaches("accepted");
    await bridge.tick(60);
    expect(steve.formsShown).toBe(1);
  });

  it("is asked for again when it was given to a game that crashed before it could tell", async () => {
    const browser = await asked();
    await bridge.stopSidecar();
    bridge.player("Steve").answer(ACCEPT);
    await bridge.tick(5);
    await bridge.stopGame("kill");
    await bridge.startSidecar();
    await bridge.startGame();
    await bridge.enter("Steve");
    expect(await browser.status()).toBe("pending");
    const steve = bridge.player("Steve");
    expect((await formOf(bridge, steve)).body).toContain(browser.label);
    steve.answer(DECLINE);
    await browser.reaches("declined");
  });

  it("to the old form counts for nothing after /reload, and the form is asked again", async () => {
    const browser = await asked();
    const steve = bridge.player("Steve");
    await bridge.running.reload();
    await bridge.tick(20);
    steve.answer(ACCEPT);
    await bridge.tick(10);
    expect(await browser.status()).toBe("pending");
    expect((await formOf(bridge, steve)).body).toContain(browser.label);
    steve.answer(ACCEPT);
    await browser.reaches("accepted");
  });

  it("in the tick before the restart of the game is kept by an orderly stop", async () => {
    const browser = await asked();
    bridge.player("Steve").answer(ACCEPT);
    await bridge.tick(4);
    await bridge.stopGame("stop");
    await browser.reaches("accepted");
    await bridge.startGame();
    await bridge.enter("Steve");
    await bridge.tick(60);
    expect(bridge.player("Steve").formsShown).toBe(0);
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
