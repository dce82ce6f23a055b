import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { HistoryMean, HistoryMeans } from "../../client/types.ts";
import { LONG, type LongSpan } from "../../sidecar/features/status/rules/rollups.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { sees, shifts, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { clockOfSuite, stage, stagesOfSuite } from "../testing/suite.ts";

const SPANS = { Day: "1d", Week: "7d", Month: "30d", Year: "365d" } as const;
const FULL = { Day: "Last 24 hours", Week: "Last 7 days", Month: "Last 30 days", Year: "Last 365 days" };

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const pressed = (page: Page): Promise<string[]> =>
  page.locator(".spans [aria-pressed=true]").allTextContents();
const whens = (page: Page): Promise<string[]> => page.locator(".when").allTextContents();
const plots = (page: Page): Promise<(string | null)[]> =>
  page.locator(".canvas").evaluateAll(all => all.map(one => one.getAttribute("aria-label")));

/** The most averages possible: they rise and fall with the hours, with a gap that has a single one inside. */
function averagesOf(span: LongSpan, now: number): HistoryMeans {
  const { intervalMs, points: most } = LONG[span];
  const nothing = {
    tps: null,
    onlinePlayerCount: null,
    memoryUsedMB: null,
    cpuUsage: null,
    peakPlayers: null,
    onlineMs: 0,
  };
  const present = Math.floor(now / intervalMs);
  const points = Array.from({ length: most }, (_, i): HistoryMean => {
    const at = (present - most + 1 + i) * intervalMs;
    const wave = 1 + Math.sin(i / 12);
    if (i > 100 && i < 140 && i !== 120) return { at, ...nothing };
    const onlinePlayerCount = Math.round(wave * 450) / 100;
    const [tps, cpuUsage] = [Math.round(2_000 - wave * 40) / 100, Math.round(wave * 2_000) / 100];
    return {
      at,
      tps,
      onlinePlayerCount,
      memoryUsedMB: 900 + i * 3,
      cpuUsage,
      peakPlayers: Math.ceil(wave * 7),
      onlineMs: intervalMs,
    };
  });
  return { intervalMs, points };
}

inBrowser.describe("the plots of longer spans", () => {
  const tab = clockOfSuite();

  /** Opens a page with full roll-ups. */
  async function openFull(part = "", size: Parameters<typeof tab.start>[1] = {}): Promise<Page> {
    await tab.start({}, { timezoneId: "America/New_York", ...size });
    const page = await tab.open();
    await page.route(/\/history\?for=/, route => {
      const span = new URL(route.request().url()).searchParams.get("for") as LongSpan;
      return route.fulfill({
        json: averagesOf(span, tab.side.clock.now()),
        contentType: "application/json; charset=utf-8",
        headers: { "Cache-Control": "public, max-age=5", "X-Request-Id": "one", ETag: '"averages"' },
      });
    });
    if (part !== "") await page.goto(`${tab.side.base}/${part}`);
    await page.locator(".state.online").waitFor();
    return page;
  }

  it("can be selected by buttons, have a span, a unit and peaks, and move nothing else", async () => {
    const page = await openFull();
    expect(await page.locator(".canvas").count()).toBe(0);
    await button(page, "History").click();
    const opened = await shifts(page);
    expect(await whens(page)).toEqual(["Last minute", "Last minute", "Last minute · MB", "Last minute · %"]);
    expect(await page.locator(".peak").count()).toBe(0);
    for (const name of ["Day", "Week", "Month", "Year"] as const) {
      await button(page, name).click();
      await eventually(async () =>
        expect(await page.locator(".when").first().textContent()).toBe(FULL[name]),
      );
      expect(await whens(page)).toEqual([FULL[name], FULL[name], `${FULL[name]} · MB`, `${FULL[name]} · %`]);
      expect(await pressed(page)).toEqual([name]);
      expect(new URL(page.url()).searchParams.get("for")).toBe(SPANS[name]);
      await sees(page, "peak 14");
      expect(await violations(page, `spans-${SPANS[name]}`)).toEqual([]);
    }
    expect((await plots(page)).slice(0, 2)).toEqual([
      "Ticks per second. Last 365 days: lowest 19.2, highest 20.0, now 20.0",
      "Players online. Last 365 days: lowest 0.0, highest 14, now 2",
    ]);
    await button(page, "Hour").click();
    expect(await whens(page)).toContain("Last minute");
    expect([new URL(page.url()).search, await page.locator(".peak").count()]).toEqual(["?for=1h", 0]);
    expect(await shifts(page)).toEqual(opened);
    await button(page, "History").click();
    expect([new URL(page.url()).search, await page.locator(".canvas").count()]).toEqual(["", 0]);
  });
});

inBrowser.describe("the span of the plots", () => {
  const onStage = stagesOfSuite();

  it("can be chosen with the keyboard, and is part of the address and of shared links", async () => {
    const page = await (await onStage(["Steve"])).page("?some=thing#overview");
    await page.locator(".state.online").waitFor();
    await button(page, "History").press("Enter");
    await button(page, "Hour").focus();
    for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    expect(await pressed(page)).toEqual(["Week"]);
    expect(new URL(page.url()).search).toBe("?some=thing&for=7d");
    await sees(page, /^Since \w+ \d+, \d\d:\d\d [AP]M$/);
    await page.getByRole("link", { name: "Your player" }).click();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.reload();
    await eventually(async () => expect(await pressed(page)).toEqual(["Week"]));
    const shared = await stage.page(new URL(page.url()).search);
    await sees(shared, "peak 1");
    expect(await shifts(shared)).toEqual([]);
    for (const wrong of ["2h", "", "%22%3E"]) {
      const unknown = await stage.page(`?for=${wrong}`);
      await unknown.locator(".state.online").waitFor();
      expect(await pressed(unknown)).toEqual([]);
    }
  });
});
