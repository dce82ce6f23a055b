import { afterEach, describe, expect, it } from "@jest/globals";
import { table } from "../docs/pages.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { DECLINE } from "../helpers/browser.ts";
import type { ChatSocket } from "../helpers/chat-socket.ts";
import { newSession } from "../helpers/client.ts";
import { Flood } from "../helpers/flood.ts";
import { ownHeap } from "../helpers/heap.ts";

const TICKS_PER_SECOND = 20;
const SECONDS = 20;
/** Evenings of which one has to keep to the time of the script: a busy machine may slow down some. */
const TRIES = 4;
/** After that all that is kept of an address is there: what was refused of a socket counts for ten. */
const FULL_AFTER_SECONDS = 12;
/** What a flood may add to the heap after that, in bytes: the 20,000 lines of 1,000 addresses would take 2 MB. */
const MAY_GROW = 1_500_000;

/** The numbers of the table for owners, by what they limit: at once and lasting. */
const ALLOWED = new Map(
  table("SECURITY.md", "strangers").map(([what = "", ...numbers]) => [
    what,
    numbers.map(text => Number.parseInt(text, 10)),
  ]),
);
const allowed = (what: string): [atOnce: number, lasting: number] => {
  const [atOnce = 0, lasting = 0] = ALLOWED.get(what) ?? [];
  return [atOnce, lasting];
};

let bridge: TestBridge;
let flood: Flood | undefined;
afterEach(async () => {
  flood?.end();
  flood = undefined;
  await bridge.stop();
});

/**
 * Ticks that each line of a player takes to a visitor, over some seconds in each of which `more` is done; and the script's
 * milliseconds in the best of them: what else the machine does can only add.
 */
async function evening(
  visitor: ChatSocket,
  more: () => void,
  seconds = SECONDS,
): Promise<{ delays: number[]; scriptMs: number }> {
  const found: number[] = [];
  let scriptMs = Number.POSITIVE_INFINITY;
  for (let second = 0; second < seconds; second++) {
    bridge.running.resetReport();
    more();
    const line = `said in second ${second} of ${bridge.world.tick}`;
    bridge.player("Steve").say(line);
    const said = bridge.world.tick;
    const isHeard = (): boolean => visitor.received.some(({ content }) => content.endsWith(line));
    for (let tick = 0; tick < TICKS_PER_SECOND; tick++) {
      await bridge.tick();
      if (found.length === second && isHeard()) found.push(bridge.world.tick - said);
    }
    scriptMs = Math.min(scriptMs, bridge.running.report().meanMs * TICKS_PER_SECOND);
  }
  expect(found).toHaveLength(seconds);
  return { delays: found, scriptMs };
}

const p95 = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;

/** The largest number of lines of the web over what may be said at once and in the time since, from any line to any. */
function overflow(ticks: number[], perSecond: number): number {
  let [most, level, last] = [0, 0, 0];
  for (const tick of ticks) {
    level = Math.max(0, level - ((tick - last) / TICKS_PER_SECOND) * perSecond) + 1;
    most = Math.max(most, level);
    last = tick;
  }
  return most;
}

describe.each([
  [1, 20, 10],
  [50, 50, 8],
  [1_000, 1_000, 1],
])("a flood from %i addresses", (count, sockets, lines) => {
  it("[FACT-12] stays within the table, slows nobody down, takes no more memory, and is named", async () => {
    bridge = await TestBridge.start(["Steve"], {
      yaml: "modules: {api: {trust-proxy: true, limits: {requests-per-minute: 1000000}}}",
    });
    const visitor = await bridge.socket({ "X-Forwarded-For": "198.51.100.1" });
    const calm = await evening(visitor, () => undefined);
    const addresses = Array.from({ length: count }, (_, i) => `203.0.${i >> 8}.${i & 255}`);
    const begun = new Flood(bridge.base, addresses, sockets);
    flood = begun;
    begun.pour(0);
    await bridge.tick(10);
    await evening(visitor, () => begun.pour(lines), FULL_AFTER_SECONDS);
    const before = await ownHeap();
    const flooded = await evening(visitor, () => begun.pour(lines));
    const grown = (await ownHeap()) - before;

    const reached = bridge.world.chat.filter(({ text }) => text.includes("flood"));
    const [atOnce, perSecond] = allowed("lines of chat");
    expect(
      overflow(
        reached.map(({ tick }) => tick),
        perSecond,
      ),
    ).toBeLessThanOrEqual(atOnce);
    expect(reached.length).toBeGreaterThan(atOnce);
    expect(p95(flooded.delays)).toBeLessThanOrEqual(p95(calm.delays) + 1);
    expect(grown).toBeLessThan(MAY_GROW);
    const [, budgetMs] = allowed("time of the script");
    let { scriptMs } = flooded;
    for (let once = 0; once < TRIES && scriptMs >= budgetMs; once++)
      ({ scriptMs } = await evening(visitor, () => begun.pour(lines)));
    expect(scriptMs).toBeLessThan(budgetMs);

    bridge.player("Steve").operator = true;
    await bridge.tick(110);
    bridge.player("Steve").command("/bridge:status");
    await bridge.tick(2);
    expect(bridge.player("Steve").chat.at(-1)).toMatch(
      /\nLines refused in the last minute: \d+, most from 203\.0\.\d+\.\d+\.$/,
    );

    await bridge.tick(60 * TICKS_PER_SECOND);
    const named = (bridge.side?.log.of("warn") ?? []).filter(({ message }) => message.startsWith("refused"));
    expect(named.length).toBeGreaterThan(0);
    expect(named.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(named)).toContain("203.0.");
    expect(bridge.side?.log.text).not.toContain("flood");
  });
});

describe("link requests from 50 addresses for names that nobody has", () => {
  it("reach the game as often as the table says, and keep nobody from a player", async () => {
    bridge = await TestBridge.start(["Steve"], { yaml: "modules: {api: {trust-proxy: true}}" });
    const seconds = 5;
    let asked = 0;
    const ask = async (username: string): Promise<number> => {
      const headers = { "X-Forwarded-For": `203.0.113.${asked++ % 50}` };
      const { cookie } = await newSession(bridge.base);
      return (await bridge.ask("/link-player", { cookie, headers, body: { username } })).status;
    };
    const answers: Promise<number>[] = [];
    for (let second = 0; second < seconds; second++) {
      for (let i = 0; i < 100; i++) answers.push(ask(`Nobody ${asked}`));
      await bridge.tick(TICKS_PER_SECOND);
    }
    const honest = ask("Steve");
    await bridge.until(() => bridge.player("Steve").form !== undefined);
    expect(await honest).toBe(202);
    const statuses = await Promise.all(answers);
    const reached = statuses.filter(status => status === 422).length;
    const [atOnce, perSecond] = allowed("link requests for names that no player online has");
    expect(reached).toBeGreaterThan(atOnce);
    expect(reached).toBeLessThanOrEqual(atOnce + (seconds + 1) * perSecond);
    expect(statuses.filter(status => status === 429)).toHaveLength(statuses.length - reached);
    expect(allowed("link requests for players online")).toEqual([atOnce, perSecond]);
  });
});

describe("link requests for one player from 50 addresses", () => {
  it("open no more forms than the table says", async () => {
    bridge = await TestBridge.start(["Steve"], { yaml: "modules: {api: {trust-proxy: true}}" });
    const steve = bridge.player("Steve");
    const minutes = 3;
    let asked = 0;
    const answers: Promise<number>[] = [];
    bridge.onTick = () => {
      if (steve.form) steve.answer(DECLINE);
    };
    for (let second = 0; second < minutes * 60; second++) {
      const headers = { "X-Forwarded-For": `203.0.113.${asked++ % 50}` };
      const { cookie } = await newSession(bridge.base);
      const body = { username: "Steve" };
      answers.push(bridge.ask("/link-player", { cookie, headers, body }).then(({ status }) => status));
      await bridge.tick(TICKS_PER_SECOND);
    }
    const opened = (await Promise.all(answers)).filter(status => status === 202).length;
    const [atOnce, perMinute] = allowed("link forms on the screen of one player");
    expect(opened).toBeGreaterThanOrEqual(perMinute);
    expect(opened).toBeLessThanOrEqual(atOnce + minutes * perMinute);
    expect(bridge.side?.log.text).toContain("refused what is over the limits");
  });
});
