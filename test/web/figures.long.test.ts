import { expect, it } from "@jest/globals";
import { row } from "../helpers/fake-pack.ts";
import { sees, violations } from "./page.ts";
import { lined } from "./pixels.ts";
import { inBrowser } from "./stage.ts";
import { clockOfSuite } from "./suite.ts";

inBrowser.describe("the figures of the console", () => {
  const tab = clockOfSuite();

  it.each([320, 360, 640, 740, 1280, 1920])(
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

  it.each(["light", "dark"] as const)("can be told apart in forced colours, in %s", async colorScheme => {
    await tab.start({}, { forcedColors: "active", colorScheme });
    const page = await tab.open(undefined, "#you");
    await sees(page, "Not linked");
    const edges = (all: string): Promise<string[]> =>
      page.evaluate(
        `[...document.querySelectorAll(${JSON.stringify(all)})].map(one => getComputedStyle(one).borderColor + getComputedStyle(one).textDecorationLine)`,
      );
    for (const all of ["nav a:not(.chat)", ".steps li"]) expect(new Set(await edges(all)).size).toBe(2);
    expect(await violations(page, `forced-${colorScheme}`)).toEqual([]);
  });

  it("fill their plots in the first minutes, and later show the last hour", async () => {
    await tab.start();
    const page = await tab.open();
    await tab.pass(page, 120_000);
    expect(await page.locator(".when").first().textContent()).toBe("Last 2 min");
    expect(await lined(page)).toBeGreaterThan(0.8);
    await tab.pass(page, 3_600_000);
    expect(await page.locator(".when").first().textContent()).toBe("Last hour");
    expect(await lined(page)).toBeGreaterThan(0.8);
  });
});
