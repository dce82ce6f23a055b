import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ACCEPT } from "../../test/helpers/browser.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { MODERATOR_KEY, moderators } from "../../test/helpers/sidecar.ts";
import { askForOnline, enterKey, say, sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { rejectedRequests, stage, stagesOfSuite } from "../testing/suite.ts";

const BY_LINK = `modules: {api: {moderators: [{player: Steve, scopes: [players:kick, bans:write, chat:mute]}]}}`;

inBrowser.describe("a moderator on the web console", () => {
  const onStage = stagesOfSuite();
  const actions = (page: Page, name: string) => page.getByRole("button", { name: `Actions for ${name}` });
  const dialog = (page: Page, button: string) =>
    page.getByRole("dialog").getByRole("button", { name: button, exact: true });

  it("kicks from the list of players by the link of the browser, without a key, after a confirmation", async () => {
    await onStage(["Steve", "Ari Vale"], { yaml: BY_LINK });
    const ari = stage.bridge.player("Ari Vale");
    const page = await stage.page("#you");
    await askForOnline(page, "Steve");
    await eventually(async () => stage.bridge.player("Steve").answer(ACCEPT));
    await sees(page, "This browser is linked to Steve.");
    await page.getByRole("link", { name: "Overview" }).click();
    await actions(page, "Ari Vale").click();
    expect(await violations(page, "player-actions")).toEqual([]);
    await dialog(page, "Kick").click();
    await page.getByRole("dialog", { name: "Kick this player?" }).waitFor();
    await dialog(page, "Cancel").click();
    expect(ari.online).toBe(true);
    await actions(page, "Ari Vale").click();
    await dialog(page, "Kick").click();
    await dialog(page, "Kick").click();
    await sees(page, "Ari Vale was kicked.");
    expect(await violations(page, "player-kicked")).toEqual([]);
    expect(ari.online).toBe(false);
    await page.getByRole("link", { name: "Administration" }).click();
    await sees(page, "You can moderate as Steve, the player linked to this browser.");
    expect(await page.locator(".action-outcome").count()).toBe(0);
    expect(await violations(page, "administration-moderator")).toEqual([]);
    expect(rejectedRequests()).toEqual([]);
  });

  it("says that the browser can no longer moderate, once the player has ended its link, also without any key", async () => {
    const env = { WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "" };
    await onStage(["Steve", "Ari Vale"], { yaml: BY_LINK, env });
    const steve = stage.bridge.player("Steve");
    const page = await stage.page("#you");
    await askForOnline(page, "Steve");
    await eventually(async () => steve.answer(ACCEPT));
    await sees(page, "This browser is linked to Steve.");
    await page.getByRole("link", { name: "Overview" }).click();
    await actions(page, "Ari Vale").click();
    await dialog(page, "Kick").click();
    steve.command("/bridge:unlink");
    const [cookie] = await page.context().cookies();
    await eventually(async () => {
      const { json } = await stage.bridge.ask("/linked-player", {
        cookie: `${cookie?.name}=${cookie?.value}`,
      });
      expect(json).toEqual({ status: "not_linked" });
    });
    await dialog(page, "Kick").click();
    await sees(page, "You can no longer moderate: this browser isn't linked to a moderator any more.");
    expect(stage.bridge.player("Ari Vale").online).toBe(true);
    await page.getByRole("link", { name: "Administration" }).click();
    await page.getByLabel("Admin key").waitFor();
  });

  it("mutes the browser that wrote a chat message, and unmutes it", async () => {
    await onStage(["Steve"], { env: moderators(undefined, ["chat:mute", "audit:read"]) });
    const guest = await stage.page("#chat");
    await sees(guest, "Connected");
    await say(guest, "buy now");
    const page = await stage.page("#administration");
    await enterKey(page, MODERATOR_KEY);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.goto(page.url().replace("#administration", "#chat"));
    await sees(page, "buy now");
    const button = page.locator(".log .player-actions");
    const name = /Actions for (.+)/.exec((await button.getAttribute("aria-label")) ?? "")?.[1];
    await button.click();
    await page.getByLabel("Duration").selectOption("1 day");
    await dialog(page, "Mute").click();
    await sees(page, `${name} is muted.`);
    await say(guest, "buy now!");
    await sees(guest, "You can't write here right now.");
    await button.click();
    await page.getByRole("dialog", { name: "Unmute this browser?" }).waitFor();
    await dialog(page, "Unmute").click();
    await sees(page, `${name} is unmuted.`);
    await say(guest, "hello");
    await eventually(async () => expect(await page.getByText("hello").count()).toBeGreaterThan(0));
  });
});
