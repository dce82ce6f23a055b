import { expect, it } from "@jest/globals";
import { ACCEPT } from "../../test/helpers/browser.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { FakePack } from "../../test/helpers/fake-pack.ts";
import { askForOnline, say, sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { stage, stagesOfSuite } from "../testing/suite.ts";

const mode = (name: string) => ({ yaml: `modules: {api: {chat: {web: ${name}}}}` });

const SIZES = [
  ["phone", 390, 844],
  ["desktop", 1280, 800],
] as const;

inBrowser.describe("the chat of the console", () => {
  const onStage = stagesOfSuite();

  it("says that only linked players can write, and accepts messages once the browser is linked", async () => {
    const page = await (await onStage(["Steve"], mode("linked"))).page();
    await sees(page, "Only linked players can write here.");
    await say(page, "too early");
    await sees(page, "You can't write here right now.");
    await sees(page, "Not sent");
    // As it is it would be refused again.
    expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0);
    expect(await violations(page, "chat-linked")).toEqual([]);
    await page.getByRole("link", { name: "Link this browser" }).click();
    await askForOnline(page, "Steve");
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

  it("says that players in the game write with /bridge:say, once a pack that cannot hear game chat has connected", async () => {
    const { bridge } = await onStage();
    const page = await stage.page("#chat");
    await page.locator(".connection.open").waitFor();
    const hint = "In the game, use /bridge:say to write here.";
    expect(await page.getByText(hint).count()).toBe(0);
    await new FakePack(bridge.bridgeUrl).connect("run", { gameChat: "command" });
    await sees(page, hint);
    for (const [name, width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      expect(await violations(page, `chat-by-command-${name}`)).toEqual([]);
    }
  });
});
