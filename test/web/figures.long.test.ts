import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { row } from "../helpers/fake-pack.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { clockOfSuite } from "./suite.ts";

inBrowser.describe("the figures of the console", () => {
  const tab = clockOfSuite();

  const tps = (value: number): Promise<unknown> =>
    tab.side.pack.report({ is: "snapshot", tps: value, part: 0, parts: 1, rows: [] });
  const gauges = (page: Page): Promise<string[]> =>
    page
      .locator(".gauge")
      .evaluateAll(all => all.map(one => `${one.className}: ${one.querySelector(".value")?.textContent}`));

  it.each([320, 740, 1280])(
    "scroll nothing sideways at %d pixels, names and counts as long as they get",
    async width => {
      await tab.start(
        { figures: { memoryUsedMB: 99_999, memoryMaxMB: 999_999, cpuUsage: 99.9 } },
        { viewport: { width, height: 740 } },
      );
      const rows = ["A16CharacterName", "Sixteen Letters!"].map(name =>
        row(name, { health: 20, deaths: 9_999, playerKills: 9_999, playtimeSeconds: 3_599_999 }),
      );
      const page = await tab.open();
      await tab.side.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
      await sees(page, "Sixteen Letters!");
      for (const part of ["overview", "chat", "you", "whitelist"]) {
        await page.goto(`${tab.side.bridge.base}/#${part}`);
        expect([part, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([part, width]);
      }
    },
  );

  it("stand with their plots, one block each, and say in words what is beyond its limit", async () => {
    await tab.start({ figures: { memoryUsedMB: 3_400, memoryMaxMB: 4_096, cpuUsage: 79 } });
    const page = await tab.open();
    expect(await gauges(page)).toEqual([
      "gauge : 20.0 of 20",
      "gauge : 2 ",
      "gauge warn: 3.3 GB of 4.0 GBhigh",
      "gauge : 79% of the machine",
    ]);
    expect(await page.locator(".gauge canvas").count()).toBe(4);
    await tps(17.9);
    await sees(page, "slow");
    expect((await gauges(page))[0]).toBe("gauge warn: 17.9 of 20slow");
    expect(await violations(page, "figures-slow")).toEqual([]);
    await tps(11);
    await sees(page, "very slow");
    expect((await gauges(page))[0]).toBe("gauge bad: 11.0 of 20very slow");
  });
});
