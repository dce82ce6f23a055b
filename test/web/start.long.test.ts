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

inBrowser.describe("the start of the console", () => {
  const onStage = stagesOfSuite();

  it("goes on in a browser that keeps nothing", async () => {
    const page = await (await onStage(["Steve"])).page();
    await page.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } })`);
    await page.reload();
    await sees(page, "20.0");
    await sees(page, "Connected");
    await page.getByLabel("Message").fill("hello");
    await page.keyboard.press("Enter");
    await sees(page, "You: hello");
    await page.getByLabel("Language").selectOption({ label: "Deutsch" });
    await sees(page, "Ticks pro Sekunde");
  });

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
