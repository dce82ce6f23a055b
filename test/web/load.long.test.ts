import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sees, shifts } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const SIZES = {
  desktop: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 390, height: 844 } },
};

/** Pushes the whole page down, as something that loads late would. */
const push = (page: Page): Promise<void> =>
  page.evaluate(`document.body.prepend(Object.assign(document.createElement("p"), { textContent: "late" }))`);

inBrowser.describe("loading the console", () => {
  const onStage = stagesOfSuite();

  it.each(Object.entries(SIZES))(
    "moves nothing on a %s, whether the game is there or away",
    async (_name, size) => {
      await onStage();
      for (const part of ["", "#you", "#whitelist"]) {
        const page = await stage.page(part, size);
        await sees(page, "The game server is away");
        await page.locator(".connection.open").waitFor({ state: "attached" });
        expect([`away, ${part}`, await shifts(page)]).toEqual([`away, ${part}`, []]);
      }
      await stage.pause();
      await stage.bridge.startGame();
      await stage.bridge.enter("Steve", "Alex");
      stage.run();
      for (const part of ["", "#you", "#whitelist"]) {
        const page = await stage.page(part, size);
        await page.locator(".state.online").waitFor();
        await page.locator(".connection.open").waitFor({ state: "attached" });
        expect([`online, ${part}`, await shifts(page)]).toEqual([`online, ${part}`, []]);
        await push(page);
        expect([`pushed, ${part}`, await shifts(page)]).not.toEqual([`pushed, ${part}`, []]);
      }
    },
  );
});
