import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { ManualClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/runner.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { knowing, uuidOf } from "./known-people.ts";
import { sees, violations } from "./page.ts";
import { inBrowser, type Stage } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const READER = "a key that reads of players 0123456789";
const BOTH = "a key that reads all of it 0123456789";
const HOUR_MS = 3_600_000;

const hasViews = async (page: Page): Promise<boolean> => (await page.locator(".choices").count()) > 0;
const forget = (page: Page): Promise<void> => page.getByRole("button", { name: "Forget the key" }).click();

inBrowser.describe("who reads of everybody who has been here, on the web console", () => {
  const onStage = stagesOfSuite();

  /** Ari has been here on two days of the last thirty, and Steve is here. `scopes`: of the key that reads of all of it. */
  async function start(show: string, keys = true): Promise<Stage> {
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
    const held = [
      { name: "reader", sha256: sha256Of(READER), scopes: ["players:read"] },
      { name: "both", sha256: sha256Of(BOTH), scopes: ["whitelist:read", "players:read"] },
    ];
    const yaml = `modules: {api: {admin-keys: ${JSON.stringify(keys ? held : [])}, known-players: {show: ${show}}}}`;
    return onStage(["Steve"], { clock, known, yaml });
  }

  async function enter(page: Page, key: string): Promise<void> {
    await page.getByRole("link", { name: "Administration" }).click();
    await page.getByLabel("Admin key").fill(key);
    await page.keyboard.press("Enter");
  }

  /** What the browser has noted of a refusal that the page has made nothing of, or has told. */
  function passOver(status: number): void {
    const noted = stage.complaints.findIndex(line => line.includes(`responded with a status of ${status} `));
    expect(noted).toBeGreaterThanOrEqual(0);
    stage.complaints.splice(noted, 1);
  }

  it("is nobody without a key, as if there were no more than who is online", async () => {
    await start("key");
    for (const part of ["", "#fame", "#everybody/kills", `#player/${uuidOf(0)}`]) {
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

  it("is whoever has entered a key for it, until that is forgotten, with the days of the last year", async () => {
    const page = await (await start("key")).page("#everybody");
    await sees(page, "20.0");
    await enter(page, READER);
    await sees(page, "With this key the page also shows who has been here, and when:");
    passOver(403);
    expect(await page.getByLabel("Name to add").count()).toBe(0);
    expect(await violations(page, "known-key")).toEqual([]);
    await page.getByRole("link", { name: "Everybody" }).click();
    await page.getByRole("link", { name: "Ari Vale" }).click();
    await sees(page, "Visits are kept for 30 days.");
    expect(await page.locator(".calendar li").count()).toBe(12);
    expect(await page.locator(".calendar .level-2").count()).toBe(1);
    expect(await page.locator(".calendar .level-1").count()).toBe(1);
    expect(await page.locator(".calendar title").allTextContents()).toEqual([
      expect.stringMatching(/: 30 min$/),
      expect.stringMatching(/: 2 hr 0 min$/),
    ]);
    expect(await page.locator(".calendar .untold").count()).toBeGreaterThan(300);
    expect(await violations(page, "known-calendar")).toEqual([]);
    await page.getByRole("link", { name: "Administration" }).click();
    await forget(page);
    await page.getByRole("link", { name: "Overview" }).click();
    expect(await hasViews(page)).toBe(false);
  });

  it("is nobody with a key for the whitelist alone, and one with a key for both sees both", async () => {
    const page = await (await start("key")).page();
    await enter(page, ADMIN_KEY);
    await sees(page, "No name is on the whitelist.");
    passOver(403);
    await page.getByRole("link", { name: "Overview" }).click();
    expect(await hasViews(page)).toBe(false);
    await page.getByRole("link", { name: "Administration" }).click();
    await forget(page);
    await enter(page, BOTH);
    await sees(page, "No name is on the whitelist.");
    await sees(page, "With this key the page also shows who has been here, and when:");
    await page.getByRole("link", { name: "Overview" }).click();
    expect(await hasViews(page)).toBe(true);
  });
});
