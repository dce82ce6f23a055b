import { afterEach, describe, expect, it } from "@jest/globals";
import { LINKS, TestBridge } from "../helpers/bridge.ts";
import { Browser } from "../helpers/browser.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

describe.each(LINKS)("over %s, players with several languages", over => {
  it("get requests and messages in their own language", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { over });
    const steve = bridge.player("Steve");
    steve.locale = "de_DE";
    const browser = await Browser.open(bridge);
    const other = await Browser.open(bridge);
    expect((await browser.link("Steve")).status).toBe(202);
    expect((await other.link("Alex")).status).toBe(202);
    await bridge.until(() => steve.form && bridge.player("Alex").form);
    expect(steve.form?.buttons).toEqual(["Annehmen", "Ablehnen"]);
    expect(steve.form?.body).toContain(`Browser ${browser.userId.slice(0, 8)}`);
    expect(bridge.player("Alex").form?.buttons).toEqual(["Accept", "Decline"]);
    steve.answer(0);
    await browser.reaches("accepted");
    await browser.unlink();
    await bridge.until(() => steve.chat.length > 0);
    expect(steve.chat).toEqual(["§eDeine Browser-Verknüpfung wurde aufgehoben."]);
  });
});

describe.each(LINKS)("over %s, /bridge:unlink", over => {
  it("ends every link to the player, and no other one", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { over });
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    const [one, two, foreign, waiting] = [
      await Browser.open(bridge),
      await Browser.open(bridge),
      await Browser.open(bridge),
      await Browser.open(bridge),
    ];
    await one.linkTo(steve);
    await two.linkTo(steve);
    await foreign.linkTo(alex);
    await waiting.link("Steve");
    await bridge.until(() => steve.form);
    steve.closeForm();
    steve.command("/bridge:unlink");
    await one.reaches("not_linked");
    await two.reaches("not_linked");
    expect(await foreign.status()).toBe("accepted");
    expect(await waiting.status()).toBe("pending");
    await bridge.until(() => steve.chat.length === 2);
    expect(steve.chat).toEqual(["Your browser links are being removed.", "§eYour browser link was removed."]);
    await bridge.until(() => steve.form);
    steve.closeForm();
    await bridge.tick(25);
    steve.closeForm();
    steve.command("/bridge:unlink");
    await bridge.until(() => steve.chat.length === 4);
    expect(steve.chat.at(-1)).toBe("No browser is linked to you.");
  });
});
