import { afterEach, describe, expect, it } from "@jest/globals";
import { table } from "../docs/pages.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { newSession } from "../helpers/client.ts";
import { Flood } from "../helpers/flood.ts";

const TICKS_PER_SECOND = 20;
const SECONDS = 20;
/** The numbers of the table for owners, by what they limit: burst and sustained. */
const ALLOWED = new Map(
  table("SECURITY.md", "visitors").map(([what = "", ...numbers]) => [
    what,
    numbers.map(text => Number.parseInt(text, 10)),
  ]),
);
const allowed = (what: string): [burst: number, sustained: number] => {
  const [burst = 0, sustained = 0] = ALLOWED.get(what) ?? [];
  return [burst, sustained];
};

let bridge: TestBridge;
let flood: Flood | undefined;
afterEach(async () => {
  flood?.end();
  flood = undefined;
  await bridge.stop();
});

/** The largest surplus of web messages over the allowed burst and rate, for any interval. */
function overflow(ticks: number[], perSecond: number): number {
  let [most, level, last] = [0, 0, 0];
  for (const tick of ticks) {
    level = Math.max(0, level - ((tick - last) / TICKS_PER_SECOND) * perSecond) + 1;
    most = Math.max(most, level);
    last = tick;
  }
  return most;
}

describe("a flood of messages from 50 addresses", () => {
  it("[FACT-12] stays within the table, delays no player in the game, and is logged", async () => {
    bridge = await TestBridge.start(["Steve"], {
      yaml: "modules: {api: {trust-proxy: true, limits: {requests-per-minute: 1000000}}}",
    });
    const visitor = await bridge.socket({ "X-Forwarded-For": "198.51.100.1" });
    const addresses = Array.from({ length: 50 }, (_, i) => `203.0.113.${i}`);
    const begun = new Flood(bridge.base, addresses, addresses.length);
    flood = begun;
    begun.pour(0);
    await bridge.tick(10);
    for (let second = 0; second < SECONDS; second++) {
      begun.pour(8);
      const line = `said in second ${second}`;
      bridge.player("Steve").say(line);
      await bridge.tick(TICKS_PER_SECOND);
      await bridge.until(() => visitor.received.some(({ content }) => content.endsWith(line)));
    }

    const reached = bridge.world.chat.filter(({ text }) => text.includes("flood"));
    const [burst, perSecond] = allowed("chat messages");
    expect(
      overflow(
        reached.map(({ tick }) => tick),
        perSecond,
      ),
    ).toBeLessThanOrEqual(burst);
    expect(reached.length).toBeGreaterThan(burst);

    bridge.player("Steve").operator = true;
    await bridge.tick(110);
    bridge.player("Steve").command("/bridge:status");
    await bridge.tick(2);
    expect(bridge.player("Steve").chat.at(-1)).toMatch(
      /\nChat messages rejected in the last minute: \d+, most from 203\.0\.\d+\.\d+\.$/,
    );

    await bridge.tick(60 * TICKS_PER_SECOND);
    const named = (bridge.side?.log.of("warn") ?? []).filter(({ message }) =>
      message.startsWith("Rejected requests"),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(named)).toContain("203.0.");
    expect(bridge.side?.log.text).not.toContain("flood");
  });
});

describe("link requests from 50 addresses for names that do not exist", () => {
  it("reach the game at the rate of the table, and block no player's requests", async () => {
    bridge = await TestBridge.start(["Steve"], { yaml: "modules: {api: {trust-proxy: true}}" });
    const seconds = 5;
    let calls = 0;
    const ask = async (username: string): Promise<number> => {
      const headers = { "X-Forwarded-For": `203.0.113.${calls++ % 50}` };
      const { cookie } = await newSession(bridge.base);
      return (await bridge.ask("/link-player", { cookie, headers, body: { username } })).status;
    };
    const answers: Promise<number>[] = [];
    for (let second = 0; second < seconds; second++) {
      for (let i = 0; i < 100; i++) answers.push(ask(`Nobody ${calls}`));
      await bridge.tick(TICKS_PER_SECOND);
    }
    const honest = ask("Steve");
    await bridge.until(() => bridge.player("Steve").form !== undefined);
    expect(await honest).toBe(202);
    const statuses = await Promise.all(answers);
    const reached = statuses.filter(status => status === 422).length;
    const [burst, perSecond] = allowed("link requests for names that no player online has");
    expect(reached).toBeGreaterThan(burst);
    expect(reached).toBeLessThanOrEqual(burst + (seconds + 1) * perSecond);
    expect(statuses.filter(status => status === 429)).toHaveLength(statuses.length - reached);
    expect(allowed("link requests for players online")).toEqual([burst, perSecond]);
  });
});
