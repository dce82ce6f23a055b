import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ACCEPT } from "../helpers/browser.ts";
import { eventually } from "../helpers/eventually.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const mode = (name: string) => ({ yaml: `modules: {api: {chat: {web: ${name}}}}` });
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
});
