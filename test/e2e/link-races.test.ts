import { afterEach, describe, expect, it } from "@jest/globals";
import { onlyPath, outage } from "../../lab/simulator/faults.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, DECLINE, formOf } from "../helpers/browser.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

async function begin(...players: string[]): Promise<Browser> {
  bridge = await TestBridge.start(players, { yaml: "modules.api.trust-proxy: true" });
  return Browser.open(bridge);
}

describe("several browsers", () => {
  it("may ask at the same moment", async () => {
    const one = await begin("Steve");
    const two = await Browser.open(bridge);
    const answers = await bridge.during(Promise.all([one.sendLink("Steve"), two.sendLink("Steve")]));
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const steve = bridge.player("Steve");
    const shown = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const { body } = await formOf(bridge, steve);
      const asking = body.includes(one.label) ? one : two;
      expect(body).toContain(asking.label);
      shown.add(asking.label);
      steve.answer(ACCEPT);
      await asking.reaches("accepted");
    }
    expect(shown.size).toBe(2);
  });
});

describe("one browser", () => {
  it("that asks twice at the same moment gets one form", async () => {
    const browser = await begin("Steve");
    const both = Promise.all([browser.sendLink("Steve"), browser.sendLink("Steve")]);
    const answers = await bridge.during(both);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    expect((await browser.link("Steve")).json).toEqual({ status: "already_pending" });
    steve.answer(DECLINE);
    await browser.reaches("declined");
    await bridge.tick(60);
    expect(steve.formsShown).toBe(1);
  });
});

describe("a game that hangs", () => {
  it("gives 500 after 10 s and no form later", async () => {
    const browser = await begin("Steve");
    bridge.frozen = true;
    const asked = bridge.clock.now();
    const answer = await browser.link("Steve");
    expect(answer.json).toEqual({ error: "unexpected_result" });
    expect(bridge.clock.now() - asked).toBeGreaterThanOrEqual(10_000);
    expect(bridge.clock.now() - asked).toBeLessThan(11_000);
    expect(await browser.status()).toBe("not_linked");
    bridge.frozen = false;
    await bridge.tick(200);
    expect(bridge.player("Steve").formsShown).toBe(0);
    await browser.linkTo(bridge.player("Steve"));
  });

  it("for a shorter time answers when it goes on", async () => {
    const browser = await begin("Steve");
    bridge.frozen = true;
    const asked = browser.sendLink("Steve");
    await bridge.tick(100);
    bridge.frozen = false;
    expect((await bridge.during(asked)).status).toBe(202);
    await formOf(bridge, bridge.player("Steve"));
  });

  it("keeps its earlier links, and answers them late rather than never", async () => {
    const browser = await begin("Steve");
    await browser.link("Steve");
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    bridge.frozen = true;
    await bridge.tick(400);
    expect((await bridge.ask("/players")).status).toBe(503);
    expect(await browser.status()).toBe("pending");
    steve.answer(ACCEPT);
    bridge.frozen = false;
    await browser.reaches("accepted");
  });
});

describe("a world that lags", () => {
  it.each([4, 1])("at %d ticks a second still shows the form and takes the answer", async tps => {
    const browser = await begin("Steve");
    bridge.tickMs = 1_000 / tps;
    expect((await browser.link("Steve")).status).toBe(202);
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    steve.answer(ACCEPT);
    await browser.reaches("accepted");
    expect(steve.formsShown).toBe(1);
  });
});

describe("a form whose outcome does not arrive", () => {
  it("[FORM-8] is closed again, since the browser was told that nothing came of it", async () => {
    const browser = await begin("Steve");
    const steve = bridge.player("Steve");
    bridge.running.http.setFaults(onlyPath("/bridge/facts", outage()));
    const asked = browser.sendLink("Steve");
    await formOf(bridge, steve);
    expect((await bridge.during(asked)).json).toEqual({ error: "unexpected_result" });
    expect(await browser.status()).toBe("not_linked");
    await bridge.until(() => !steve.form);
    bridge.running.http.setFaults(undefined);
    await bridge.tick(200);
    expect([steve.form, steve.formsShown]).toEqual([undefined, 1]);
    expect(await browser.status()).toBe("not_linked");
  });
});
