import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { KnownStore } from "../../sidecar/ports/known.ts";
import { ManualClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/runner.ts";
import { knowing, type Person } from "./known-people.ts";
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
