import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Fact } from "../../shared/facts.ts";
import { eventually, TEST_TIMEOUT_MS } from "../../test/helpers/eventually.ts";
import { FakePack, row } from "../../test/helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../../test/helpers/sidecar.ts";
import { inBrowser, webFiles } from "../testing/stage.ts";
import { browserOfSuite } from "../testing/suite.ts";

// Own connections: counts what a page draws, to which a watch would add.

const REPORTS = 100;
const LINES_PER_REPORT = 4;
/** Then the page is waited for: of more lines than the log holds it would rightly draw the newest alone. */
const REPORTS_AT_ONCE = 50;
/** The clock of the service goes so far with each report: forty lines a second. */
const STEP_MS = 100;
const PLAYERS = 20;
const LOG_LINES = 300;
const LINES = REPORTS * LINES_PER_REPORT;

/**
 * Counts which messages of the log are drawn, how many times, and which are drawn again although they were there. On a slow machine
 * the log may also say that the feed was interrupted.
 */
const COUNT = `
  window.drawn = { lines: 0, times: 0, again: 0 };
  new MutationObserver(records => {
    const lines = records.flatMap(({ addedNodes }) => [...addedNodes]).filter(node =>
      node.nodeName === "LI" && node.textContent.includes("of a flood"));
    window.drawn.lines += lines.length;
    if (lines.length > 0) window.drawn.times++;
    window.drawn.again += records.filter(({ target }) => target.closest?.("li") && !lines.includes(target.closest("li"))).length;
  }).observe(document.querySelector(".log"), { subtree: true, childList: true, attributes: true });`;

inBrowser.describe("the web console under a flood of messages and figures", () => {
  let side: TestSidecar;
  let page: Page;
  const browser = browserOfSuite();
  afterEach(async () => {
    await page?.context().close();
    await side?.stop();
  });

  it("shows each message once, and still accepts typing", async () => {
    side = await startTestSidecar({
      webFiles,
      env: { WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1s" },
    });
    const pack = new FakePack(side.bridge);
    await pack.connect();
    page = await (await browser().newContext({ viewport: { width: 390, height: 844 } })).newPage();
    page.setDefaultTimeout(TEST_TIMEOUT_MS);
    await page.goto(`${side.base}/#chat`);
    await page.locator(".connection.open").waitFor();

    let said = 0;
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
    const isDrawn = (): Promise<void> =>
      eventually(async () =>
        expect(await page.locator(".log li").last().textContent()).toContain(`line ${said} `),
      );
    const pour = async (): Promise<void> => {
      for (let step = 0; step < REPORTS; step++) {
        side.clock.advance(STEP_MS);
        await pack.report(...Array.from({ length: LINES_PER_REPORT }, line));
        expect((await pack.report(figures(step))).status).toBe(200);
        if ((step + 1) % REPORTS_AT_ONCE === 0) await isDrawn();
      }
    };

    await pack.report(figures(0), line());
    await isDrawn();
    await page.evaluate(COUNT);
    const first = pour();
    await page.locator("#say").pressSequentially("can be typed");
    await first;
    expect(await page.locator("#say").inputValue()).toBe("can be typed");
    expect(await page.locator(".log li").count()).toBe(LOG_LINES);
    const drawn = await page.evaluate<{ lines: number; times: number; again: number }>("window.drawn");
    expect(drawn).toMatchObject({ lines: LINES });
    // The oldest line that is left says the day.
    expect(drawn.again).toBeLessThanOrEqual(drawn.times);
  });
});
