import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sees, violations } from "../../web/testing/page.ts";
import { inBrowser } from "../../web/testing/stage.ts";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
import { eventually } from "../helpers/eventually.ts";
import { DARK_PHONE, EVIL, type PageOptions, say, siteOfSuite } from "./cookbook-site.ts";
import { blocks } from "./pages.ts";

// Blocks of docs/cookbook/README.md: content-security-policy text

inBrowser.describe("the chat widget, on another origin", () => {
  const site = siteOfSuite();
  const open = (...of: PageOptions): Promise<Page> => site.talk("chat-widget", ...of);

  it("chats in both directions, shows its own messages, and shows everything as text", async () => {
    const page = await open(["Steve"]);
    site.now.stage.bridge.player("Steve").say(`§ahello §1deep ${EVIL}`);
    await sees(page, `deep ${EVIL}`);
    await say(page, "good day");
    await sees(page, "You: good day");
    await eventually(() => expect(site.now.stage.bridge.player("Steve").chat.at(-1)).toContain("good day"));
    const other = await site.now.stage.bridge.socket();
    other.say(`${EVIL}\u202eevil ${"§§".repeat(200)}${"§#ff0000".repeat(5)}end`);
    await sees(page, `${EVIL}evil end`);
    expect(await page.locator("#log img").count()).toBe(0);
    expect(await page.locator("#log p:last-child bdi").count()).toBe(2);
    expect(await violations(page, "chat-widget")).toEqual([]);
  });

  it("says why a message was rejected or did not reach the game", async () => {
    const page = await open(["Steve"], {
      env: {
        WEB_BRIDGE_MODULES_API_LIMITS_MESSAGES_BURST: "2",
        WEB_BRIDGE_MODULES_API_LIMITS_MESSAGES_PER_SECOND: "1",
      },
    });
    await say(page, "§a");
    await sees(page, "it is too long or empty");
    // In one step: typing would be slower than the rate limit.
    await page.evaluate(`for (let i = 0; i < 9; i++) {
      document.getElementById("text").value = "line " + i;
      document.getElementById("form").requestSubmit();
    }`);
    await sees(page, "you are writing too fast");
    await site.now.gameLeaves();
    // The service reports only the rate limit.
    const away = page.getByText("The game server is offline.").first();
    await eventually(async () => {
      await say(page, "anybody?");
      await away.waitFor({ timeout: 1_200 });
    });
    expect(await violations(page, "chat-widget-away")).toEqual([]);
  });

  it("keeps its colours under the content policy of the cookbook page", async () => {
    const page = await open(["Steve"]);
    const [example] = blocks("docs/cookbook/README.md", "text");
    const connect = example?.text.replace(/(https|wss):\/\/bridge\.example\.com/g, (_all, scheme) =>
      site.now.website.api.replace("http", scheme === "wss" ? "ws" : "http"),
    );
    site.now.website.policy = `default-src 'none'; script-src 'self' 'nonce-once'; style-src 'nonce-once'; ${connect}`;
    await page.reload();
    await sees(page, "Connected");
    site.now.stage.bridge.player("Steve").say("§agreen");
    await sees(page, "green");
    const colours: string[] = await page.evaluate(
      "[document.body, ...document.querySelectorAll('#log bdi')].map(one => getComputedStyle(one).color)",
    );
    expect(colours.at(-1)).not.toBe(colours[0]);
  });
});

/** The messages of the page without their times. */
const lines = async (page: Page): Promise<string[]> =>
  (await page.locator("#log p").allTextContents()).map(line => line.replace(/^\d\d:\d\d( [AP]M)?/, ""));

inBrowser.describe("the chat widget and the conversation, on another origin", () => {
  const site = siteOfSuite();

  it.each(["chat-widget", "conversation"])(
    "reconnect after the service was offline, and keep the typed text: %s",
    async name => {
      const page = await site.talk(name, ["Steve"], { page: DARK_PHONE });
      await say(page, "before");
      await sees(page, /before/);
      await site.now.serviceStops();
      await sees(page, "Connection lost.");
      await say(page, "not yet");
      if (name === "conversation") await sees(page, "Your message was not sent");
      else expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
      expect(await page.getByLabel("Message").inputValue()).toBe("not yet");
      expect(await site.now.width()).toBe(360);
      expect(await violations(page, `${name}-lost-dark-phone`)).toEqual([]);
      await site.now.serviceStarts();
      // It may have reconnected a moment ago.
      await Promise.race([page.getByRole("button", { name: "Try now" }).click(), sees(page, "Connected")]);
      await sees(page, "Connected");
      await page.getByRole("button", { name: "Send" }).click();
      const both = [/^You:? before$/, /^You:? not yet$/].map(line => expect.stringMatching(line));
      const own = async () => (await lines(page)).filter(line => line.startsWith("You"));
      await eventually(async () => expect(await own()).toEqual(both));
    },
  );
});

inBrowser.describe("the conversation, on another origin", () => {
  const site = siteOfSuite();
  const open = (...of: PageOptions): Promise<Page> => site.talk("conversation", ...of);

  it("shows earlier and new messages, each once, with author and origin", async () => {
    const page = await open(["Steve"]);
    const steve = site.now.stage.bridge.player("Steve");
    steve.say(`§ahello §1deep ${EVIL}`);
    await sees(page, `deep ${EVIL}`);
    await say(page, "good day");
    await eventually(() => expect(steve.chat.at(-1)).toContain("good day"));
    const other = await site.now.stage.page(page.url());
    await sees(other, "good day");
    // Earlier messages are requested separately, so a message can be sent once the connections are open.
    await sees(other, "Connected");
    await say(other, `${EVIL}\u202eevil §#ff0000red`);
    await sees(page, `${EVIL}evil red`);
    const [game = "", own = "", web = ""] = await lines(page);
    expect([game, own]).toEqual([`<Steve> hello deep ${EVIL}`, "You good day"]);
    expect(web).toMatch(/^Guest [a-z]{8} \(web\) /);
    expect(await page.locator("#log img").count()).toBe(0);
    expect(await violations(page, "conversation")).toEqual([]);
    await page.reload();
    await sees(page, "good day");
    // The page knows its own messages once it has the label of its session.
    await eventually(async () => expect(await lines(page)).toEqual([game, own, web]));
    await other.reload();
    await eventually(async () => expect((await lines(other)).at(-1)).toBe(`You ${EVIL}evil red`));
  });
});

inBrowser.describe("the link button, on another origin", () => {
  const site = siteOfSuite();
  const open = (...of: PageOptions): Promise<Page> => site.open("link-button", ...of);
  const NOT_LINKED = "This browser is not linked to a player.";
  const unlinked = async (...of: PageOptions): Promise<Page> => {
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

  const passes = async (ms: number): Promise<void> => {
    await site.now.stage.pause();
    site.now.stage.bridge.clock.advance(ms);
    site.now.stage.run();
  };

  it("links with every outcome, and unlinks, using only the keyboard", async () => {
    const page = await unlinked(["Steve"]);
    expect(await violations(page, "link-button-not-linked")).toEqual([]);
    await ask(page, " ");
    await sees(page, "Type your name in the game first.");
    await ask(page, "steve");
    await sees(page, "No player with that name is online.");
    expect(await violations(page, "link-button-refused")).toEqual([]);
    await ask(page, "Steve");
    await sees(page, /^A request is waiting in the game/);
    expect(await page.evaluate("document.activeElement.id")).toBe("state");
    expect(await violations(page, "link-button-pending")).toEqual([]);
    await eventually(() => expect(site.now.stage.bridge.player("Steve").form).toBeTruthy());
    const [, code = "none"] =
      /“(browser \w{8})”/.exec((await page.locator("#state").textContent()) ?? "") ?? [];
    expect(JSON.stringify(site.now.stage.bridge.player("Steve").form)).toContain(code);
    await answer("Steve", DECLINE);
    await sees(page, "The player declined. You can try again.");
    await ask(page, "Steve");
    await eventually(() => expect(site.now.stage.bridge.player("Steve").form).toBeTruthy());
    await page.getByRole("button", { name: "Cancel request" }).press("Enter");
    await sees(page, NOT_LINKED);
    await eventually(() => expect(site.now.stage.bridge.player("Steve").form).toBeFalsy());
    await ask(page, "Steve");
    await sees(page, /^A request is waiting in the game/);
    await passes(120_000);
    await sees(page, "The player didn't answer in time. You can try again.");
    // After three failed requests there is a pause, and after the jump of the clock the game has to report again.
    await passes(30_000);
    await eventually(async () => {
      await ask(page, "Steve");
      await page.getByText(/^A request is waiting in the game/).waitFor({ timeout: 2_400 });
    });
    await answer("Steve", ACCEPT);
    await sees(page, "Linked to Steve.");
    expect(await violations(page, "link-button-accepted")).toEqual([]);
    await page.getByRole("button", { name: "Unlink" }).press("Enter");
    await sees(page, NOT_LINKED);
    expect(await page.locator("#fault").textContent()).toBe("");
  });

  it("says that it is on another site than the service, and what to do", async () => {
    const page = await open(["Steve"], { host: "www.shop.example", service: "bridge.game.example" });
    await sees(
      page,
      "This page is on a different site than its service, bridge.game.example, so the service gets no cookie.",
    );
    await sees(page, "“A website on another domain”");
    expect(readFileSync("docs/cookbook/README.md", "utf8")).toContain("\n## A website on another domain\n");
    expect(await page.getByText("browser").count()).toBe(0);
    expect(await page.locator("form").isVisible()).toBe(false);
    expect(await violations(page, "link-button-other-site")).toEqual([]);
  });
});
