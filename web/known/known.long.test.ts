import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { ManualClock } from "../../test/helpers/clock.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { knowing, type Person, uuidOf } from "../testing/known-people.ts";
import { enterKey, sees, violations } from "../testing/page.ts";
import { inBrowser, type Stage } from "../testing/stage.ts";
import { stage, stagesOfSuite } from "../testing/suite.ts";

/** Ari and Bo are equal in kills, and Cleo has none. */
const FEW: Person[] = [
  {
    name: "Ari Vale",
    kills: 30,
    deaths: 1,
    playtimeSeconds: 90_000,
    visits: 12,
    firstHours: 9_000,
    lastHours: 72,
  },
  { name: "Bo", kills: 30, deaths: 40, playtimeSeconds: 7_200, visits: 3, firstHours: 700, lastHours: 50 },
  { name: "Cleo", deaths: 7, playtimeSeconds: 45_000, visits: 30, firstHours: 5_000, lastHours: 2_000 },
  { name: "Dag", kills: 5, playtimeSeconds: 600, firstHours: 300, lastHours: 100 },
];
const MANY: Person[] = Array.from({ length: 120 }, (_, i) => ({
  name: `${i % 2 === 0 ? "Even" : "odd"} ${i}`,
  kills: i,
  firstHours: 300 + i,
  lastHours: 200 - i,
}));

const READER = "a key that reads of players 0123456789";
const HOUR_MS = 3_600_000;

const hasViews = async (page: Page): Promise<boolean> => (await page.locator(".choices").count()) > 0;
const names = (page: Page): Promise<string[]> => page.locator(".known-list bdi").allTextContents();
const lists = (page: Page, ...expected: string[]): Promise<void> =>
  eventually(async () => expect(await names(page)).toEqual(expected));
const hash = (page: Page): string => new URL(page.url()).hash;

inBrowser.describe("the known players on the web console", () => {
  const onStage = stagesOfSuite();

  /** Some who have been here, and Steve who is, before all of them in the order of the last seen. */
  async function start(people: readonly Person[], more = ""): Promise<Stage> {
    const clock = new ManualClock(Date.now());
    const known = await knowing(people, clock.now());
    return onStage(["Steve"], { clock, known, yaml: `modules.api.known-players.show: everybody\n${more}` });
  }

  it("has a leaderboard for each figure, with bars; players with equal figures share a rank", async () => {
    const page = await (await start(FEW)).page();
    await page.getByRole("link", { name: "Leaderboard" }).click();
    await lists(page, "Ari Vale", "Cleo", "Bo", "Dag", "Steve");
    expect(await violations(page, "known-leaderboard")).toEqual([]);
    await page.getByRole("link", { name: "Cleo" }).click();
    await sees(page, "no. 2 of 5");
    expect(await page.locator(".player-card dd").allInnerTexts()).toEqual([
      ...[expect.stringMatching(/months ago$/), expect.stringMatching(/^\w+ \d+, \d{4}$/)],
      ...["12 hr 30 min\nno. 2 of 5", "0", "7\nno. 2 of 5", "30\nno. 1 of 5"],
    ]);
    expect(await violations(page, "known-player-places")).toEqual([]);
    await page.goBack();
    await page.getByRole("link", { name: "Kills" }).click();
    await lists(page, "Ari Vale", "Bo", "Dag");
    expect(hash(page)).toBe("#leaderboard/kills");
    expect(await page.locator(".rank").allTextContents()).toEqual(["1", "1", "3"]);
    expect(await page.locator(".figure").allTextContents()).toEqual(["30", "30", "5"]);
    const widths = await page
      .locator(".bar")
      .evaluateAll(bars => bars.map(bar => (bar as { style?: { width: string } }).style?.width));
    expect(widths.map(width => Math.round(Number.parseFloat(width ?? "")))).toEqual([100, 100, 17]);
    expect(await page.title()).toBe("Leaderboard – Game server");
  });

  it("finds names while they are typed, with one request for fast typing", async () => {
    const page = await (await start(MANY)).page("#everybody");
    await sees(page, "121 players");
    const pending: string[] = [];
    page.on("request", request => pending.push(new URL(request.url()).search));
    // Quicker than any machine could let it take: in one go.
    await page.evaluate(
      `for (const letter of "EVEN 11") { beginning.value += letter; beginning.dispatchEvent(new Event("input", { bubbles: true })); }`,
    );
    await lists(page, "Even 110", "Even 112", "Even 114", "Even 116", "Even 118");
    await sees(page, "5 players");
    expect([...new Set(pending.filter(query => query.includes("name=")))]).toHaveLength(1);
    expect(hash(page)).toBe("#everybody/name/EVEN%2011");
    expect(await page.getByLabel("Sort by").isDisabled()).toBe(true);
    expect(await page.locator("[role=status]").textContent()).toBe("5 players");
    expect(await violations(page, "known-search")).toEqual([]);
    await page.reload();
    await lists(page, "Even 110", "Even 112", "Even 114", "Even 116", "Even 118");
    expect(await page.getByLabel("Name starts with").inputValue()).toBe("EVEN 11");
    await page.getByLabel("Name starts with").fill("nobody");
    await sees(page, "No players found.");
    await page.getByLabel("Name starts with").fill("");
    await sees(page, "121 players");
  });
});

inBrowser.describe("access to known players on the web console", () => {
  const onStage = stagesOfSuite();

  /** Ari has been here on two days of the last thirty, and Steve is here. */
  async function start(): Promise<Stage> {
    const clock = new ManualClock(Date.now());
    const noon = new Date(clock.now() - 48 * HOUR_MS).setHours(12, 0, 0, 0);
    const stays = [
      { from: noon, to: noon + 2 * HOUR_MS },
      { from: noon - 24 * HOUR_MS, to: noon - 23.5 * HOUR_MS },
    ];
    const known = await knowing(
      [{ name: "Ari Vale", playtimeSeconds: 9_000, lastHours: 46, stays }],
      clock.now(),
    );
    const keys = [{ name: "reader", sha256: sha256Of(READER), scopes: ["players:read"] }];
    const yaml = `modules: {api: {admin-keys: ${JSON.stringify(keys)}, known-players: {show: key}}}`;
    return onStage(["Steve"], { clock, known, yaml });
  }

  it("is refused without a key: only players online are shown", async () => {
    await start();
    for (const part of ["", "#leaderboard", "#everybody/kills", `#player/${uuidOf(0)}`]) {
      const page = await stage.page(part);
      await eventually(async () =>
        expect(await page.locator("tbody th").allTextContents()).toEqual(["Steve"]),
      );
      expect(await hasViews(page)).toBe(false);
      expect(await page.locator("tbody a, .fault:not(:empty)").count()).toBe(0);
      expect(await page.title()).toBe("Game server");
    }
    expect(stage.complaints).toEqual([]);
  });

  it("is possible with a key until the visitor signs out, with a calendar of the last year", async () => {
    const page = await (await start()).page("#everybody");
    await sees(page, "20.0");
    await page.getByRole("link", { name: "Administration" }).click();
    await enterKey(page, READER);
    await sees(page, "This key also lets you see who has played and when:");
    expect(await page.getByLabel("Name to add").count()).toBe(0);
    expect(await violations(page, "known-key")).toEqual([]);
    await page.getByRole("link", { name: "All players" }).click();
    await page.locator(".known-list").getByRole("link", { name: "Ari Vale" }).click();
    await sees(page, "Visits are kept for 30 days.");
    expect(await page.locator(".calendar li").count()).toBe(12);
    expect(await page.locator(".calendar .level-2").count()).toBe(1);
    expect(await page.locator(".calendar .level-1").count()).toBe(1);
    expect(await page.locator(".calendar title").allTextContents()).toEqual([
      expect.stringMatching(/: 30 min$/),
      expect.stringMatching(/: 2 hr 0 min$/),
    ]);
    expect(await page.locator(".calendar .no-data").count()).toBeGreaterThan(300);
    expect(await violations(page, "known-calendar")).toEqual([]);
    await page.getByRole("link", { name: "Administration" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Overview" }).click();
    expect(await hasViews(page)).toBe(false);
  });
});
