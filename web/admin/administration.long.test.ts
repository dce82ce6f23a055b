import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../../test/helpers/eventually.ts";
import { ADMIN_KEY, MODERATOR_KEY, moderators } from "../../test/helpers/sidecar.ts";
import { YAML } from "../testing/network.ts";
import { enterKey, hold, sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { rejectedRequests, stage, stagesOfSuite } from "../testing/suite.ts";

inBrowser.describe("the moderation of the web console", () => {
  const onStage = stagesOfSuite();

  /** A page where the key of a moderator was entered, who may not read the whitelist. */
  async function open(...players: string[]): Promise<Page> {
    await onStage(players, { env: moderators() });
    const page = await stage.page("#administration");
    await enterKey(page, MODERATOR_KEY);
    await page.getByRole("heading", { name: "Announcement" }).waitFor();
    await page.getByRole("heading", { name: "Administration" }).waitFor();
    expect(await page.getByLabel("Name to add").count()).toBe(0);
    expect(rejectedRequests()).toEqual([]);
    return page;
  }
  const row = (page: Page, name: string) => page.getByRole("button", { name: `Kick ${name}` });

  it("kicks a player for a chosen reason after a confirmation, by keyboard only", async () => {
    const page = await open("Ari Vale", "Steve");
    const ari = stage.bridge.player("Ari Vale");
    expect(await violations(page, "moderation")).toEqual([]);
    await row(page, "Ari Vale").focus();
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Kick this player?" });
    await question.getByText("Ari Vale").waitFor();
    expect(await violations(page, "moderation-question")).toEqual([]);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(await page.locator("button:focus").getAttribute("aria-label")).toBe("Kick Ari Vale");
    expect(ari.online).toBe(true);
    await page.keyboard.press("Enter");
    await question.getByLabel("Reason").selectOption("Spam");
    await question.getByRole("button", { name: "Kick" }).press("Enter");
    await sees(page, "Ari Vale was kicked.");
    expect(ari.removal).toEqual({ reason: "Spam" });
    await row(page, "Ari Vale").waitFor({ state: "detached" });
    expect(await page.locator(".names:focus").count()).toBe(1);
  });

  it("sends an announcement after a confirmation", async () => {
    const page = await open("Steve");
    const button = page.getByRole("button", { name: "Announce" });
    await button.click();
    await sees(page, "Enter an announcement first.");
    const field = page.getByRole("textbox", { name: "Announcement" });
    await field.fill("Restart in 5 minutes");
    await field.press("Enter");
    const question = page.getByRole("dialog", { name: "Send this announcement?" });
    await question.getByText("Restart in 5 minutes").waitFor();
    expect(await violations(page, "announce-question")).toEqual([]);
    expect(stage.bridge.player("Steve").chat).toEqual([]);
    await question.getByRole("button", { name: "Announce", exact: true }).click();
    await sees(page, "Announcement sent.");
    await eventually(async () => expect(await field.inputValue()).toBe(""));
    expect(stage.bridge.player("Steve").chat).toEqual(["§e[main]§r Restart in 5 minutes"]);
    await page.goto(page.url().replace("#administration", "#chat"));
    await sees(page, "[main] Restart in 5 minutes");
  });
});

const shows = (page: Page, ...names: string[]): Promise<void> =>
  eventually(async () => expect(await page.locator(".names bdi").allTextContents()).toEqual(names));

inBrowser.describe("the whitelist of the web console", () => {
  const onStage = stagesOfSuite();

  it("removes a name after a confirmation, and keeps it after a cancel", async () => {
    await onStage(["Steve"]);
    for (const name of ["Ari Vale", "Herobrine"]) stage.bridge.world.allowList.put({ name });
    const page = await stage.page("#administration");
    await enterKey(page, ADMIN_KEY);
    await page.getByLabel("Name to add").waitFor();
    const button = page.getByRole("button", { name: "Remove Ari Vale" });
    for (const no of ["Cancel", "Escape"]) {
      await button.click();
      const question = page.getByRole("dialog", { name: "Remove from the whitelist?" });
      await question.getByText("Ari Vale").waitFor();
      if (no === "Escape") await page.keyboard.press("Escape");
      else {
        expect(await violations(page, "whitelist-question")).toEqual([]);
        await question.getByRole("button", { name: no }).click();
      }
      await question.waitFor({ state: "detached" });
      expect(await page.locator("button:focus").getAttribute("aria-label")).toBe("Remove Ari Vale");
    }
    await shows(page, "Ari Vale", "Herobrine");
    await button.click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await sees(page, "Ari Vale was removed from the whitelist.");
    await shows(page, "Herobrine");
    expect(stage.bridge.world.allowList.names).toEqual(["Herobrine"]);
    expect(await page.locator(".names:focus").count()).toBe(1);
    expect(await violations(page, "whitelist-removed")).toEqual([]);
  });

  it("adds to the whitelist with a key, and rejects an invalid key", async () => {
    const page = await (await onStage(["Steve"])).page();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Overview",
      "Your player",
    ]);
    await page.getByRole("link", { name: "Administration" }).click();
    await eventually(async () => expect(await page.title()).toBe("Administration – Game server"));
    await page.getByRole("heading", { name: "Administration" }).waitFor();
    expect(await page.getByRole("note").count()).toBe(0);
    await page.getByLabel("Admin key").fill("wrong");
    await page.getByRole("button", { name: "Sign in with a key" }).click();
    await sees(page, "This key isn't valid.");
    expect(await violations(page, "administration-wrong-key")).toEqual([]);
    await page.getByLabel("Admin key").fill("another");
    await page.getByText("This key isn't valid.").waitFor({ state: "hidden" });
    await enterKey(page, ADMIN_KEY);
    await sees(page, "The whitelist is empty.");
    const add = page.getByRole("button", { name: "Add" });
    await add.click();
    await sees(page, "Enter a name first.");
    await page.getByLabel("Name to add").fill("a b");
    await page.getByText("Enter a name first.").waitFor({ state: "hidden" });
    await add.click();
    await sees(page, "“a b” isn't a valid name.");
    await page.getByLabel("Name to add").fill("Herobrine");
    await page.getByText("“a b” isn't a valid name.").waitFor({ state: "hidden" });
    await add.click();
    await sees(page, "Herobrine is on the whitelist.");
    await shows(page, "Herobrine");
    expect(await violations(page, "whitelist")).toEqual([]);
  });

  it("shows a key that only reads it the names, and no way to change them", async () => {
    await onStage(["Steve"], { env: moderators(undefined, ["whitelist:read"]) });
    stage.bridge.world.allowList.put({ name: "Herobrine" });
    const page = await stage.page("#administration");
    await enterKey(page, MODERATOR_KEY);
    await shows(page, "Herobrine");
    expect(await page.getByRole("button", { name: /^(Add|Remove)/ }).count()).toBe(0);
    expect(rejectedRequests()).toEqual([]);
  });

  it("says that a key may do nothing on the chosen game server, and lets the visitor sign out", async () => {
    await onStage(["Steve"], { env: moderators(["lobby"]), yaml: YAML });
    const page = await stage.page("#administration");
    await enterKey(page, MODERATOR_KEY);
    await sees(page, "You don't have permission to do that.");
    await page.getByRole("tab", { name: "The lobby" }).click();
    await page.getByLabel("Name to ban").waitFor();
    await page.getByText("You don't have permission").waitFor({ state: "hidden" });
    await page.getByRole("tab", { name: "Survival" }).click();
    await sees(page, "You don't have permission to do that.");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin key").waitFor();
    expect(rejectedRequests()).toEqual([]);
  });

  const stored = (page: Page): Promise<unknown[]> =>
    page.evaluate('[localStorage.getItem("admin-key"), sessionStorage.getItem("admin-key")]');

  it("keeps a valid key in the tab, or on the device if the visitor chooses that, until they sign out", async () => {
    await onStage(["Steve"]);
    const page = await stage.page("#whitelist");
    await enterKey(page, "wrong");
    await sees(page, "This key isn't valid.");
    expect(await stored(page)).toEqual([null, null]);
    await enterKey(page, ADMIN_KEY);
    await sees(page, "The whitelist is empty.");
    expect(await stored(page)).toEqual([null, ADMIN_KEY]);
    await page.reload();
    await sees(page, "The whitelist is empty.");
    const signOut = page.getByRole("button", { name: "Sign out" });
    await signOut.click();
    expect(await stored(page)).toEqual([null, null]);
    await page.getByLabel("Stay signed in on this device").check();
    await enterKey(page, ADMIN_KEY);
    await sees(page, "The whitelist is empty.");
    expect(await stored(page)).toEqual([ADMIN_KEY, null]);
    const other = await stage.page("#administration", {}, page);
    await sees(other, "The whitelist is empty.");
    await other.getByRole("button", { name: "Sign out" }).click();
    expect(await stored(other)).toEqual([null, null]);
  });

  it("signs in with the key of the tab too if another game server is chosen before the service has answered", async () => {
    await onStage(["Steve"], { env: moderators(["lobby"]), yaml: YAML });
    const page = await stage.page("#administration");
    await enterKey(page, MODERATOR_KEY);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    const release = await hold(page, "**/permissions");
    await page.reload();
    await page.getByRole("tab", { name: "The lobby" }).click();
    release();
    await page.getByLabel("Name to ban").waitFor();
  });

  it("stays signed out if what the key reads arrives after that", async () => {
    const page = await (await onStage(["Steve"])).page("#administration");
    await enterKey(page, ADMIN_KEY);
    await sees(page, "The whitelist is empty.");
    const release = await hold(page, "**/whitelist");
    const answered = page.waitForResponse("**/whitelist");
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    release();
    await (await answered).finished();
    await page.getByLabel("Admin key").fill("another");
    expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(0);
  });

  it("warns before a key is typed if the connection is not encrypted", async () => {
    const page = await (await onStage(["Steve"])).page();
    await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })");
    await page.goto(`${stage.bridge.base}/#administration`);
    await page.reload();
    await sees(page, "This connection isn't encrypted: others on the network can read your key.");
    expect(await violations(page, "administration-insecure")).toEqual([]);
  });

  it("says at the top that the game server is offline, and not that no one is online", async () => {
    await onStage(["Steve"], { env: moderators() });
    const page = await stage.page("#administration", { viewport: { width: 390, height: 844 } });
    await enterKey(page, MODERATOR_KEY);
    await page.getByRole("button", { name: "Kick Steve" }).waitFor();
    await stage.pause();
    await stage.bridge.stopGame();
    stage.run();
    await sees(page, "The game server is offline.");
    expect(await page.getByText("Nobody is online.").filter({ visible: true }).count()).toBe(0);
    const notice = await page.locator("#administration-title + .notice").boundingBox();
    expect(notice && notice.y + notice.height).toBeLessThan(300);
  });

  it("says that it waits for the game, and what to do if the game does not respond", async () => {
    await onStage(["Steve"], { env: moderators() });
    const page = await stage.page("#administration");
    await enterKey(page, MODERATOR_KEY);
    let end = (): void => undefined;
    const hanging = new Promise<void>(resolve => {
      end = resolve;
    });
    await page.route("**/kick", async route => {
      await hanging;
      const headers = {
        "Cache-Control": "no-store",
        "Content-Type": "application/json; charset=utf-8",
        "X-Request-Id": "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
      };
      const body = JSON.stringify({ error: "unexpected_result", message: "The game did not answer." });
      await route.fulfill({ status: 500, headers, body });
    });
    await page.getByRole("button", { name: "Kick Steve" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Kick" }).click();
    await sees(page, "Waiting for the game server…");
    end();
    await sees(page, "The game server didn't respond in time. Try again in a minute.");
    expect(await violations(page, "kick-failed")).toEqual([]);
    await page.getByRole("button", { name: "Kick Steve" }).click();
    expect(await page.getByText("The game server didn't respond").filter({ visible: true }).count()).toBe(0);
  });
});
