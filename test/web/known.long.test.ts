import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { KnownStore } from "../../sidecar/ports/known.ts";
import { ManualClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/runner.ts";
import { knowing, type Person, uuidOf } from "./known-people.ts";
import { sees, violations } from "./page.ts";
import { inBrowser, type Stage } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

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

const names = (page: Page): Promise<string[]> => page.locator(".known-list bdi").allTextContents();
const lists = (page: Page, ...expected: string[]): Promise<void> =>
  eventually(async () => expect(await names(page)).toEqual(expected));
const hash = (page: Page): string => new URL(page.url()).hash;

/** What the browser has noted of answers of this status, which the page tells in words. */
function passOver(status: number): void {
  const rest = stage.complaints.filter(line => !line.includes(`responded with a status of ${status} `));
  expect(rest.length).toBeLessThan(stage.complaints.length);
  stage.complaints.splice(0, stage.complaints.length, ...rest);
}

inBrowser.describe("everybody who has been here, on the web console", () => {
  const onStage = stagesOfSuite();
  let known: KnownStore;

  /** Some who have been here, and Steve who is, before all of them in the order of the last seen. */
  async function start(people: readonly Person[], more = ""): Promise<Stage> {
    const clock = new ManualClock(Date.now());
    known = await knowing(people, clock.now());
    return onStage(["Steve"], { clock, known, yaml: `modules.api.known-players.show: everybody\n${more}` });
  }

  it("has a hall of fame by each figure, with a bar behind it, and ranks that equal ones share", async () => {
    const page = await (await start(FEW)).page();
    await page.getByRole("link", { name: "Hall of fame" }).click();
    await lists(page, "Ari Vale", "Cleo", "Bo", "Dag", "Steve");
    expect(await violations(page, "known-fame")).toEqual([]);
    await page.getByRole("link", { name: "Kills" }).click();
    await lists(page, "Ari Vale", "Bo", "Dag");
    expect(hash(page)).toBe("#fame/kills");
    expect(await page.locator(".rank").allTextContents()).toEqual(["1", "1", "3"]);
    expect(await page.locator(".figure").allTextContents()).toEqual(["30", "30", "5"]);
    const widths = await page
      .locator(".bar")
      .evaluateAll(bars => bars.map(bar => (bar as { style?: { width: string } }).style?.width));
    expect(widths.map(width => Math.round(Number.parseFloat(width ?? "")))).toEqual([100, 100, 17]);
    expect(await page.title()).toBe("Hall of fame – Game server");
  });

  it("finds names while they are typed, with one question for what is typed in one go", async () => {
    const page = await (await start(MANY)).page("#everybody");
    await sees(page, "121 players");
    const asked: string[] = [];
    page.on("request", request => asked.push(new URL(request.url()).search));
    // Quicker than any machine could let it take: in one go.
    await page.evaluate(
      `for (const letter of "EVEN 11") { beginning.value += letter; beginning.dispatchEvent(new Event("input", { bubbles: true })); }`,
    );
    await lists(page, "Even 110", "Even 112", "Even 114", "Even 116", "Even 118");
    await sees(page, "5 players");
    expect(asked.filter(query => query.includes("name="))).toHaveLength(1);
    expect(hash(page)).toBe("#everybody/name/EVEN%2011");
    expect(await page.getByLabel("Sorted by").isDisabled()).toBe(true);
    expect(await page.locator("[role=status]").textContent()).toBe("5 players");
    expect(await violations(page, "known-search")).toEqual([]);
    await page.reload();
    await lists(page, "Even 110", "Even 112", "Even 114", "Even 116", "Even 118");
    expect(await page.getByLabel("Name begins with").inputValue()).toBe("EVEN 11");
    await page.getByLabel("Name begins with").fill("nobody");
    await sees(page, "No name begins like that.");
    await page.getByLabel("Name begins with").fill("");
    await sees(page, "121 players");
  });

  it("has a page of each player under an address of its own, without days", async () => {
    const page = await (await start(FEW)).page(`#player/${uuidOf(0)}`);
    await page.getByRole("heading", { name: "Ari Vale" }).waitFor();
    const shown = (await page.locator(".player-card dl > div").allInnerTexts()).map(text =>
      text.split(/\n+/),
    );
    expect(shown.map(([name]) => name)).toEqual([
      "Last seen",
      "First seen",
      "Playtime",
      "Kills",
      "Deaths",
      "Visits",
    ]);
    expect(shown.map(([, value]) => value).filter((_, i) => i !== 1)).toEqual([
      "3 days ago",
      "25 hr 0 min",
      "30",
      "1",
      "12",
    ]);
    expect(await page.title()).toBe("Ari Vale – Game server");
    expect(await page.locator(".calendar").count()).toBe(0);
    expect(await violations(page, "known-player")).toEqual([]);
    await page.getByRole("link", { name: "Everybody" }).click();
    await page.getByRole("link", { name: "Steve" }).click();
    await page.getByRole("heading", { name: "Steve" }).waitFor();
    await page.locator(".player-card .seen.online").waitFor();
  });

  it("has its choices in the address, which outlives loading it again, and going back", async () => {
    const page = await (await start(FEW)).page("#fame/deaths");
    await lists(page, "Bo", "Cleo", "Ari Vale");
    await page.getByRole("link", { name: "Everybody" }).click();
    await lists(page, "Steve", "Bo", "Ari Vale", "Dag", "Cleo");
    await page.getByLabel("Sorted by").selectOption({ label: "First seen" });
    await lists(page, "Ari Vale", "Cleo", "Bo", "Dag", "Steve");
    expect(hash(page)).toBe("#everybody/first-seen");
    await page.reload();
    await lists(page, "Ari Vale", "Cleo", "Bo", "Dag", "Steve");
    await page.goBack();
    await lists(page, "Steve", "Bo", "Ari Vale", "Dag", "Cleo");
    await page.goBack();
    await lists(page, "Bo", "Cleo", "Ari Vale");
    await page.getByRole("link", { name: "Online now" }).click();
    await eventually(async () => expect(await page.locator("tbody th").allTextContents()).toEqual(["Steve"]));
    expect(await violations(page, "known-online")).toEqual([]);
  });

  it("says that a player is not known, or not any more", async () => {
    await start(FEW);
    const page = await stage.page("#everybody");
    await lists(page, "Steve", "Bo", "Ari Vale", "Dag", "Cleo");
    await known.clear();
    await page.getByRole("link", { name: "Bo", exact: true }).click();
    await sees(page, "This player is not known here, or not any more.");
    expect(await violations(page, "known-unknown")).toEqual([]);
    await page.goto(`${stage.bridge.base}/#player/%22nobody`);
    await sees(page, "This player is not known here, or not any more.");
    passOver(404);
  });
});
