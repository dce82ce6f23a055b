import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../../test/helpers/eventually.ts";
import { ADMIN_KEY, MODERATOR_KEY, moderators } from "../../test/helpers/sidecar.ts";
import { enterKey, sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { passOver, stage, stagesOfSuite } from "../testing/suite.ts";

inBrowser.describe("the moderation of the web console", () => {
  const onStage = stagesOfSuite();

  /** A page where the key of a moderator was entered, who may not read the whitelist. */
  async function open(...players: string[]): Promise<Page> {
    await onStage(players, { env: moderators() });
    const page = await stage.page("#whitelist");
    await enterKey(page, MODERATOR_KEY);
    await page.getByRole("heading", { name: "Announcement" }).waitFor();
    await page.getByRole("heading", { name: "Administration" }).waitFor();
    expect(await page.getByLabel("Name to add").count()).toBe(0);
    passOver(403, 400, 400, 400);
    return page;
  }
  const row = (page: Page, name: string) => page.getByRole("button", { name: `Send away ${name}` });

  it("sends a player away for a reason that was chosen, once that was asked, with the keyboard alone", async () => {
    const page = await open("Ari Vale", "Steve");
    const ari = stage.bridge.player("Ari Vale");
    expect(await violations(page, "moderation")).toEqual([]);
    await row(page, "Ari Vale").focus();
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Send this player away?" });
    await question.getByText("Ari Vale").waitFor();
    expect(await violations(page, "moderation-question")).toEqual([]);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(await page.locator("button:focus").getAttribute("aria-label")).toBe("Send away Ari Vale");
    expect(ari.online).toBe(true);
    await page.keyboard.press("Enter");
    await question.getByLabel("Reason").selectOption("Spam");
    await question.getByRole("button", { name: "Send away" }).press("Enter");
    await sees(page, "Ari Vale was sent away.");
    expect(ari.removal).toEqual({ reason: "Spam" });
    await row(page, "Ari Vale").waitFor({ state: "detached" });
    expect(await page.locator(".names:focus").count()).toBe(1);
  });

  it("announces what was typed, once that was asked", async () => {
    const page = await open("Steve");
    const button = page.getByRole("button", { name: "Announce" });
    await button.click();
    await sees(page, "Type what to announce first.");
    const field = page.getByRole("textbox", { name: "Announcement" });
    await field.fill("Restart in 5 minutes");
    await field.press("Enter");
    const question = page.getByRole("dialog", { name: "Announce this to everybody?" });
    await question.getByText("Restart in 5 minutes").waitFor();
    expect(await violations(page, "announce-question")).toEqual([]);
    expect(stage.bridge.player("Steve").chat).toEqual([]);
    await question.getByRole("button", { name: "Announce", exact: true }).click();
    await sees(page, "Everybody in the game has got it.");
    await eventually(async () => expect(await field.inputValue()).toBe(""));
    expect(stage.bridge.player("Steve").chat).toEqual(["§e[main]§r Restart in 5 minutes"]);
    await page.goto(page.url().replace("#whitelist", "#chat"));
    await sees(page, "[main] Restart in 5 minutes");
  });
});

const shows = (page: Page, ...names: string[]): Promise<void> =>
  eventually(async () => expect(await page.locator(".names bdi").allTextContents()).toEqual(names));

inBrowser.describe("the whitelist of the web console", () => {
  const onStage = stagesOfSuite();

  it("takes a name off once that was asked, and keeps it where the question is answered with no", async () => {
    await onStage(["Steve"]);
    for (const name of ["Ari Vale", "Herobrine"]) stage.bridge.world.allowList.put({ name });
    const page = await stage.page("#whitelist");
    await enterKey(page, ADMIN_KEY);
    await page.getByLabel("Name to add").waitFor();
    const button = page.getByRole("button", { name: "Remove Ari Vale" });
    for (const no of ["Keep it", "Escape"]) {
      await button.click();
      const question = page.getByRole("dialog", { name: "Remove this name from the whitelist?" });
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
    await sees(page, "Ari Vale is off the whitelist.");
    await shows(page, "Herobrine");
    expect(stage.bridge.world.allowList.names).toEqual(["Herobrine"]);
    expect(await page.locator(".names:focus").count()).toBe(1);
    expect(await violations(page, "whitelist-removed")).toEqual([]);
  });

  it("adds to the whitelist with the key, which is kept nowhere, and refuses a wrong one", async () => {
    const page = await (await onStage(["Steve"])).page();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Overview",
      "Your player",
    ]);
    await page.getByRole("link", { name: "Administration" }).click();
    await eventually(async () => expect(await page.title()).toBe("Whitelist – Game server"));
    await page.getByLabel("Admin key").fill("wrong");
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await sees(page, "This is not the admin key.");
    expect(await violations(page, "whitelist-wrong-key")).toEqual([]);
    await page.getByLabel("Admin key").fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await sees(page, "No name is on the whitelist.");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "Type the name to add first.");
    await page.getByLabel("Name to add").fill("a b");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "“a b” cannot be added");
    await page.getByLabel("Name to add").fill("Herobrine");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "Herobrine is on the whitelist.");
    await shows(page, "Herobrine");
    expect(await violations(page, "whitelist")).toEqual([]);
    const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
    expect(kept).not.toContain(ADMIN_KEY);
  });
});
