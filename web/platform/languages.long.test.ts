import { expect, it } from "@jest/globals";
import { eventually } from "../../test/helpers/eventually.ts";
import { hold, sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { stage, stagesOfSuite } from "../testing/suite.ts";

/** Width of the narrowest field that something is typed into, in pixels. */
const NARROWEST = `Math.min(...[...document.querySelectorAll("input:not([type=checkbox])")]
  .filter(field => field.checkVisibility()).map(field => field.clientWidth))`;

/** Whether the word on the button beside the field of the chat is in one piece, where it can be seen. */
const IN_ONE_PIECE = `[...document.querySelectorAll(".say button")].every(({ offsetHeight }) => offsetHeight < 50)`;

inBrowser.describe("the web console in another language", () => {
  const onStage = stagesOfSuite();

  it.each([
    ["de-DE", "Ticks pro Sekunde", "20,0", "de-DE"],
    ["pt-BR", "Ticks por segundo", "20,0", "pt-BR"],
    ["ru-RU", "Тиков в секунду", "20,0", "ru-RU"],
    ["ja-JP", "毎秒のティック数", "20.0", "ja-JP"],
  ])("follows the browser's language and fits a phone: %s", async (locale, name, figure, lang) => {
    const page = await (await onStage(["Steve"])).page("", {
      locale,
      viewport: { width: 320, height: 640 },
    });
    await sees(page, name);
    await sees(page, figure);
    expect(await page.evaluate("document.documentElement.lang")).toBe(lang);
    for (const part of ["overview", "chat", "you", "administration"]) {
      await page.goto(`${stage.bridge.base}/#${part}`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      expect(await page.evaluate(NARROWEST)).toBeGreaterThan(120);
      expect(await page.evaluate(IN_ONE_PIECE)).toBe(true);
      expect(await violations(page, `language-${locale}-${part}`)).toEqual([]);
    }
  });

  it("requests its texts once, before its script has loaded: by the browser's language, then as chosen", async () => {
    const page = await (await onStage(["Steve"])).page("about:blank", { locale: "ru-RU" });
    const requested: string[] = [];
    page.on("request", request => {
      const [, name] = /\/(\w+)\.\w+\.json$/.exec(request.url()) ?? [];
      if (name !== undefined) requested.push(name);
    });
    const letGo = await hold(page, /\/console\.\w+\.js$/);
    await page.goto(stage.bridge.base, { waitUntil: "commit" });
    await eventually(async () => expect(requested).toEqual(["ru_RU"]));
    letGo();
    await sees(page, "Тиков в секунду");
    expect(requested).toEqual(["ru_RU"]);
    await page.getByLabel("Язык").selectOption({ label: "Français" });
    await sees(page, "Ticks par seconde");
    requested.length = 0;
    await page.reload();
    await sees(page, "Ticks par seconde");
    expect(requested).toEqual(["fr_FR"]);
  });

  it("can be chosen, and stays chosen", async () => {
    const page = await (await onStage(["Steve"])).page("");
    await sees(page, "Ticks per second");
    await sees(page, "Steve joined");
    await page.getByLabel("Language").selectOption({ label: "Français" });
    await sees(page, "Ticks par seconde");
    await sees(page, "Steve a rejoint la partie");
    expect(await page.getByText("Steve joined").count()).toBe(0);
    await page.reload();
    await sees(page, "Ticks par seconde");
    await page.getByLabel("Langue").selectOption({ label: "English" });
    await eventually(async () => expect(await page.evaluate("document.documentElement.lang")).toBe("en-US"));
    await sees(page, "Ticks per second");
  });
});
