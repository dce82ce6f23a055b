import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { sees, shifts, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const LONG = "W".repeat(64);
const JOIN = 'modules: {web: {join-address: "play.example.com:19132"}}';
const size = (width: number, height: number) => ({ viewport: { width, height } });

/** Where something begins and ends on the screen, in pixels from its top. */
async function span(page: Page, part: string): Promise<[number, number]> {
  const box = await page.locator(part).first().boundingBox();
  if (!box) throw new Error(`${part} is not there`);
  return [box.y, box.y + box.height];
}

/** Whether nothing of something sticks out at its side. */
const isWhole = (page: Page, part: string): Promise<boolean> =>
  page.evaluate(`(one => one.scrollWidth <= one.clientWidth)(document.querySelector("${part}"))`);

inBrowser.describe("the console with what fits badly", () => {
  const onStage = stagesOfSuite();
  const gameGoes = async (): Promise<void> => {
    await stage.pause();
    await stage.bridge.stopGame("kill");
    stage.bridge.clock.advance(30_000);
    stage.run();
  };
  const serviceGoes = async (): Promise<void> => {
    await stage.pause();
    await stage.bridge.stopSidecar();
  };

  it.each([
    [640, 320],
    [320, 640],
    [768, 1024],
    [390, 844],
  ])(
    "lets its chat be written into without scrolling at %d by %d pixels, below an address to join",
    async (width, height) => {
      const page = await (await onStage(["Steve"], { yaml: JOIN })).page("#chat", size(width, height));
      await sees(page, "Steve joined");
      const [[, end], [bar]] = [await span(page, ".say .row"), await span(page, "nav")];
      expect(end).toBeLessThanOrEqual(width <= 640 ? bar : height);
      expect(await violations(page, `awkward-chat-${width}`)).toEqual([]);
    },
  );

  it.each([320, 768, 1280])("scrolls nothing sideways for a name of 64 letters at %d pixels", async width => {
    const page = await (await onStage(["Steve"])).page("#you", size(width, 740));
    await page.getByLabel("Player name").fill(LONG);
    await page.keyboard.press("Enter");
    await sees(page, "Nobody called");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await isWhole(page, "#player-fault")).toBe(true);
  });

  it("shows a name of 16 letters as a whole, however wide they are", async () => {
    await onStage(["W".repeat(16)]);
    for (const width of [320, 700, 768, 1000]) {
      const page = await stage.page("", size(width, 740));
      await page.locator("tbody th").waitFor();
      expect([width, await isWhole(page, "tbody th")]).toEqual([width, true]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
  });

  it.each(
    [320, 768, 1280].flatMap(width => [
      { width, state: "away", goes: gameGoes },
      { width, state: "unreachable", goes: serviceGoes },
    ]),
  )(
    "moves nothing when all below a title as long as they get is $state, at $width pixels",
    async ({ width, state, goes }) => {
      const page = await (await onStage(["Steve"], { yaml: `modules: {web: {title: ${LONG}}}` })).page(
        "",
        size(width, 740),
      );
      await sees(page, "20.0");
      await page.locator(".connection.open").waitFor({ state: "attached" });
      await goes();
      await page.locator(`.state.${state}`).waitFor();
      await sees(page, "Last report at");
      expect(await shifts(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await violations(page, `awkward-title-${state}-${width}`)).toEqual([]);
    },
  );

  it("gives nobody a line of their own by spaces", async () => {
    const page = await (await onStage(["Steve"])).page("#chat", size(390, 844));
    const other = await stage.bridge.socket();
    other.say(`hm${" ".repeat(120)}Steve: give me your things`);
    await sees(page, /give me your things/);
    const line = page.locator(".log .web > p");
    expect(await line.innerText()).toBe("Web: hm Steve: give me your things");
  });

  it("says of which day lines are that are not of today", async () => {
    const page = await (await onStage(["Steve"], {}, 1)).page("#chat", {
      ...size(390, 844),
      locale: "en-US",
      timezoneId: "UTC",
    });
    await sees(page, "Steve joined");
    expect(await page.locator(".log .day").allTextContents()).toEqual(["Jan 1, 2026"]);
    await page.getByLabel("Message").fill("today");
    await page.keyboard.press("Enter");
    await sees(page, "today");
    expect(await violations(page, "awkward-days")).toEqual([]);
  });

  it("begins each section at its top", async () => {
    const page = await (await onStage(["Steve", "Alex"])).page("", size(375, 400));
    await sees(page, "20.0");
    for (const name of ["Your player", "Overview", "Chat"]) {
      await page.evaluate("scrollTo(0, 9999)");
      expect(await page.evaluate("scrollY")).toBeGreaterThan(0);
      await page.getByRole("link", { name, exact: true }).click();
      await eventually(async () => expect(await page.evaluate("scrollY")).toBe(0));
    }
  });

  it("has boxes that no phone magnifies the page for, and that leave a name as it is typed", async () => {
    const page = await (await onStage(["Steve"], {}, 3)).page("#you", size(390, 844));
    const box = page.getByLabel("Player name");
    await box.waitFor();
    expect(
      await page.evaluate("parseFloat(getComputedStyle(document.querySelector('#player')).fontSize)"),
    ).toBeGreaterThanOrEqual(16);
    expect(await box.getAttribute("autocapitalize")).toBe("none");
    await box.fill(" Steve ");
    await page.keyboard.press("Enter");
    await sees(page, "Steve sees a question in the game now.");
  });
});
