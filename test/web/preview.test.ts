import { expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { inBrowser } from "./stage.ts";
import { stagesOfSuite } from "./suite.ts";

const HOSTILE = `</title><script>alert(1)</script>"'><img src=x onerror=x>`;
const titled = (title: string) => ({ env: { WEB_BRIDGE_MODULES_WEB_TITLE: title } });

inBrowser.describe("the console for those who run nothing of it", () => {
  const onStage = stagesOfSuite();

  it("has the owner's title as it is written, and what goes on", async () => {
    const page = await (await onStage(["Steve"], titled(HOSTILE))).page("", { javaScriptEnabled: false });
    await eventually(async () => {
      await page.reload();
      expect(await page.title()).toBe(`${HOSTILE}: 1 player online`);
    });
    const content = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute("content");
    expect(await content("og:title")).toBe(`${HOSTILE}: 1 player online`);
    expect(await content("og:description")).toBe("1 player is online.");
    expect(await page.locator("script, img").count()).toBe(1);
  });
});
