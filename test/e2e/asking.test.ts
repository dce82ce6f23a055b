import { afterEach, describe, expect, it } from "@jest/globals";
import type { Player } from "../../lab/simulator/simulator.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, countShows, DECLINE, formOf } from "../helpers/browser.ts";
import type { Answer } from "../helpers/client.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const start = async (...players: string[]): Promise<void> => {
  bridge = await TestBridge.start(players, { yaml: "modules.api.trust-proxy: true" });
};

/** A browser that was made up by a client and asks for Steve from an address. */
const ask = (n: number, address: string): Promise<Answer> =>
  bridge.ask("/link-player", {
    cookie: `website_user_uuid=${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
    body: { username: "Steve" },
    headers: { "X-Forwarded-For": address },
  });

/** 43 browsers ask within 20 s, each from an address of its own; the player declines every form at once. */
async function flood(steve: Player) {
  const shows = countShows(steve);
  const answers: Promise<Answer>[] = [];
  for (let tick = 0; tick < 400; tick++) {
    if (tick % 9 === 0 && answers.length < 43) answers.push(ask(answers.length, `192.0.2.${answers.length}`));
    if (steve.form) steve.answer(DECLINE);
    await bridge.tick();
  }
  const statuses = (await bridge.during(Promise.all(answers))).map(({ status }) => status);
  expect(statuses).toHaveLength(43);
  expect(statuses.every(status => status === 202 || status === 429)).toBe(true);
  return { forms: shows(), taken: statuses.filter(status => status === 202).length };
}

describe("43 browsers that ask one player within 20 s", () => {
  it("show ten forms, and the player learns how to stop them", async () => {
    await start("Steve");
    const steve = bridge.player("Steve");
    const { forms, taken } = await flood(steve);
    expect([forms, taken]).toEqual([10, 10]);
    expect(steve.chat).toEqual(["§eToo many link requests? /bridge:block stops them."]);
    steve.command("/bridge:block");
    await bridge.tick(1_200);
    const refused = await bridge.during(ask(100, "198.51.100.1"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect(steve.formsShown).toBe(10);
  });
});

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
