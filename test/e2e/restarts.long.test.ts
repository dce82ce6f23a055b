import { afterEach, describe, expect, it } from "@jest/globals";
import { LINKS, type Link, TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, DECLINE, formOf } from "../helpers/browser.ts";

const yaml = "modules.api.verification-timeout: 30s";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const RESTARTS = ["sidecar", "game", "sidecar and crash of the game"] as const;
type Restart = (typeof RESTARTS)[number];

async function begin(over: Link): Promise<Browser> {
  bridge = await TestBridge.start(["Steve", "Alex"], { over, yaml });
  return Browser.open(bridge);
}

/** Restarts these parts; the players join the new game. */
async function restart(what: Restart): Promise<void> {
  const withGame = what !== "sidecar";
  const withSidecar = what.startsWith("sidecar");
  const online = bridge.world.players.map(({ name, busy }) => ({ name, busy }));
  if (withGame) await bridge.stopGame(what === "game" ? "stop" : "kill");
  if (withSidecar) await bridge.stopSidecar();
  await bridge.tick(20);
  if (withSidecar) await bridge.startSidecar();
  if (!withGame) {
    await bridge.enter();
    return;
  }
  await bridge.startGame();
  for (const { name, busy } of online) bridge.join(name).busy = busy;
  await bridge.enter();
}

/** Forms that this player gets within the next five seconds, by browser. */
async function formsWithin5s(name: string): Promise<number> {
  const before = bridge.player(name).formsShown;
  await bridge.tick(100);
  return bridge.player(name).formsShown - before;
}

const ALL = LINKS.flatMap(over => RESTARTS.map(what => ({ over, what })));

describe.each(ALL)("over $over, a restart of the $what", ({ over, what }) => {
  it("keeps the state of each browser, and sends no request again", async () => {
    const [free, linked, declined] = [
      await begin(over),
      await Browser.open(bridge),
      await Browser.open(bridge),
    ];
    await linked.linkTo(bridge.player("Steve"));
    const { playerData } = await linked.linked();
    await declined.link("Steve");
    await formOf(bridge, bridge.player("Steve"));
    bridge.player("Steve").answer(DECLINE);
    await declined.reaches("declined");
    await restart(what);
    expect([await free.status(), await declined.status()]).toEqual(["not_linked", "declined"]);
    const after = await linked.linked();
    expect(after).toMatchObject({ status: "accepted", playerData: { name: "Steve" } });
    expect(after.playerData).toHaveProperty("uuid", (playerData as { uuid?: string })?.uuid);
    expect(await formsWithin5s("Steve")).toBe(0);
    expect((await linked.unlink()).status).toBe(200);
    await free.linkTo(bridge.player("Steve"));
  });

  it("[FORM-9] keeps a request with an open form, which can still be answered", async () => {
    const browser = await begin(over);
    await browser.link("Steve");
    await formOf(bridge, bridge.player("Steve"));
    await restart(what);
    expect(await browser.status()).toBe("pending");
    expect((await browser.sendLink("Alex")).status).toBe(409);
    const steve = bridge.player("Steve");
    expect((await formOf(bridge, steve)).body).toContain(browser.label);
    steve.answer(ACCEPT);
    await browser.reaches("accepted");
    expect(await formsWithin5s("Steve")).toBe(0);
    if (what === "sidecar") expect(steve.formsShown).toBe(1);
    expect(bridge.player("Alex").formsShown).toBe(0);
  });
});

it.each(LINKS)(
  "[RETRY-7] over %s, relays chat within two seconds after a killed sidecar restarts, six times within twenty",
  async over => {
    bridge = await TestBridge.start(["Steve"], { over, yaml });
    const begun = bridge.clock.now();
    const took: number[] = [];
    for (let i = 0; i < 6; i++) {
      await bridge.tick(30);
      // As the game sees a killed sidecar.
      bridge.running.http.cancelAll("connection reset");
      await bridge.stopSidecar();
      await bridge.tick(10);
      await bridge.startSidecar();
      const socket = await bridge.socket();
      const from = bridge.clock.now();
      await bridge.say("Steve", `line ${i}`);
      await bridge.until(() => socket.received.some(({ content }) => content?.includes(`line ${i}`)));
      took.push(bridge.clock.now() - from);
    }
    expect(bridge.clock.now() - begun).toBeLessThan(20_000);
    expect(Math.max(...took)).toBeLessThanOrEqual(2_000);
  },
);
