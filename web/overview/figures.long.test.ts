import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { clockOfSuite } from "../testing/suite.ts";

inBrowser.describe("the figures of the web console", () => {
  const tab = clockOfSuite();

  const tps = (value: number): Promise<unknown> =>
    tab.side.pack.report({ is: "snapshot", tps: value, part: 0, parts: 1, rows: [] });
  const gauges = (page: Page): Promise<string[]> =>
    page
      .locator(".gauge")
      .evaluateAll(all => all.map(one => `${one.className}: ${one.querySelector(".value")?.textContent}`));

  it("are in one row, with plots once opened, and say in words when a limit is exceeded", async () => {
    await tab.start({ figures: { memoryUsedMB: 3_400, memoryMaxMB: 4_096, cpuUsage: 79 } });
    const page = await tab.open();
    expect(await gauges(page)).toEqual([
      "gauge : 20.0 of 20",
      "gauge warn: 3.3 GB of 4.0 GBhigh",
      "gauge : 79% of the machine",
    ]);
    expect(await page.locator(".gauge canvas").count()).toBe(0);
    await page.getByRole("button", { name: "History" }).click();
    expect(await gauges(page)).toEqual([
      "gauge : 20.0 of 20",
      "gauge : 2 ",
      "gauge warn: 3.3 GB of 4.0 GBhigh",
      "gauge : 79% of the machine",
    ]);
    // The library of the plots is loaded when they are first opened.
    await page.locator(".gauge canvas").nth(3).waitFor();
    await tps(17.9);
    await sees(page, "slow");
    expect((await gauges(page))[0]).toBe("gauge warn: 17.9 of 20slow");
    expect(await violations(page, "figures-slow")).toEqual([]);
    await tps(11);
    await sees(page, "very slow");
    expect((await gauges(page))[0]).toBe("gauge bad: 11.0 of 20very slow");
  });
});
