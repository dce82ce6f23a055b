import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { median } from "../../lab/bench/numbers.ts";
import type { Fact } from "../../shared/facts.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { eventually } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { inBrowser, webFiles } from "./stage.ts";
import { browserOfSuite } from "./suite.ts";

// Own connections: measures a slow page, to which a watch would add.

/** A phone of some years ago is about so many times slower than the machine of a test. */
const SLOWER = 6;
const STEP_MS = 100;
const LINES_PER_STEP = 20;
const PLAYERS = 20;
const LOG_LINES = 300;
/** A page that is stopped for longer than so many times what the browser needs to lay out the log counts as one that does not react. */
const MAY_STOP = 6;
/** A page in which the same takes so many times longer than where nothing comes counts as one that cannot be used. */
const MAY_TAKE = 12;
const ROUNDS = 3;
const TEST_MS = 300_000;

/** Notes how long the page takes to show what came of a key or a click, in milliseconds, and each task that blocked it. */
const MEASURE = `
  window.reactions = [];
  window.tasks = [];
  new PerformanceObserver(list => {
    for (const { name, duration } of list.getEntries())
      if (["click", "keydown", "keyup", "pointerup"].includes(name)) window.reactions.push(duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) window.tasks.push(duration);
  }).observe({ type: "longtask", buffered: true });`;

/** How long the browser takes to lay out the log once more, in milliseconds, on the machine as it is and as busy as it is. */
const LAY_OUT = `(() => {
  const begun = performance.now();
  const log = document.querySelector(".log");
  const copy = log.cloneNode(true);
  log.after(copy);
  copy.getBoundingClientRect();
  copy.remove();
  return performance.now() - begun;
})()`;

/** Types a line of chat, and turns to the other pages and back again. Returns how long that took, in milliseconds. */
async function use(page: Page): Promise<number> {
  const begun = performance.now();
  await page.locator("#say").fill("");
  await page.locator("#say").pressSequentially("can be typed", { delay: 50 });
  expect(await page.locator("#say").inputValue()).toBe("can be typed");
  for (const name of ["Overview", "Your player", "Overview"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.locator(`nav [aria-current]`).filter({ hasText: name }).waitFor();
  }
  await page.locator("tbody th").filter({ hasText: "Player19" }).waitFor();
  await page.getByRole("link", { name: /^Chat/ }).click();
  await page.locator("#say").waitFor();
  return performance.now() - begun;
}

inBrowser.describe("the console on a slow phone", () => {
  let side: TestSidecar;
  let page: Page;
  const browser = browserOfSuite();
  afterEach(async () => {
    await page?.context().close();
    await side?.stop();
  });

  it(
    "can be typed in and turned over while lines and figures come in a flood",
    async () => {
      side = await startTestSidecar({
        webFiles,
        env: { WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1s" },
      });
      const pack = new FakePack(side.bridge);
      await pack.connect();
      await pack.snapshot("Steve");
      const context = await browser().newContext({ viewport: { width: 390, height: 844 } });
      page = await context.newPage();
      await page.goto(`${side.base}/#chat`);
      await page.locator(".connection.open").waitFor();
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
      await page.evaluate(MEASURE);

      let said = 0;
      let isOver = false;
      const line = (): Fact => ({
        is: "said",
        name: "§bSteve",
        text: `§aline ${++said} §cof a flood that colours`,
      });
      const figures = (step: number): Fact => ({
        is: "snapshot",
        tps: 15 + (step % 50) / 10,
        part: 0,
        parts: 1,
        rows: Array.from({ length: PLAYERS }, (_, i) =>
          row(`Player${i}`, { health: (step + i) % 20, deaths: step }),
        ),
      });
      await pack.report(figures(0));
      const calm = await use(page);

      const pour = async (): Promise<void> => {
        for (let step = 0; !isOver; step++) {
          const begun = performance.now();
          side.clock.advance(STEP_MS);
          await pack.report(...Array.from({ length: LINES_PER_STEP }, line));
          const { status } = await pack.report(figures(step));
          expect(status).toBe(200);
          await delay(begun + STEP_MS - performance.now());
        }
      };
      const [used, stops, layOuts]: [number[], number[], number[]] = [[], [], []];
      const pouring = pour();
      try {
        await page.getByText("line 100 ").waitFor({ state: "attached" });
        for (let round = 0; round < ROUNDS; round++) {
          used.push(await use(page));
          const [reactions, tasks] = await page.evaluate<[number[], number[]]>(
            "[window.reactions.splice(0), window.tasks.splice(0)]",
          );
          expect(reactions.length).toBeGreaterThan(0);
          stops.push(Math.max(...reactions, ...tasks));
          for (let i = 0; i < ROUNDS; i++) layOuts.push(await page.evaluate<number>(LAY_OUT));
        }
      } finally {
        isOver = true;
        await pouring;
      }
      const ms = (of: readonly number[]): string => `${of.map(Math.round).join(", ")} ms`;
      console.log(
        `${said} lines on a processor ${SLOWER} times slower: used in ${ms(used)}, ${ms([calm])} without lines; stopped for ${ms(stops)} at most; to lay out the log takes ${ms(layOuts)}`,
      );
      await eventually(async () =>
        expect(await page.locator(".log li").last().textContent()).toContain(`line ${said} `),
      );
      expect(await page.locator(".log li").count()).toBe(LOG_LINES);
      expect(median(stops)).toBeLessThan(MAY_STOP * median(layOuts));
      expect(median(used)).toBeLessThan(MAY_TAKE * calm);
    },
    TEST_MS,
  );
});
