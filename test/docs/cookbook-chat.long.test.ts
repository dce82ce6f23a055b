import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { contrast } from "../../web/legible.ts";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { EVIL, say, siteOfSuite, type Wishes } from "./cookbook-site.ts";
import { blocks } from "./pages.ts";

// Blocks of docs/cookbook/README.md: content-security-policy text

inBrowser.describe("the chat widget, on another origin", () => {
  const site = siteOfSuite();
  const open = (...of: Wishes): Promise<Page> => site.talk("chat-widget", ...of);

  it("chats both ways, with what was said here as well, and shows everything as text", async () => {
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

  it("takes no more than 512 characters, and nothing that is empty", async () => {
    const page = await open(["Steve"]);
    await say(page, "   ");
    expect(await page.locator("#log p").count()).toBe(0);
    await page.getByLabel("Message").fill("");
    await page.getByLabel("Message").focus();
    await page.keyboard.insertText("x".repeat(600));
    await page.keyboard.press("Enter");
    await eventually(() =>
      expect(site.now.stage.bridge.player("Steve").chat.at(-1)?.match(/x/g)?.length).toBe(512),
    );
  });

  it("tells lines of the web and what only looks like the game's apart with words", async () => {
    const page = await open(["Steve"]);
    site.now.stage.bridge.player("Steve").say("true");
    await sees(page, "true");
    const other = await site.now.stage.bridge.socket();
    for (const line of ["<Steve> plain", "You: me", "§§<Steve> §§forged"]) other.say(line);
    await sees(page, "forged");
    expect(await page.locator("#log p").allTextContents()).toEqual([
      "Game? <Steve> true",
      "Web: <Steve> plain",
      "Web: You: me",
      "Game? <Steve> forged",
    ]);
    expect(await violations(page, "chat-widget-origins")).toEqual([]);
  });

  it("names a visitor on the first visit, in the way that the owner has chosen", async () => {
    const yaml = 'messages: {api.chat-format-from-web: "[{browser}] {content}"}';
    const page = await open(["Steve"], { yaml });
    await say(page, "hello");
    await eventually(() =>
      expect(site.now.stage.bridge.player("Steve").chat.at(-1)).toMatch(/^\[[0-9a-f]{8}\] hello$/),
    );
  });

  it("says why a line was not taken or did not reach the game", async () => {
    const page = await open(["Steve"], {
      env: {
        WEB_BRIDGE_MODULES_API_LIMITS_MESSAGES_BURST: "2",
        WEB_BRIDGE_MODULES_API_LIMITS_MESSAGES_PER_SECOND: "1",
      },
    });
    await say(page, "§a");
    await sees(page, "there is nothing in it to show");
    for (let i = 0; i < 5; i++) await say(page, "again");
    await sees(page, "you write too fast");
    await site.now.gameLeaves();
    // Whoever asks too fast is only told that.
    const away = page.getByText("The game server is away.").first();
    await eventually(async () => {
      await say(page, "anybody?");
      await away.waitFor({ timeout: 1_200 });
    });
    expect(await violations(page, "chat-widget-away")).toEqual([]);
  });

  it("keeps its colours under the content policy that the page of the cookbook shows", async () => {
    const page = await open(["Steve"]);
    const [shown] = blocks("docs/cookbook/README.md", "text");
    const connect = shown?.text.replace(/(https|wss):\/\/bridge\.example\.com/g, (_all, scheme) =>
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

  it.each(["light", "dark"] as const)(
    "shows every colour so that it can be read, in %s",
    async colorScheme => {
      const page = await open(["Steve"], { page: { colorScheme } });
      const steps = ["00", "55", "aa", "ff"];
      const colours = steps.flatMap(r => steps.flatMap(g => steps.map(b => `${r}${g}${b}`)));
      const other = await site.now.stage.bridge.socket();
      for (const part of [colours.slice(0, 32), colours.slice(32)])
        other.say(part.map(one => `§#${one}x`).join(""));
      await eventually(async () => expect(await page.locator("#log bdi").count()).toBe(64));
      const shown: string[] = await page.evaluate(`(() => {
      const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const hex = colour => {
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        return "#" + [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).map(n => n.toString(16).padStart(2, "0")).join("");
      };
      return [document.body, ...document.querySelectorAll("#log bdi")].map((one, i) => {
        const style = getComputedStyle(one);
        return hex(i === 0 ? style.backgroundColor : style.color);
      });
    })()`);
      const [background = "", ...texts] = shown;
      expect(new Set(texts).size).toBeGreaterThan(20);
      const tooFaint = texts
        .map((text, i) => ({ colour: colours[i], contrast: contrast(text, background) }))
        .filter(one => one.contrast < 4.5);
      expect(tooFaint).toEqual([]);
    },
  );
});
