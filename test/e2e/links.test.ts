import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, countShows, DECLINE, formOf } from "../helpers/browser.ts";
import { ManualClock } from "../helpers/clock.ts";

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

  it("leaves the browser declined when the player declines", async () => {
    const browser = await begin("Steve");
    await browser.link("Steve");
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    steve.answer(DECLINE);
    await browser.reaches("declined");
    await bridge.tick(100);
    expect(await browser.linked()).toEqual({ status: "declined" });
    expect(steve.formsShown).toBe(1);
  });

  it("[TIME-1] opens also when the clock of the sidecar was set back while the pack waited", async () => {
    const clock = new ManualClock();
    bridge = await TestBridge.start(["Steve"], { clock }, { now: clock.monotonic });
    const browser = await Browser.open(bridge);
    clock.setBack(3_600_000);
    expect((await browser.link("Steve")).status).toBe(202);
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    steve.answer(ACCEPT);
    await browser.reaches("accepted");
    expect((await bridge.ask("/status")).status).toBe(200);
  });

  it.each([
    ["back", 3_600_000],
    ["forward", -3_600_000],
  ])("is open as long as ever when the clock of the sidecar is set %s meanwhile", async (_where, byMs) => {
    const clock = new ManualClock();
    bridge = await TestBridge.start(["Steve"], { clock, yaml }, { now: clock.monotonic });
    const browser = await Browser.open(bridge);
    await browser.link("Steve");
    const asked = clock.monotonic();
    clock.setBack(byMs);
    await bridge.tick(100);
    expect(await browser.status()).toBe("pending");
    await formOf(bridge, bridge.player("Steve"));
    await browser.reaches("declined");
    expect(clock.monotonic() - asked).toBeLessThan(TIMEOUT_MS + 1_000);
  });

  it("closes at the timeout, and the sweep records the request as declined", async () => {
    const browser = await begin("Steve");
    const asked = bridge.clock.now();
    await browser.link("Steve");
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    await bridge.until(() => !steve.form);
    expect(bridge.clock.now() - asked).toBeGreaterThanOrEqual(TIMEOUT_MS);
    expect(bridge.clock.now() - asked).toBeLessThan(TIMEOUT_MS + 1_000);
    await bridge.until(async () => (await bridge.store.read(browser.userId)).link.status === "declined");
    expect(bridge.clock.now() - asked).toBeLessThan(TIMEOUT_MS * 1.25 + 1_000);
    expect(await browser.status()).toBe("declined");
    await bridge.tick(100);
    expect(steve.formsShown).toBe(1);
  });

  it("opens again within 4 s after each time it is closed without a choice", async () => {
    const browser = await begin("Steve");
    await browser.link("Steve");
    const steve = bridge.player("Steve");
    for (let i = 0; i < 3; i++) {
      await formOf(bridge, steve);
      const closed = bridge.clock.now();
      steve.closeForm();
      expect((await formOf(bridge, steve)).body).toContain(browser.label);
      expect(bridge.clock.now() - closed).toBeLessThanOrEqual(4_000);
      expect(await browser.status()).toBe("pending");
    }
    steve.answer(ACCEPT);
    await browser.reaches("accepted");
  });

  it("waits for a busy player, tries at most twice a second, and comes when they are free", async () => {
    const browser = await begin("Steve");
    const steve = bridge.player("Steve");
    steve.busy = true;
    const shows = countShows(steve);
    expect((await browser.link("Steve")).status).toBe(202);
    await bridge.tick(200);
    expect(shows()).toBeGreaterThan(3);
    expect(shows()).toBeLessThanOrEqual(21);
    expect(await browser.status()).toBe("pending");
    steve.busy = false;
    const freed = bridge.clock.now();
    await formOf(bridge, steve);
    expect(bridge.clock.now() - freed).toBeLessThanOrEqual(1_000);
    steve.answer(ACCEPT);
    await browser.reaches("accepted");
  });

  it("is never shown to a player who stays busy until the timeout", async () => {
    const browser = await begin("Steve");
    const steve = bridge.player("Steve");
    steve.busy = true;
    await browser.link("Steve");
    await browser.reaches("declined");
    steve.busy = false;
    await bridge.tick(100);
    expect(steve.formsShown).toBe(0);
  });

  it("comes again to a player who leaves and joins again, until the timeout", async () => {
    const browser = await begin("Steve");
    await browser.link("Steve");
    await formOf(bridge, bridge.player("Steve"));
    for (let i = 0; i < 2; i++) {
      bridge.player("Steve").leave();
      await bridge.tick(20);
      expect(await browser.status()).toBe("pending");
      const again = bridge.join("Steve");
      const joined = bridge.clock.now();
      expect((await formOf(bridge, again)).body).toContain(browser.label);
      expect(bridge.clock.now() - joined).toBeLessThanOrEqual(4_000);
    }
    bridge.player("Steve").leave();
    await browser.reaches("declined");
    const late = bridge.join("Steve");
    await bridge.tick(150);
    expect(late.formsShown).toBe(0);
  });

  it("follows the player to another name", async () => {
    const browser = await begin("Steve");
    const steve = bridge.player("Steve");
    await browser.link("Steve");
    await formOf(bridge, steve);
    steve.leave();
    await bridge.tick(5);
    const renamed = bridge.world.join("Alex", { persistentId: steve.persistentId });
    expect((await formOf(bridge, renamed)).body).toContain(browser.label);
  });

  it("can be answered after a rejoin", async () => {
    const browser = await begin("Steve");
    await browser.link("Steve");
    await formOf(bridge, bridge.player("Steve"));
    bridge.player("Steve").leave();
    await bridge.tick(5);
    const again = bridge.join("Steve");
    await formOf(bridge, again);
    again.answer(ACCEPT);
    await bridge.until(async () => (await browser.linked()).playerData?.name === "Steve");
  });
});

describe("an accepted link", () => {
  it("shows no data while the player is away, and the same player when they are back", async () => {
    const browser = await begin("Steve");
    await browser.linkTo(bridge.player("Steve"));
    const before = (await browser.linked()).playerData;
    bridge.player("Steve").leave();
    await bridge.until(async () => !(await browser.linked()).playerData);
    expect(await browser.linked()).toEqual({ status: "accepted" });
    bridge.join("Steve");
    await bridge.until(async () => (await browser.linked()).playerData);
    expect((await browser.linked()).playerData).toMatchObject({ name: "Steve", uuid: uuidOf(before) });
  });

  it("ends by unlinking, of which that player alone is told", async () => {
    const browser = await begin("Steve", "Alex");
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    await browser.linkTo(steve);
    expect((await browser.unlink()).json).toEqual({ status: "unlinked" });
    expect(await browser.linked()).toEqual({ status: "not_linked" });
    await bridge.until(() => steve.chat.length > 0);
    await bridge.tick(20);
    expect(steve.chat).toEqual(["§eYour browser link was removed."]);
    expect(alex.chat).toEqual([]);
    expect((await browser.unlink()).status).toBe(400);
  });

  it("ends by unlinking while the player is away, who is not told later", async () => {
    const browser = await begin("Steve");
    await browser.linkTo(bridge.player("Steve"));
    bridge.player("Steve").leave();
    await bridge.tick(20);
    expect((await browser.unlink()).status).toBe(200);
    await bridge.tick(20);
    const again = bridge.join("Steve");
    await bridge.tick(60);
    expect(again.chat).toEqual([]);
    expect(await browser.status()).toBe("not_linked");
  });

  it("stays when somebody is asked for who is not online, and ends when somebody is", async () => {
    const browser = await begin("Steve", "Alex");
    await browser.linkTo(bridge.player("Steve"));
    expect((await browser.link("Nobody")).json).toEqual({ error: "player_offline" });
    expect((await browser.linked()).playerData?.name).toBe("Steve");
    expect((await browser.link("Alex")).status).toBe(202);
    expect(await browser.linked()).toEqual({ status: "pending" });
    const alex = bridge.player("Alex");
    await formOf(bridge, alex);
    alex.answer(ACCEPT);
    await bridge.until(async () => (await browser.linked()).playerData?.name === "Alex");
    expect(bridge.player("Steve").formsShown).toBe(1);
  });

  it("follows the player to another name", async () => {
    const browser = await begin("Steve");
    const steve = bridge.player("Steve");
    await browser.linkTo(steve);
    const before = (await browser.linked()).playerData;
    steve.leave();
    await bridge.tick(20);
    bridge.world.join("Steve the Second", { persistentId: steve.persistentId });
    await bridge.until(async () => (await browser.linked()).playerData?.name === "Steve the Second");
    expect(uuidOf((await browser.linked()).playerData)).toBe(uuidOf(before));
  });

  it("may be held by several browsers of one player", async () => {
    const one = await begin("Steve");
    const two = await Browser.open(bridge);
    const steve = bridge.player("Steve");
    await one.linkTo(steve);
    await two.linkTo(steve);
    await one.unlink();
    expect([await one.status(), await two.status()]).toEqual(["not_linked", "accepted"]);
  });
});

const uuidOf = (player: unknown): unknown => (player as { uuid: string }).uuid;
