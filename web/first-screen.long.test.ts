import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../test/helpers/eventually.ts";
import { sees, shifts, violations } from "./testing/page.ts";
import { inBrowser } from "./testing/stage.ts";
import { stage, stagesOfSuite } from "./testing/suite.ts";

const JOIN = `modules: {web: {title: "Oak | Stone", join-address: "play.example.com:19133"}, api: {known-players: {show: everybody}}}`;
const phone = (width: number, height: number) => ({
  viewport: { width, height },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
});
const NAMES = Array.from({ length: 14 }, (_, i) => `Player ${i + 1}`);
/** What sticks out of a page of a width in pixels, an expression for the page. */
const tooWide = (width: number): string => `document.documentElement.scrollWidth === ${width} ? [] :
  [...document.querySelectorAll("main *, header *, nav *, footer *")]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > ${width})
    .map(one => one.outerHTML.slice(0, 60))`;
const rows = (page: Page): Promise<string[]> => page.locator("tbody th").allTextContents();

inBrowser.describe("the first screen of a visitor", () => {
  const onStage = stagesOfSuite();

  it("shows a player on the smallest phone without scrolling, and the figures below the players", async () => {
    await onStage(NAMES, { yaml: JOIN });
    const page = await stage.page("", phone(320, 568));
    await page.locator(".state.online").waitFor();
    const bar = await page.locator("nav").boundingBox();
    const row = await page.locator("tbody tr").first().boundingBox();
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    expect((await page.locator(".figures").boundingBox())?.y).toBeGreaterThan(row?.y ?? 0);
    expect(await shifts(page)).toEqual([]);
    expect(await violations(page, "first-screen-320")).toEqual([]);
  });

  it("finds one of many players by part of the name, and sorts them", async () => {
    await onStage(NAMES, { yaml: JOIN });
    const page = await stage.page("", phone(390, 844));
    await sees(page, "Player 14");
    await page.getByLabel("Search players").fill("R 1");
    expect(await rows(page)).toEqual([
      "Player 1",
      "Player 10",
      "Player 11",
      "Player 12",
      "Player 13",
      "Player 14",
    ]);
    await page.getByLabel("Search players").fill("nobody");
    await sees(page, "No players found.");
    await page.getByLabel("Search players").fill("");
    await page.getByLabel("Sort by").selectOption({ label: "Playtime" });
    expect(await rows(page)).toHaveLength(NAMES.length);
    expect(await violations(page, "first-screen-many")).toEqual([]);
    const wide = await stage.page("", { viewport: { width: 1440, height: 900 } });
    await sees(wide, "Player 14");
    await sees(wide, "Player 1, Player 2 and 12 others joined");
    await wide.getByRole("button", { name: "Name" }).click();
    expect((await rows(wide))[0]).toBe("Player 14");
  });

  it("has address and port to copy, and a link that adds the server in Minecraft", async () => {
    await onStage(["Steve"], { yaml: JOIN });
    const page = await stage.page("", { permissions: ["clipboard-read", "clipboard-write"] });
    await sees(page, "play.example.com:19133");
    await page.locator(".join summary").click();
    for (const [name, value] of [
      ["Address", "play.example.com"],
      ["Port", "19133"],
    ] as const) {
      await page.getByRole("button", { name: `Copy: ${name}` }).click();
      await eventually(async () => expect(await page.evaluate("navigator.clipboard.readText()")).toBe(value));
    }
    expect(await page.getByRole("link", { name: "Add to Minecraft" }).getAttribute("href")).toBe(
      "minecraft://?addExternalServer=Oak%20Stone|play.example.com:19133",
    );
    expect(await violations(page, "join")).toEqual([]);
  });

  it("shows right-to-left names, and names with direction marks, without affecting other text", async () => {
    const page = await (await onStage(["ev\u202eil", "شادي", "Steve"])).page("", phone(390, 844));
    await sees(page, "Steve");
    expect((await rows(page)).sort()).toEqual(["Steve", "evil", "شادي"]);
    expect(await page.locator("tbody th bdi").count()).toBe(3);
    expect(await violations(page, "first-screen-right-to-left")).toEqual([]);
  });

  it("has no join section if no address is configured", async () => {
    const page = await (await onStage(["Steve"])).page();
    await sees(page, "Steve");
    expect(await page.locator(".join").count()).toBe(0);
  });

  it("fits the width of a phone with text at twice the size", async () => {
    const width = 390;
    await onStage(["Steve", "A name of 16 let"], { yaml: JOIN });
    for (const part of ["", "#everybody", "#leaderboard", "#chat", "#you", "?for=1d"]) {
      const page = await stage.page(part, phone(width, 844));
      await page.locator(".state.online").waitFor();
      await page.evaluate(`document.documentElement.style.fontSize = "30px"`);
      await page.evaluate(`document.querySelector(".join").open = true`);
      expect([part, await page.evaluate(tooWide(width))]).toEqual([part, []]);
      await violations(page, `text-200-${width}-${part.replace(/\W/g, "")}`);
    }
  });

  it("fits the width of a phone where its texts run from right to left", async () => {
    const page = await (await onStage(["Steve"], { yaml: JOIN })).page("", phone(390, 844));
    await sees(page, "Steve");
    await page.evaluate(`document.documentElement.dir = "rtl"`);
    expect(await page.evaluate(tooWide(390))).toEqual([]);
    expect(await violations(page, "first-screen-mirrored")).toEqual([]);
  });

  it("says near the top that the device is offline, without moving anything", async () => {
    const page = await (await onStage(NAMES, { yaml: JOIN }, 30)).page("", phone(390, 844));
    await sees(page, "Player 14");
    await page.context().setOffline(true);
    await stage.pause();
    await stage.bridge.stopSidecar();
    stage.run();
    await page.locator(".state.unreachable").waitFor();
    await sees(page, "Your device is offline");
    expect((await page.locator(".state").boundingBox())?.y).toBeLessThan(100);
    await sees(page, /^as of /);
    expect(await rows(page)).toHaveLength(NAMES.length);
    expect(await shifts(page)).toEqual([]);
    expect(await violations(page, "device-offline")).toEqual([]);
  });
});
