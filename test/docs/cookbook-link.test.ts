import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { DARK_PHONE, siteOfSuite, type Wishes } from "./cookbook-site.ts";

inBrowser.describe("the link button, on another origin", () => {
  const site = siteOfSuite();
  const open = (...of: Wishes): Promise<Page> => site.open("link-button", ...of);
  const NOT_LINKED = "This browser is not linked to a player.";
  const unlinked = async (...of: Wishes): Promise<Page> => {
    const page = await open(...of);
    await sees(page, NOT_LINKED);
    return page;
  };

  const ask = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel("Your name in the game").fill(name);
    await page.keyboard.press("Enter");
  };
  const answer = async (name: string, button: number): Promise<void> => {
    await eventually(() => expect(site.now.stage.bridge.player(name).form).toBeTruthy());
    site.now.stage.bridge.player(name).answer(button);
  };

  it("links with every outcome, and unlinks, by keyboard alone", async () => {
    const page = await unlinked(["Steve"]);
    expect(await violations(page, "link-button-not-linked")).toEqual([]);
    await ask(page, " ");
    await sees(page, "Type your name in the game first.");
    await ask(page, "steve");
    await sees(page, "No player of that name is online.");
    expect(await violations(page, "link-button-refused")).toEqual([]);
    await ask(page, "Steve");
    await sees(page, /^Waiting for the answer in the game/);
    expect(await page.evaluate("document.activeElement.id")).toBe("state");
    expect(await violations(page, "link-button-pending")).toEqual([]);
    await eventually(() => expect(site.now.stage.bridge.player("Steve").form).toBeTruthy());
    const [, code = "none"] =
      /“(browser \w{8})”/.exec((await page.locator("#state").textContent()) ?? "") ?? [];
    expect(JSON.stringify(site.now.stage.bridge.player("Steve").form)).toContain(code);
    await answer("Steve", DECLINE);
    await sees(page, "The player declined, or did not answer in time.");
    await ask(page, "Steve");
    await answer("Steve", ACCEPT);
    await sees(page, "Linked to Steve.");
    expect(await violations(page, "link-button-accepted")).toEqual([]);
    await page.getByRole("button", { name: "Unlink" }).press("Enter");
    await sees(page, NOT_LINKED);
    expect(await page.locator("#fault").textContent()).toBe("");
  });

  it("says when it asks too much, when the game is away, and when nobody answers", async () => {
    const page = await open(["Steve"], {
      env: { WEB_BRIDGE_MODULES_API_LIMITS_LINK_REQUESTS_PER_MINUTE: "1" },
    });
    await ask(page, "Nobody");
    await sees(page, "No player of that name is online.");
    await ask(page, "Nobody");
    await sees(page, "Too many requests. Try again in 60 seconds.");
    await site.now.gameLeaves();
    await page.clock.install();
    await ask(page, "Steve");
    await sees(page, "The game server is away. Try again later.");
    await site.now.serviceStops();
    await ask(page, "Steve");
    await sees(page, "The service cannot be reached.");
    expect(await page.getByText("The service cannot be reached.").count()).toBe(1);
    expect(await page.locator("form").isVisible()).toBe(false);
    expect(await violations(page, "link-button-unreachable")).toEqual([]);
    await site.now.serviceStarts();
    await page.clock.runFor(15_000);
    await sees(page, NOT_LINKED);
  });

  it("says that it is on another site than the service, and what to do, and blames nobody's browser", async () => {
    const page = await open(["Steve"], { host: "www.shop.example", service: "bridge.game.example" });
    await sees(
      page,
      "This page seems to be on another site than its service, bridge.game.example, which gets no cookie from it.",
    );
    await sees(page, "“A website on another domain”");
    expect(readFileSync("docs/cookbook/README.md", "utf8")).toContain("\n## A website on another domain\n");
    expect(await page.getByText("browser").count()).toBe(0);
    expect(await page.locator("form").isVisible()).toBe(false);
    expect(await violations(page, "link-button-other-site")).toEqual([]);
  });

  it("says what to do where the cookie of the service is in the way, and page and service have one name", async () => {
    const page = await unlinked(["Steve"]);
    const domain = "127.0.0.1";
    const planted = { name: "website_user_uuid", value: "0123abcd-0000-4000-8000-000000000001", domain };
    await page.context().addCookies([{ ...planted, path: "/session" }]);
    await page.reload();
    await sees(
      page,
      "Linking needs a cookie of 127.0.0.1. Allow it, clear the old ones, and load this page again.",
    );
    await page.context().clearCookies();
    await page.reload();
    await sees(page, NOT_LINKED);
  });

  describe("at length", () => {
    it("shows the session that asks, also where another tab has made a new one", async () => {
      const page = await unlinked(["Steve"]);
      await page.context().clearCookies();
      await sees(await site.now.stage.page(page.url(), {}, page), NOT_LINKED);
      await ask(page, "Steve");
      await sees(page, /^Waiting/);
      await eventually(() => expect(site.now.stage.bridge.player("Steve").form).toBeTruthy());
      const [shown = "none"] = /browser \w{8}/.exec((await page.locator("#state").textContent()) ?? "") ?? [];
      expect(JSON.stringify(site.now.stage.bridge.player("Steve").form)).toContain(shown);
    });

    it("takes up the request of another tab, and a link whose player is not there", async () => {
      const page = await unlinked(["Steve"], { page: DARK_PHONE });
      const other = await site.now.stage.page(page.url(), {}, page);
      await sees(other, NOT_LINKED);
      await ask(page, "Steve");
      await sees(page, /^Waiting/);
      await ask(other, "Steve");
      await sees(other, /^Waiting/);
      expect(await other.locator("#fault").textContent()).toBe("");
      expect(await site.now.width()).toBe(360);
      await answer("Steve", ACCEPT);
      await sees(page, "Linked to Steve.");
      await sees(other, "Linked to Steve.");
      expect(await violations(page, "link-button-dark-phone")).toEqual([]);
      await site.now.playersLeave("Steve");
      await eventually(async () =>
        expect(await (await site.now.stage.bridge.ask("/players")).json).toEqual([]),
      );
      await page.reload();
      await sees(page, "Linked to Steve.");
    });

    it("asks as a new session where the cookies were cleared, and shows that one", async () => {
      const page = await unlinked(["Steve"]);
      await page.context().clearCookies();
      await ask(page, "Steve");
      await sees(page, /^Waiting/);
      expect(await page.locator("#fault").textContent()).toBe("");
      await answer("Steve", ACCEPT);
      await sees(page, "Linked to Steve.");
      await page.context().clearCookies();
      await page.getByRole("button", { name: "Unlink" }).click();
      await sees(page, NOT_LINKED);
      expect(await page.locator("#fault").textContent()).toBe("");
    });

    it("says that nobody may accept where another session begins alike", async () => {
      const page = await unlinked(["Steve"]);
      const cookie = (end: number): string => `0123abcd-0000-4000-8000-00000000000${end}`;
      const own = { name: "website_user_uuid", value: cookie(1), url: site.now.website.api };
      await page.context().addCookies([{ ...own, httpOnly: true, sameSite: "Strict" }]);
      await ask(page, "Steve");
      await sees(page, "The question there shows “browser 0123abcd”.");
      await eventually(() => expect(site.now.stage.bridge.player("Steve").form).toBeTruthy());
      const body = { username: "Steve" };
      await site.now.stage.bridge.ask("/link-player", { cookie: `website_user_uuid=${cookie(2)}`, body });
      await sees(page, "Do not accept in the game: somebody else asks as “browser 0123abcd” too.");
      expect(await violations(page, "link-button-alike")).toEqual([]);
      await ask(page, "Steve");
      await sees(page, /^Too many requests\. Try again in \d+ seconds\.$/);
      await sees(page, "Do not accept in the game");
    });

    it("links from another host of one site", async () => {
      const page = await open(["Steve"], { host: "www.game.example", service: "bridge.game.example" });
      await ask(page, "Steve");
      await answer("Steve", ACCEPT);
      await sees(page, "Linked to Steve.");
    });
  });
});
