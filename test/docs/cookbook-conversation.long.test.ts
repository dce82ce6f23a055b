import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { NO_RATES } from "../helpers/traffic.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { DARK_PHONE, EVIL, say, siteOfSuite, type Wishes } from "./cookbook-site.ts";

/** The lines of the page without their times. */
const lines = async (page: Page): Promise<string[]> =>
  (await page.locator("#log p").allTextContents()).map(line => line.replace(/^\d\d:\d\d( [AP]M)?/, ""));

inBrowser.describe(
  "what can be written on another origin, in the chat widget and in the conversation",
  () => {
    const site = siteOfSuite();

    describe.each([
      ["chat-widget", "Web: line 31."],
      ["conversation", "Guest (web) line 31."],
    ])("%s", (name, oldest) => {
      it("says that it may not write", async () => {
        const page = await site.talk(name, ["Steve"], { yaml: "modules: {api: {chat: {web: linked}}}" });
        await say(page, "hello");
        await sees(page, "you may not write here now");
        // The widget leaves the line where it is, and says below it that it was not taken.
        expect(await lines(page)).toHaveLength(name === "conversation" ? 0 : 2);
      });

      it("comes back after the service has been away, and keeps what was written", async () => {
        const page = await site.talk(name, ["Steve"], { page: DARK_PHONE });
        await say(page, "before");
        await sees(page, /before/);
        await site.now.serviceStops();
        await sees(page, "Connection lost.");
        await say(page, "not yet");
        if (name === "conversation") await sees(page, "Your line was not sent");
        else expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
        expect(await page.getByLabel("Message").inputValue()).toBe("not yet");
        expect(await site.now.width()).toBe(360);
        expect(await violations(page, `${name}-lost-dark-phone`)).toEqual([]);
        await site.now.serviceStarts();
        // It may have come back by itself a moment ago.
        await Promise.race([page.getByRole("button", { name: "Try now" }).click(), sees(page, "Connected")]);
        await sees(page, "Connected");
        await page.getByRole("button", { name: "Send" }).click();
        const both = [/^You:? before$/, /^You:? not yet$/].map(line => expect.stringMatching(line));
        const own = async () => (await lines(page)).filter(line => line.startsWith("You"));
        await eventually(async () => expect(await own()).toEqual(both));
      });

      it("keeps the last 200 lines and its place at the end", async () => {
        const page = await site.talk(name, ["Steve"], { yaml: NO_RATES });
        const other = await site.now.stage.bridge.socket();
        for (let i = 1; i <= 230; i++) other.say(`line ${i}.`);
        await sees(page, "line 230.");
        const shown = await lines(page);
        expect([shown.length, shown[0]]).toEqual([200, oldest]);
        const left = await page
          .locator("#log")
          .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
        expect(left).toBeLessThan(2);
      });
    });
  },
);

inBrowser.describe("the conversation, on another origin", () => {
  const site = siteOfSuite();
  const open = (...of: Wishes): Promise<Page> => site.talk("conversation", ...of);

  it("shows what was said before and is said, each line once, and who said it where", async () => {
    const page = await open(["Steve"]);
    const steve = site.now.stage.bridge.player("Steve");
    steve.say(`§ahello §1deep ${EVIL}`);
    await sees(page, `deep ${EVIL}`);
    await say(page, "good day");
    await eventually(() => expect(steve.chat.at(-1)).toContain("good day"));
    const other = await site.now.stage.page(page.url());
    await sees(other, "good day");
    // What was said before is asked for apart from the connections: a line may be written once they stand.
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
    // Which lines are its own, a page knows once its session has been named.
    await eventually(async () => expect(await lines(page)).toEqual([game, own, web]));
    await other.reload();
    await eventually(async () => expect((await lines(other)).at(-1)).toBe(`You ${EVIL}evil red`));
  });

  it("names who is linked in a line of the web", async () => {
    const page = await open(["Steve"]);
    const links = await site.now.stage.page(
      `${site.now.website.origin()}/cookbook/link-button.html`,
      {},
      page,
    );
    await links.getByLabel("Your name in the game").fill("Steve");
    await links.keyboard.press("Enter");
    await eventually(() => expect(site.now.stage.bridge.player("Steve").form).toBeTruthy());
    site.now.stage.bridge.player("Steve").answer(0);
    await sees(links, "Linked to Steve.");
    await say(page, "it is me");
    const other = await site.now.stage.page(page.url());
    await sees(other, "it is me");
    expect(await lines(other)).toEqual(["Steve (web) it is me"]);
  });

  it("says why a line was not taken, and gives it back", async () => {
    const page = await open(["Steve"], { env: { WEB_BRIDGE_MODULES_API_LIMITS_MESSAGES_BURST: "2" } });
    await say(page, "   ");
    await say(page, "§a");
    await sees(page, "there is nothing in it to show");
    expect([await lines(page), await page.getByLabel("Message").inputValue()]).toEqual([[], "§a"]);
    expect(await violations(page, "conversation-refused")).toEqual([]);
    await page.evaluate(`for (let i = 0; i < 9; i++) {
      document.getElementById("text").value = "line " + i;
      document.getElementById("form").requestSubmit();
    }`);
    await sees(page, "you write too fast");
  });

  it("says that the game is away, and keeps the line that the others have got", async () => {
    const page = await open(["Steve"]);
    await site.now.gameLeaves();
    await sees(page, "Connected");
    await say(page, "anybody?");
    await sees(page, "The game server is away.");
    expect([await lines(page), await page.getByLabel("Message").inputValue()]).toEqual([
      ["You anybody?"],
      "",
    ]);
  });
});
