import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
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
});
