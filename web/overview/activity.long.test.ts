import { expect, it } from "@jest/globals";
import type { HistoryMeans } from "../../client/types.ts";
import { sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { clockOfSuite } from "../testing/suite.ts";

const HOUR_MS = 3_600_000;

/** Eight days, by half-hours: online for nine tenths of each, with players in the evening. */
function rollupsOf(now: number, days: number): HistoryMeans {
  const intervalMs = HOUR_MS / 2;
  const present = Math.floor(now / intervalMs);
  const points = Array.from({ length: days * 48 }, (_, i) => {
    const at = (present - days * 48 + 1 + i) * intervalMs;
    const hour = new Date(at).getUTCHours();
    const onlinePlayerCount = hour >= 18 && hour < 21 ? 6 : 1;
    return {
      ...{ at, tps: 20, memoryUsedMB: 512, cpuUsage: 10, peakPlayers: 6 },
      ...{ onlinePlayerCount, onlineMs: 0.9 * intervalMs },
    };
  });
  return { intervalMs, points };
}

inBrowser.describe("the activity on a game server", () => {
  const tab = clockOfSuite();

  it("shows the uptime of day, week and month as far as recorded, the busiest hours and new players", async () => {
    await tab.start({ yaml: "modules.api.known-players.show: everybody" }, { timezoneId: "UTC" });
    const page = await tab.open();
    const now = tab.side.clock.now();
    await page.route(/\/history\?for=/, route => {
      const span = new URL(route.request().url()).searchParams.get("for") ?? "";
      return route.fulfill({
        json: rollupsOf(now, span === "30d" ? 5 : Number.parseInt(span, 10)),
        contentType: "application/json; charset=utf-8",
        headers: { "Cache-Control": "public, max-age=5", "X-Request-Id": "one", ETag: '"rollups"' },
      });
    });
    await page.reload();
    await sees(page, "Busiest hours");
    await sees(page, "New in the last 7 days");
    const since = /^90\.0% Since Dec 2[67], \d\d:\d\d [AP]M$/;
    expect(await page.locator(".lately dd").allInnerTexts()).toEqual([
      ...["90.0% Last 24 hours", "90.0% Last 7 days", expect.stringMatching(since)],
      expect.stringMatching(/^6.–.9.PM$/),
      expect.stringContaining("Steve"),
    ]);
    expect(await violations(page, "activity")).toEqual([]);
  });

  it("is hidden if nothing is known yet", async () => {
    await tab.start();
    const page = await tab.open();
    await sees(page, "Steve");
    expect(await page.locator(".lately").count()).toBe(0);
  });
});
