import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ACCEPT } from "../helpers/browser.ts";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const mode = (name: string) => ({ yaml: `modules: {api: {chat: {web: ${name}}}}` });
const set = (name: string): void => stage.bridge.world.command(`bridge:webchat ${name}`);
const say = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
};

inBrowser.describe("the chat of the console", () => {
  const onStage = stagesOfSuite();

  it("says that only linked players may write, and lets this browser write once it is linked", async () => {
    const page = await (await onStage(["Steve"], mode("linked"))).page();
    await sees(page, "Only linked players may write here.");
    await say(page, "too early");
    await sees(page, "You may not write here at the moment.");
    await sees(page, "Not sent");
    // As it is it would be refused again.
    expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0);
    expect(await violations(page, "chat-linked")).toEqual([]);
    await page.getByRole("link", { name: "Link this browser" }).click();
    await page.getByLabel("Player name").fill("Steve");
    await page.getByRole("button", { name: "Ask the player" }).click();
    await eventually(() => expect(stage.bridge.player("Steve").form).toBeTruthy());
    stage.bridge.player("Steve").answer(ACCEPT);
    await sees(page, "This browser is linked to Steve.");
    await page.locator(".say-mode").waitFor({ state: "detached" });
    await page.reload();
    await sees(page, "This browser is linked to Steve.");
    await page.locator(".say-mode").waitFor({ state: "detached" });
    const other = await stage.page();
    await say(page, "at last");
    await sees(other, "Web Steve: at last");
    await eventually(() => expect(stage.bridge.player("Steve").chat).toContain("§7[Web]§r <Steve> at last"));
    expect(stage.bridge.player("Steve").chat.join()).not.toContain("too early");
  });

  it("follows what operators do", async () => {
    const page = await (await onStage(["Steve"])).page();
    await sees(page, "Connected");
    // So that it writes in vain: whoever asks before hears what was.
    const { text: body } = await stage.bridge.ask("/console.json");
    const headers = { "Cache-Control": "no-cache", ETag: '"before"' };
    const contentType = "application/json; charset=utf-8";
    await page.route("**/console.json", route => route.fulfill({ body, headers, contentType }));
    set("read-only");
    await eventually(() => expect(stage.bridge.consoleText).toContain("read-only"));
    await say(page, "in vain");
    await sees(page, "You may not write here at the moment.");
    await page.unroute("**/console.json");
    await sees(page, "Nobody may write here at the moment.");
    set("everybody");
    await eventually(async () => expect(await page.getByLabel("Message").count()).toBe(1));
    set("off");
    await sees(page, "The chat is turned off at the moment.");
    set("everybody");
    await sees(page, "Connected");
    await say(page, "again");
    await eventually(() => expect(stage.bridge.player("Steve").chat).toContain("§7[Web]§r <Guest> again"));
    // A page that is slow to hear that the chat was turned off may have tried to connect meanwhile.
    const rest = stage.complaints.filter(line => !/^WebSocket .* Unexpected response code: 404$/.test(line));
    stage.complaints.splice(0, stage.complaints.length, ...rest);
  });

  it("stays at the newest line through a flood, and when the screen gets lower", async () => {
    const page = await (await onStage(["Steve"])).page("#chat", { viewport: { width: 390, height: 844 } });
    await sees(page, "Connected");
    const fromEnd = (): Promise<number> =>
      page.evaluate(
        '(log => log.scrollHeight - log.scrollTop - log.clientHeight)(document.querySelector(".log"))',
      );
    for (let count = 1; count <= 500; count++) stage.bridge.player("Steve").say(`line ${count}`);
    await page.getByText("line 500").waitFor({ state: "attached" });
    expect(await fromEnd()).toBeLessThan(2);
    await page.setViewportSize({ width: 390, height: 500 });
    await eventually(async () => expect(await fromEnd()).toBeLessThan(2));
    expect(await page.locator(".badge").count()).toBe(0);
  });

  it("marks lines of the web with words, whatever they look like", async () => {
    const page = await (await onStage(["Steve"])).page();
    await sees(page, "Connected");
    const other = await stage.bridge.socket();
    stage.bridge.player("Steve").say("§atrue");
    await sees(page, "true");
    for (const line of ["<Steve> plain", "§c<Steve> §aold", "§#55ff55<Steve> green", "§§<Steve> §§forged"])
      other.say(line);
    await sees(page, "forged");
    const shown = await page.locator(".log li:not(.activity) p").allTextContents();
    expect(shown).toEqual([
      "Steve: true",
      "Web: <Steve> plain",
      "Web: §c<Steve> §aold",
      "Web: <Steve> green",
      "Web: <Steve> forged",
    ]);
    expect(await violations(page, "chat-origins")).toEqual([]);
  });
});
