import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { endGames, startGame, YAML } from "../web/network.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { DARK_PHONE, EVIL, siteOfSuite } from "./cookbook-site.ts";

inBrowser.describe("server-tabs of the cookbook, on another origin", () => {
  const site = siteOfSuite();
  afterEach(() => endGames());

  const tabs = (page: Page): Promise<string[]> => page.getByRole("tab").allInnerTexts();
  const players = (page: Page, ...names: string[]): Promise<void> =>
    eventually(async () => expect(await page.locator("li").allTextContents()).toEqual(names));

  it("has a tab for each game server, and the players of the one chosen, which stands in its address", async () => {
    const page = await site.open("server-tabs", ["Steve"], { yaml: YAML });
    await startGame(site.now.stage, "lobby", "Alex", EVIL);
    await sees(page, "2 of 3 online");
    await players(page, "Steve");
    await eventually(async () =>
      expect(await tabs(page)).toEqual(["Survival\n1 player", "The lobby\n2 players", "creative\naway"]),
    );
    expect(await violations(page, "server-tabs")).toEqual([]);
    await page.getByRole("tab", { name: "The lobby" }).click();
    await players(page, EVIL, "Alex");
    expect(await page.locator("img").count()).toBe(0);
    await page.reload();
    await players(page, EVIL, "Alex");
    await page.getByRole("tab", { name: "The lobby" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await sees(page, "This server is away.");
    expect(new URL(page.url()).searchParams.get("server")).toBe("creative");
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate("document.activeElement.id")).toBe("tab-survival");
  });

  it("shows no tab where there is one game server, and nothing old while the service is away", async () => {
    const page = await site.open("server-tabs", ["Steve"]);
    await sees(page, "1 of 1 online");
    await players(page, "Steve");
    expect(await page.getByRole("tab").count()).toBe(0);
    await site.now.serviceStops();
    await sees(page, "The servers cannot be read.");
    expect(await page.getByText("Steve").filter({ visible: true }).count()).toBe(0);
    await site.now.serviceStarts();
    await sees(page, "1 of 1 online");
    await site.now.gameLeaves();
    await sees(page, "This server is away.");
  });

  it("fits a phone, in the dark", async () => {
    const page = await site.open("server-tabs", ["Steve"], { yaml: YAML, page: DARK_PHONE });
    await sees(page, "1 of 3 online");
    expect(await site.now.width()).toBe(360);
    expect(await violations(page, "server-tabs-dark-phone")).toEqual([]);
  });
});
