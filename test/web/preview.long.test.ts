import { expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { sees } from "./page.ts";
import { inBrowser, shoot } from "./stage.ts";
import { stagesOfSuite } from "./suite.ts";

const HOSTILE = `</title><script>alert(1)</script>"'><img src=x onerror=x>`;
const titled = (title: string) => ({ env: { WEB_BRIDGE_MODULES_WEB_TITLE: title } });

inBrowser.describe("the console for those who run nothing of it", () => {
  const onStage = stagesOfSuite();

  it("has the owner's title as it is written, and what goes on", async () => {
    const stage = await onStage(["Steve"], titled(HOSTILE));
    const page = await stage.page("", { javaScriptEnabled: false });
    await eventually(async () => {
      await page.reload();
      expect(await page.title()).toBe(`${HOSTILE}: 1 player online`);
    });
    const content = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute("content");
    expect(await content("og:title")).toBe(`${HOSTILE}: 1 player online`);
    expect(await content("og:description")).toBe("1 player is online.");
    expect(await page.locator("script, img").count()).toBe(1);
    // Nothing uses what was loaded for the script, and after some seconds the browser says so.
    const used = stage.complaints.filter(line => !/preloaded using link preload but not used/.test(line));
    stage.complaints.splice(0, stage.complaints.length, ...used);
  });

  it("has pictures that are as large as they say", async () => {
    const page = await (await onStage(["Steve"])).page();
    await sees(page, "20.0");
    const sizes = await page.evaluate(`Promise.all(
        [
          document.querySelector('meta[property="og:image"]').content,
          document.querySelector('link[rel="apple-touch-icon"]').href,
          "favicon.ico",
        ].map(async src => {
          const picture = new Image();
          picture.src = src;
          await picture.decode();
          return [picture.naturalWidth, picture.naturalHeight];
        }),
      )`);
    expect(sizes).toEqual([
      [1200, 630],
      [512, 512],
      [32, 32],
    ]);
    await page.goto((await page.locator('meta[property="og:image"]').getAttribute("content")) ?? "");
    await shoot(page, "preview");
  });

  it("has a manifest that the browser takes, and may be put on a home screen", async () => {
    const page = await (await onStage(["Steve"], titled("Oak & Stone"))).page();
    await sees(page, "20.0");
    const session = await page.context().newCDPSession(page);
    const { data, errors } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(JSON.parse(data ?? "")).toMatchObject({ name: "Oak & Stone" });
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // Profiles of tests are such that nothing is installed from.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
  });
});
