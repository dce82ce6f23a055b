import { expect, it } from "@jest/globals";
import type { CDPSession } from "playwright-core";
import type { Fact } from "../../shared/facts.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { ownHeap } from "../helpers/heap.ts";
import { eventually } from "../helpers/runner.ts";
import { startTestSidecar } from "../helpers/sidecar.ts";
import { inBrowser, webFiles } from "./stage.ts";
import { browserOfSuite } from "./suite.ts";

// Own connections: measures what a page holds, to which a watch would add.

const MINUTES = 60;
/** After that everything that is kept is as full as it gets, but for the plots, whose hour is longer than the test. */
const WARM_MINUTES = 10;
/** The log of the feed is a file otherwise; here it is in memory, and full by then. */
const KEPT_EVENTS = 5_000;
const STEP_MS = 10_000;
const LINES_PER_STEP = 100;
const STEPS_PER_MINUTE = 60_000 / STEP_MS;
const LOG_LINES = 300;
/** What fifty minutes may add, in bytes: less than their 30,000 lines would take, 4 MB where they are kept. */
const MAY_GROW = 3_000_000;

interface Tab {
  heap: number;
  nodes: number;
  listeners: number;
}

/** What a tab holds once its garbage is gone. */
async function tabHolds(session: CDPSession): Promise<Tab> {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const figure = (name: string): number => metrics.find(one => one.name === name)?.value ?? Number.NaN;
  return {
    heap: figure("JSHeapUsedSize"),
    nodes: figure("Nodes"),
    listeners: figure("JSEventListeners"),
  };
}

inBrowser.describe("an hour of chat at 10 lines a second", () => {
  const browser = browserOfSuite();

  it("leaves the memory of the sidecar and of an open tab as they were", async () => {
    const clock = new ManualClock();
    const feedLog = memoryFeedLog(clock, KEPT_EVENTS);
    const side = await startTestSidecar({ webFiles, clock, feedLog });
    const pack = new FakePack(side.bridge);
    await pack.connect();
    await pack.snapshot("Steve", "Alex");
    const page = await browser().newPage();
    await page.clock.install({ time: side.clock.now() });
    await page.goto(side.base);
    await page.clock.runFor(1_000);
    await page.locator(".connection.open").waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");

    const line = (number: number): Fact => ({
      is: "said",
      name: "§bSteve",
      text: `§aline ${number} of the §chour§r, as long as people write`,
    });
    let said = 0;
    // Lines are drawn by a timer of the page. Its clock must not outrun the network, or it would miss a PING.
    const isDrawn = async (): Promise<boolean> => {
      await page.clock.runFor(20);
      return (await page.locator(".log li").last().textContent())?.includes(`line ${said} `) === true;
    };
    const minute = async (): Promise<void> => {
      for (let step = 0; step < STEPS_PER_MINUTE; step++) {
        side.clock.advance(STEP_MS);
        const lines = Array.from({ length: LINES_PER_STEP }, () => line(++said));
        expect((await pack.report(...lines)).status).toBe(200);
        await pack.snapshot("Steve", "Alex");
        await eventually(async () => expect(await isDrawn()).toBe(true));
        await page.clock.runFor(STEP_MS);
      }
    };

    let before = { own: 0, tab: { heap: 0, nodes: 0, listeners: 0 } };
    for (let i = 1; i <= MINUTES; i++) {
      await minute();
      if (i === WARM_MINUTES) before = { own: await ownHeap(), tab: await tabHolds(session) };
    }
    const after = { own: await ownHeap(), tab: await tabHolds(session) };
    const kb = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;
    console.log(
      `${said} lines; heap after ${WARM_MINUTES} and ${MINUTES} minutes: sidecar ${kb(before.own)}, ${kb(after.own)}; ` +
        `tab ${kb(before.tab.heap)}, ${kb(after.tab.heap)}, with ${before.tab.nodes} and ${after.tab.nodes} nodes`,
    );
    expect(said).toBe(36_000);
    expect(await page.locator(".log li").count()).toBe(LOG_LINES);
    expect(after.own - before.own).toBeLessThan(MAY_GROW);
    expect(after.tab.heap - before.tab.heap).toBeLessThan(MAY_GROW);
    expect(after.tab.nodes - before.tab.nodes).toBeLessThan(LOG_LINES);
    expect(after.tab.listeners - before.tab.listeners).toBeLessThan(10);
    await page.close();
    await side.stop();
  }, 400_000);
});
