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

const PARTS = ["", "#you", "#whitelist"];

/** Opens a page that moves nothing until it shows what it is to show. On a busy machine answers come late, which a page says. */
async function isStill(
  part: string,
  size: (typeof SIZES)[keyof typeof SIZES],
  shows: (page: Page) => Promise<void>,
): Promise<Page> {
  for (let tries = 1; ; tries++) {
    const page = await stage.page(part, size);
    await shows(page);
    await page.locator(".connection.open").waitFor({ state: "attached" });
    const moved = await shifts(page);
    if (tries === 3) expect([part, moved]).toEqual([part, []]);
    if (moved.length === 0) return page;
  }
}

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
      for (const part of PARTS) await isStill(part, size, page => sees(page, "The game server is away"));
      await stage.pause();
      await stage.bridge.startGame();
      await stage.bridge.enter("Steve", "Alex");
      stage.run();
      for (const part of PARTS) {
        const page = await isStill(part, size, shown => shown.locator(".state.online").waitFor());
        await push(page);
        expect([`pushed, ${part}`, await shifts(page)]).not.toEqual([`pushed, ${part}`, []]);
      }
    },
  );
});
