import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, formOf } from "../helpers/browser.ts";

const TIMEOUT_MS = 20_000;
const yaml = "modules.api.verification-timeout: 20s";

let bridge: TestBridge;
afterEach(() => bridge.stop());

async function begin(...players: string[]): Promise<Browser> {
  bridge = await TestBridge.start(players, { yaml });
  return Browser.open(bridge);
}

describe("the link form", () => {
  it("links the browser when the player accepts", async () => {
    const browser = await begin("Steve", "Alex");
    expect(await browser.linked()).toEqual({ status: "not_linked" });
    expect((await browser.link("Steve")).json).toEqual({ status: "verification_sent" });
    expect(await browser.linked()).toEqual({ status: "pending" });
    const steve = bridge.player("Steve");
    const form = await formOf(bridge, steve);
    expect(form.title).toBe("Link your browser?");
    expect(form.body).toContain(browser.label);
    expect(form.buttons).toEqual(["Accept", "Decline"]);
    steve.answer(ACCEPT);
    await browser.reaches("accepted");
    const { json: players } = await bridge.ask("/players");
    expect((await browser.linked()).playerData).toEqual((players as unknown[])[0]);
    await bridge.tick(100);
    expect(steve.formsShown).toBe(1);
    expect(bridge.player("Alex").formsShown).toBe(0);
  });

  it("closes at the timeout, when the browser is declined too", async () => {
    const browser = await begin("Steve");
    const asked = bridge.clock.now();
    await browser.link("Steve");
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    await bridge.until(() => !steve.form);
    expect(bridge.clock.now() - asked).toBeGreaterThanOrEqual(TIMEOUT_MS);
    expect(bridge.clock.now() - asked).toBeLessThan(TIMEOUT_MS + 1_000);
    await browser.reaches("declined");
    await bridge.tick(100);
    expect(steve.formsShown).toBe(1);
  });
});

describe("the player of a link", () => {
  it("is told when it ends, and nobody else is", async () => {
    const browser = await begin("Steve", "Alex");
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    await browser.linkTo(steve);
    expect((await browser.unlink()).json).toEqual({ status: "unlinked" });
    await bridge.until(() => steve.chat.length > 0);
    await bridge.tick(20);
    expect([steve.chat, alex.chat]).toEqual([["§eYour browser link was removed."], []]);
    expect((await browser.unlink()).status).toBe(400);
  });
});
