import { afterEach, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { endGames, startGame, YAML } from "../../web/testing/network.ts";
import { hide } from "../../web/testing/on-clock.ts";
import { sees, violations } from "../../web/testing/page.ts";
import { inBrowser } from "../../web/testing/stage.ts";
import { eventually } from "../helpers/eventually.ts";
import { DARK_PHONE, EVIL, type PageOptions, siteOfSuite } from "./cookbook-site.ts";

inBrowser.describe("the status badge of the cookbook, on another origin", () => {
  const site = siteOfSuite();

  describe.each([
    ["status-badge", "Online", "The game server is offline", "The server status can't be loaded"],
    ["player-list", "1 online", "The game server is offline.", "The player list can't be loaded."],
  ])("%s", (name, online, away, unreachable) => {
    it("follows every state of the game and the service", async () => {
      const page = await site.open(name, [], { page: DARK_PHONE });
      await sees(page, away);
      expect(await violations(page, `${name}-away`)).toEqual([]);
      await site.now.gameComes("Steve");
      await sees(page, online);
      await sees(page, name === "status-badge" ? /^1 player, \d+\.\d ticks a second$/ : "Steve");
      expect(await site.now.width()).toBe(360);
      expect(await violations(page, `${name}-online`)).toEqual([]);
      await site.now.serviceStops();
      await sees(page, unreachable);
      expect(await page.getByText("Steve").filter({ visible: true }).count()).toBe(0);
      expect(await violations(page, `${name}-unreachable`)).toEqual([]);
      await site.now.serviceStarts();
      await sees(page, online);
      await site.now.gameLeaves();
      await sees(page, away);
    });
  });
});

inBrowser.describe("the activity list, on another origin", () => {
  const site = siteOfSuite();
  const open = (...of: PageOptions): Promise<Page> => site.open("activity-list", ...of);
  const entries = (page: Page): Promise<string[]> => page.locator("#list li span").allTextContents();

  it("shows past and new events as text, the newest first", async () => {
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

  it("resumes after the connection was lost, and after the page was hidden", async () => {
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
    await sees(page, "Connection lost. Reconnecting…");
    await site.now.serviceStarts();
    await sees(page, "Live");
    // The sidecar of this test keeps its feed in memory, so it starts a new one.
    await sees(page, "Some events are missing");
  });
});

const FOR_ALL = "modules: {api: {known-players: {show: everybody}}}";

inBrowser.describe("the known players, on another origin", () => {
  const site = siteOfSuite();

  it("are sorted by last seen, one page at a time", async () => {
    const players = Array.from({ length: 22 }, (_, i) => `Visitor${i}`);
    const page = await site.open("seen-lately", players, { yaml: FOR_ALL });
    await sees(page, "22 players in total");
    expect(await page.getByRole("listitem").count()).toBe(20);
    expect(await page.getByText("online", { exact: true }).count()).toBe(20);
    expect(await violations(page, "seen-lately")).toEqual([]);
    await page.getByRole("button", { name: "Show more" }).click();
    await eventually(async () => expect(await page.getByRole("listitem").count()).toBe(22));
    expect(await page.getByRole("button").count()).toBe(0);
  });

  it("are shown with bars in a leaderboard, in the selected order", async () => {
    const page = await site.open("leaderboard", ["Steve", "Alex"], { yaml: FOR_ALL, page: DARK_PHONE });
    await page.getByLabel("Most").selectOption("visits");
    await sees(page, "2 players in total");
    // Both came once, and share a rank.
    expect(await page.getByText("1.", { exact: true }).count()).toBe(2);
    expect(await site.now.width()).toBe(360);
    expect(await violations(page, "leaderboard-dark-phone")).toEqual([]);
    await page.getByLabel("Most").selectOption("kills");
    await sees(page, "No players yet.");
  });
});

inBrowser.describe("server-tabs of the cookbook, on another origin", () => {
  const site = siteOfSuite();
  afterEach(() => endGames());

  const tabs = (page: Page): Promise<string[]> => page.getByRole("tab").allInnerTexts();
  const players = (page: Page, ...names: string[]): Promise<void> =>
    eventually(async () => expect(await page.locator("li").allTextContents()).toEqual(names));

  it("has a tab for each game server, shows the players of the selected one, and has it in its address", async () => {
    const page = await site.open("server-tabs", ["Steve"], { yaml: YAML });
    await startGame(site.now.stage, "lobby", "Alex", EVIL);
    await sees(page, "2 of 3 online");
    await players(page, "Steve");
    await eventually(async () =>
      expect(await tabs(page)).toEqual(["Survival\n1 player", "The lobby\n2 players", "creative\noffline"]),
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
    await sees(page, "This server is offline.");
    expect(new URL(page.url()).searchParams.get("server")).toBe("creative");
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate("document.activeElement.id")).toBe("tab-survival");
  });
});
