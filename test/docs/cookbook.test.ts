import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import type { Request } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { hide } from "../web/on-clock.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { DARK_PHONE, EVIL, siteOfSuite } from "./cookbook-site.ts";
import { SHOWN_API } from "./website.ts";

const FOLDER = new URL("../../docs/cookbook/", import.meta.url);
const PAGES = readdirSync(FOLDER).filter(name => name.endsWith(".html"));

describe("the files of the cookbook", () => {
  it.each(PAGES)("%s is one short file that begins with the address of the service", name => {
    const page = readFileSync(new URL(name, FOLDER), "utf8");
    expect(page.split("\n").length).toBeLessThan(200);
    const [, script = ""] = page.split('<script type="module">\n');
    expect(script.trimStart()).toMatch(`const api = "${SHOWN_API}"; // change this`);
    expect(page.split(SHOWN_API)).toHaveLength(2);
    expect(page).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|X-Service-Api-Key|<link|src=/);
  });
});

inBrowser.describe("what the cookbook reads, on another origin", () => {
  const site = siteOfSuite();

  describe.each([
    ["status-badge", "Online", "The game server is away", "The server status cannot be read"],
    ["player-list", "1 online", "The game server is away.", "The list of players cannot be read."],
  ])("%s", (name, online, away, unreachable) => {
    it("follows the game and the service through every state", async () => {
      const page = await site.open(name);
      await sees(page, away);
      expect(await violations(page, `${name}-away`)).toEqual([]);
      await site.now.gameComes("Steve");
      await sees(page, online);
      await sees(page, name === "status-badge" ? /^1 player, \d+\.\d ticks a second$/ : "Steve");
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

    it("fits a phone, in the dark", async () => {
      const page = await site.open(name, ["Steve"], { page: DARK_PHONE });
      await sees(page, online);
      expect(await site.now.width()).toBe(360);
      expect(await violations(page, `${name}-dark-phone`)).toEqual([]);
    });

    it("asks as often as answers are made, and not at all while it is hidden", async () => {
      const page = await site.open(name, ["Steve"], {
        env: { WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "40s" },
      });
      await page.clock.install();
      let [asked, answered] = [0, 0];
      const isOurs = (request: Request): boolean => request.url().startsWith(site.now.website.api);
      page.on("request", request => {
        if (isOurs(request)) asked++;
      });
      page.on("requestfinished", request => {
        if (isOurs(request)) answered++;
      });
      await page.reload();
      await sees(page, online);
      await page.clock.runFor(30_000);
      expect(asked).toBe(1);
      await page.clock.runFor(12_000);
      await eventually(() => expect(answered).toBe(2));
      await hide(page, true);
      await page.clock.runFor(120_000);
      expect(asked).toBe(2);
      await hide(page, false);
      await eventually(() => expect(asked).toBe(3));
    });

    it("waits a minute where a proxy says when to come back with a date", async () => {
      const page = await site.open(name);
      site.now.website.api = site.now.website.origin();
      let asked = 0;
      site.now.website.proxy = (req, res) => {
        if (req.url !== "/favicon.ico") asked++;
        res.writeHead(503, { "Retry-After": "Fri, 31 Dec 2027 23:59:59 GMT" }).end("<h1>Busy</h1>");
      };
      await page.clock.install();
      await page.reload();
      await sees(page, away);
      await page.clock.runFor(50_000);
      expect(asked).toBe(1);
      await page.clock.runFor(12_000);
      await eventually(() => expect(asked).toBe(2));
    });

    it("says that nothing can be read on a website that is not listed", async () => {
      const page = await site.open(name, ["Steve"], { listed: "https://elsewhere.example" });
      site.now.expected = /blocked by CORS policy|ERR_FAILED/;
      await sees(page, unreachable);
    });
  });

  it("shows names of players as text and in their place, and keeps the rows of who stays", async () => {
    const strange = "§k§kx\u202eevil";
    const page = await site.open("player-list", ["Steve", EVIL, strange, "A".repeat(60)], {
      page: { viewport: { width: 360, height: 640 } },
    });
    await sees(page, "4 online");
    const names = await page.locator("tbody th").allTextContents();
    expect(names).toEqual(expect.arrayContaining([EVIL, "xevil", "Steve"]));
    expect(await page.locator("img").count()).toBe(0);
    expect(await site.now.width()).toBe(360);
    await page.locator("tbody tr", { hasText: "AAA" }).evaluate(row => row.setAttribute("id", "kept"));
    await site.now.playersLeave("Steve", EVIL);
    await sees(page, "2 online");
    expect(await page.locator("#kept").count()).toBe(1);
    await site.now.playersLeave(strange, "A".repeat(60));
    await sees(page, "Nobody is online.");
    expect(await page.locator("table").isVisible()).toBe(false);
  });
});
