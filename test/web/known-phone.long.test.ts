import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { LANGUAGES } from "../../web/languages.ts";
import { ManualClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/runner.ts";
import { knowing, type Person, uuidOf } from "./known-people.ts";
import { violations } from "./page.ts";
import { TOO_SMALL } from "./phone.ts";
import { inBrowser, type Stage } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const READER = "a key that reads of players 0123456789";
const HOUR_MS = 3_600_000;
/** The widest name and figures that there may be. */
const WIDE: Person = {
  name: "W".repeat(32),
  ...{ kills: 1_234_567, deaths: 7_654_321, playtimeSeconds: 99_999_999, visits: 12_345 },
  ...{ firstHours: 17_000, lastHours: 9_000 },
};
const PLACES = [
  "#fame",
  "#fame/visits",
  "#everybody/first-seen",
  "#everybody/name/w",
  `#player/${uuidOf(0)}`,
];

inBrowser.describe("everybody who has been here, on a phone", () => {
  const onStage = stagesOfSuite();

  async function start(...more: Person[]): Promise<Stage> {
    const clock = new ManualClock(Date.now());
    const now = clock.now();
    const stays = Array.from({ length: 300 }, (_, i) => ({
      from: now - (i + 1) * 26 * HOUR_MS,
      to: now - (i + 1) * 26 * HOUR_MS + (i % 7) * HOUR_MS,
    }));
    const known = await knowing([{ ...WIDE, stays }, { name: "Bo", kills: 1 }, ...more], now);
    const keys = JSON.stringify([{ name: "reader", sha256: sha256Of(READER), scopes: ["players:read"] }]);
    const yaml = `modules: {api: {admin-keys: ${keys}, known-players: {show: everybody, stays-for: 365d}}}`;
    return onStage(["Steve"], { clock, known, yaml });
  }
  /** Goes to a place and waits for what is there. */
  async function see(page: Page, part: string): Promise<void> {
    await page.goto(`${stage.bridge.base}/${part}`);
    await page.locator(".known:not(.waiting, [aria-busy=true])").waitFor();
    await page.locator("bdi").filter({ hasText: /^W+$/, visible: true }).first().waitFor();
  }

  it.each(Object.keys(LANGUAGES))("fits the narrowest one in the language %s", async name => {
    const locale = name.replace("_", "-");
    const page = await (await start()).page("", { locale, viewport: { width: 320, height: 568 } });
    for (const part of PLACES) {
      await see(page, part);
      expect([part, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([part, 320]);
    }
    expect(await page.evaluate(TOO_SMALL)).toEqual([]);
    expect(await violations(page, `known-phone-${name}`)).toEqual([]);
  });

  it("begins where its address leads, below the figures of the game", async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ name: `Player${i}`, playtimeSeconds: 60 * i }));
    const page = await (await start(...many)).page("#fame", { viewport: { width: 390, height: 844 } });
    const begins = (): Promise<void> =>
      eventually(async () => {
        const { y = 0 } = (await page.getByRole("heading", { name: "Players" }).boundingBox()) ?? {};
        expect(Math.abs(y)).toBeLessThan(20);
      });
    await page.locator(".known-list").waitFor();
    await begins();
    await page.goto(`${stage.bridge.base}/#player/${uuidOf(0)}`);
    await page.getByRole("link", { name: "Everybody" }).click();
    await page.locator(".known-list").waitFor();
    await begins();
  });
});
