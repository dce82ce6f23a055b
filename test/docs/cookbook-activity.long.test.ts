import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { hide } from "../web/on-clock.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { DARK_PHONE, EVIL, siteOfSuite, type Wishes } from "./cookbook-site.ts";

inBrowser.describe("the activity list, on another origin", () => {
  const site = siteOfSuite();
  const open = (...of: Wishes): Promise<Page> => site.open("activity-list", ...of);
  const entries = (page: Page): Promise<string[]> => page.locator("#list li span").allTextContents();

  it("shows what had happened and what happens, the newest on top, as text", async () => {
    const page = await open(["Steve", "Alex"]);
    await sees(page, "Live");
    await sees(page, "Alex joined");
    site.now.stage.bridge.player("Steve").say(`§ahello ${EVIL}\u202e`);
    await sees(page, `<Steve> hello ${EVIL}`);
    const other = await site.now.stage.bridge.socket();
    other.say("from a page");
    await sees(page, "from a page (on the web)");
    await site.now.playersLeave("Alex");
    await sees(page, "Alex left");
    expect(await entries(page)).toEqual([
      "Alex left",
      "from a page (on the web)",
      `<Steve> hello ${EVIL}`,
      "Alex joined",
      "Steve joined",
      "The game server is online",
    ]);
    expect(await page.locator("#list img").count()).toBe(0);
    expect(await violations(page, "activity-list")).toEqual([]);
  });

  it("goes on where it was after the connection was lost, and after it was hidden", async () => {
    const page = await open(["Steve"], { page: DARK_PHONE });
    await sees(page, "Steve joined");
    await hide(page, true);
    site.now.stage.bridge.player("Steve").say("while it was hidden");
    await site.now.stage.bridge.socket().then(other => other.say("and this"));
    await hide(page, false);
    await sees(page, "and this");
    await eventually(async () =>
      expect((await entries(page)).filter(one => /hidden/.test(one))).toHaveLength(1),
    );
    expect((await entries(page)).filter(one => /joined/.test(one))).toHaveLength(1);
    expect(await site.now.width()).toBe(360);
    expect(await violations(page, "activity-list-dark-phone")).toEqual([]);
    await site.now.serviceStops();
    await sees(page, "Connection lost. It is tried again.");
    await site.now.serviceStarts();
    await sees(page, "Live");
    // The sidecar of this test keeps its feed in memory, and begins another one.
    await sees(page, "Some of it was missed");
  });

  it("tries again by itself where the service is full, and is live as soon as there is room", async () => {
    const page = await open(["Steve"], { yaml: "modules.api.limits.event-clients: 1" });
    await sees(page, "Live");
    const second = await site.now.stage.page(page.url());
    await sees(second, "Connection lost. It is tried again.");
    await page.close();
    await sees(second, "Live");
  });

  it("says that it has no connection on a website that is not listed", async () => {
    const page = await open(["Steve"], { listed: "https://elsewhere.example" });
    site.now.expected = /blocked by CORS policy|ERR_FAILED/;
    await sees(page, "Connection lost. It is tried again.");
  });
});
