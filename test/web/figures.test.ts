import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { levelOfShare, levelOfTps } from "../../web/limits.ts";
import { eventually } from "../helpers/runner.ts";
import { FIGURES } from "../helpers/sidecar.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { clockOfSuite } from "./suite.ts";

describe("the limits of the figures", () => {
  it("are amber below 18 ticks and red below 12, and amber from 80 % on", () => {
    expect([20, 18, 17.9, 12, 11.9, 0].map(levelOfTps)).toEqual(["", "", "warn", "warn", "bad", "bad"]);
    expect([0, 0.79, 0.8, 1].map(levelOfShare)).toEqual(["", "", "warn", "warn"]);
  });
});

inBrowser.describe("the figures of the console", () => {
  const tab = clockOfSuite();

  const tps = (value: number): Promise<unknown> =>
    tab.side.pack.report({ is: "snapshot", tps: value, part: 0, parts: 1, rows: [] });
  const gauges = (page: Page): Promise<string[]> =>
    page
      .locator(".gauge")
      .evaluateAll(all => all.map(one => `${one.className}: ${one.querySelector(".value")?.textContent}`));

  describe("at length", () => {
    it("say how many players fit in, where that is known", async () => {
      await tab.start({ yaml: "server: {info: {max-players: 20}}" });
      const page = await tab.open();
      expect((await gauges(page))[1]).toBe("gauge : 2 of 20");
      expect(await violations(page, "figures-max-players")).toEqual([]);
    });

    it.each([
      [
        { memoryMaxMB: 0, memoryUsedMB: 0, cpuUsage: -1 },
        "Memory and processor cannot be seen from here.",
        2,
      ],
      [{ cpuUsage: -1 }, "The processor cannot be seen from here.", 3],
    ])("take one line for what cannot be seen: %j", async (hidden, line, count) => {
      await tab.start({ figures: { ...FIGURES, ...hidden } });
      const page = await tab.open();
      await sees(page, line);
      expect(await page.locator(".gauge").count()).toBe(count);
      expect(await violations(page, `figures-unseen-${count}`)).toEqual([]);
    });

    it("stand right above the players, on a phone within its first screen", async () => {
      await tab.start({}, { viewport: { width: 390, height: 844 } });
      const page = await tab.open();
      const top = (await page.locator("#players").boundingBox())?.y;
      expect(top).toBeLessThan(500);
      await eventually(async () => expect(await page.locator("tbody tr").count()).toBe(2));
    });

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
});
