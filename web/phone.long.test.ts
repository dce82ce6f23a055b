import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ADMIN_KEY } from "../test/helpers/sidecar.ts";
import { sees, violations } from "./testing/page.ts";
import { inBrowser, shoot } from "./testing/stage.ts";
import { stage, stagesOfSuite } from "./testing/suite.ts";

const JOIN = "modules: {web: {join-address: play.example.com}}";
const phone = (width: number, height: number, deviceScaleFactor = 2) => ({
  viewport: { width, height },
  deviceScaleFactor,
  hasTouch: true,
  isMobile: true,
});
const PORTRAIT = phone(390, 844, 3);
/** 320 by 256 is a window of 1280 by 1024 pixels that is magnified four times. */
const ALL = [phone(320, 568), PORTRAIT, phone(640, 360), phone(568, 320), phone(320, 256, 4)];

/** What can be tapped and is smaller than a thumb needs, with its size in pixels; an expression for a page. */
const TOO_SMALL = `[...document.querySelectorAll("a, button, select, input")]
  .filter(one => one.checkVisibility() && !one.matches(".skip"))
  .map(one => [one, (one.closest("label.activity-shown") ?? one).getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([one, { width, height }]) => one.outerHTML.slice(0, 60) + ": " + width + " x " + height)`;

/** Languages that write spaces between words. */
const LANGUAGES = ["en", "de", "es", "fr", "it", "pt-BR", "ru"];
/** Words of the navigation on more than one line, an expression for a page. */
const BROKEN = `[...document.querySelectorAll("nav a")].flatMap(link => {
  const text = link.firstChild;
  return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
})`;

inBrowser.describe("the web console on a phone", () => {
  const onStage = stagesOfSuite();
  /** Where something is on the screen, in pixels. */
  const edges = (page: Page, part: string): Promise<{ left: number; top: number; bottom: number }> =>
    page.evaluate(
      `(({ left, top, bottom }) => ({ left, top, bottom }))(document.querySelector("${part}").getBoundingClientRect())`,
    );

  it.each(ALL)("has its navigation at the bottom, and does not scroll sideways: $viewport", async size => {
    await onStage(["Steve"], { yaml: JOIN });
    const { width, height } = size.viewport;
    for (const part of ["overview", "chat", "you", "administration"]) {
      const page = await stage.page(`#${part}`, size);
      await page.locator(".state.online").waitFor();
      expect([part, (await edges(page, "nav")).bottom]).toEqual([part, height]);
      expect([part, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([part, width]);
      await shoot(page, `phone-${width}-${height}-${part}`);
    }
  });

  it("shows why a name was not accepted above the navigation of the smallest phone", async () => {
    const page = await (await onStage(["Steve"])).page("#you", phone(320, 568));
    await page.getByRole("button", { name: "Send link request" }).tap();
    await sees(page, "Enter the player's name first.");
    expect((await edges(page, "#player-fault")).bottom).toBeLessThan((await edges(page, "nav")).top);
  });

  it.each(["en", "de", "ru"])(
    "shows above the navigation of the smallest phone how long a player has left to answer, in %s",
    async locale => {
      const page = await (await onStage(["Steve"], { yaml: JOIN })).page("#you", {
        ...phone(320, 568),
        locale,
      });
      await page.locator("#player").fill("Steve");
      await page.locator("#player").press("Enter");
      await page.locator("dialog button").last().tap();
      await page.locator(".countdown").waitFor();
      await page.reload();
      await page.locator(".countdown").waitFor();
      expect((await edges(page, ".countdown")).bottom).toBeLessThan((await edges(page, "nav")).top);
    },
  );

  it("breaks no word of its navigation, and does not scroll sideways, with text at twice the size", async () => {
    await onStage(["Steve"], { yaml: JOIN });
    for (const language of LANGUAGES)
      for (const part of ["overview", "chat", "you"]) {
        const page = await stage.page(`#${part}`, { ...phone(320, 568), locale: language });
        await page.locator(".state.online").waitFor();
        await page.evaluate(`document.documentElement.style.fontSize = "30px"`);
        expect([language, part, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([
          language,
          part,
          320,
        ]);
        expect([language, await page.evaluate(BROKEN)]).toEqual([language, []]);
        await page.close();
      }
  });

  it.each([{ ...phone(320, 568), colorScheme: "dark" as const }, phone(1024, 768)])(
    "has touch targets of at least 44 pixels: $viewport",
    async size => {
      await onStage(["Steve", "Al"], {
        yaml: "modules: {web: {join-address: play.example.com}, api: {chat: {web: linked}}}",
      });
      stage.bridge.world.allowList.put({ name: "Al" });
      const page = await stage.page("", size);
      const fits = async (): Promise<void> => expect(await page.evaluate(TOO_SMALL)).toEqual([]);
      await sees(page, "20.0");
      await fits();
      await page.goto(`${stage.bridge.base}/#you`);
      await page.getByLabel("Player name").fill("steev");
      await page.getByRole("button", { name: "Send link request" }).tap();
      await sees(page, "Did you mean Steve?");
      await fits();
      await page.goto(`${stage.bridge.base}/#administration`);
      await page.getByLabel("Admin key").fill(ADMIN_KEY);
      await page.getByRole("button", { name: "Sign in with a key" }).tap();
      await page.getByRole("button", { name: "Remove Al" }).tap();
      await page.getByRole("dialog").waitFor();
      await fits();
      await page.getByRole("button", { name: "Cancel" }).tap();
      await page.goto(`${stage.bridge.base}/#chat`);
      await sees(page, "Connected");
      await fits();
      await stage.pause();
      await stage.bridge.stopSidecar();
      await sees(page, "Try now");
      await fits();
      expect(await violations(page, `phone-thumb-${size.viewport.width}`)).toEqual([]);
    },
  );
});
