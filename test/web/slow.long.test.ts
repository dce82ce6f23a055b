import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
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
/** Above that a page counts as one that does not react, in milliseconds; a busy machine takes its part of that. */
const MAY_TAKE_MS = 1_500;
/** A page that is too slow is so each time; a machine that does something else meanwhile is not. */
const MOST_ROUNDS = 3;
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

/** Types a line of chat, and turns to the other pages and back again. */
async function use(page: Page): Promise<void> {
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
      const names = Array.from({ length: PLAYERS }, (_, i) => `Player${i}`);
      const pour = async (): Promise<void> => {
        for (let step = 0; !isOver; step++) {
          const begun = performance.now();
          side.clock.advance(STEP_MS);
          await pack.report(...Array.from({ length: LINES_PER_STEP }, line));
          const rows = names.map((name, i) => row(name, { health: (step + i) % 20, deaths: step }));
          const { status } = await pack.report({
            is: "snapshot",
            tps: 15 + (step % 50) / 10,
            part: 0,
            parts: 1,
            rows,
          });
          expect(status).toBe(200);
          await delay(begun + STEP_MS - performance.now());
        }
      };
      const worst: number[] = [];
      const pouring = pour();
      try {
        await page.getByText("line 100 ").waitFor({ state: "attached" });
        while (worst.length < MOST_ROUNDS && !worst.some(ms => ms < MAY_TAKE_MS)) {
          await use(page);
          const [reactions, tasks] = await page.evaluate<[number[], number[]]>(
            "[window.reactions.splice(0), window.tasks.splice(0)]",
          );
          expect(reactions.length).toBeGreaterThan(0);
          const [reacts, blocked] = [Math.max(...reactions), Math.max(0, ...tasks)];
          console.log(
            `${said} lines on a processor ${SLOWER} times slower: ${reacts} ms to react, ${blocked} ms blocked at most`,
          );
          worst.push(Math.max(reacts, blocked));
        }
      } finally {
        isOver = true;
        await pouring;
      }
      await eventually(async () =>
        expect(await page.locator(".log li").last().textContent()).toContain(`line ${said} `),
      );
      expect(await page.locator(".log li").count()).toBe(LOG_LINES);
      expect(Math.min(...worst)).toBeLessThan(MAY_TAKE_MS);
    },
    TEST_MS,
  );
});
