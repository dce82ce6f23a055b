import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import type { Scope } from "../../shared/public/words.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { MODERATOR_KEY, moderators } from "../../test/helpers/sidecar.ts";
import { YAML } from "../testing/network.ts";
import { enterKey, sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { stage, stagesOfSuite } from "../testing/suite.ts";

const PHONE = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };
const READS: Scope[] = ["bans:read"];
const BANS: Scope[] = [...READS, "bans:write"];

inBrowser.describe("the bans of the web console", () => {
  const onStage = stagesOfSuite();

  interface Opening {
    scopes?: Scope[];
    servers?: string[];
    players?: string[];
    yaml?: string;
    size?: typeof PHONE;
  }
  /** A page where a key with these scopes was entered, which may not read the whitelist. */
  async function open({
    scopes = BANS,
    servers,
    players = [],
    yaml = "",
    size,
  }: Opening = {}): Promise<Page> {
    await onStage(players, { env: moderators(servers, scopes), yaml });
    const page = await stage.page("#administration", size);
    await enterKey(page, MODERATOR_KEY);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    return page;
  }
  const question = (page: Page): Locator => page.getByRole("dialog", { name: "Ban this player?" });
  const ban = (page: Page): Locator => question(page).getByRole("button", { name: "Ban", exact: true });
  const list = (page: Page): Locator => page.getByRole("list", { name: "Bans" });
  async function banByName(page: Page, name: string): Promise<void> {
    await page.getByLabel("Name to ban").fill(name);
    await page.getByLabel("Name to ban").press("Enter");
    await ban(page).click();
    await sees(page, `${name} is banned.`);
  }

  it("bans a player temporarily with a reason after a confirmation, and unbans, by keyboard only", async () => {
    const page = await open({ players: ["Ari Vale", "Steve"] });
    const ari = stage.bridge.player("Ari Vale");
    await sees(page, "Nobody is banned.");
    expect(await violations(page, "bans-none")).toEqual([]);
    const button = page.getByRole("button", { name: "Ban Ari Vale" });
    await button.focus();
    await page.keyboard.press("Enter");
    await question(page).getByText("Ari Vale").waitFor();
    expect(await violations(page, "ban-question")).toEqual([]);
    await page.keyboard.press("Escape");
    await question(page).waitFor({ state: "detached" });
    expect(await page.locator("button:focus").getAttribute("aria-label")).toBe("Ban Ari Vale");
    await page.keyboard.press("Enter");
    const lengths = question(page).getByLabel("Duration");
    expect(await lengths.locator("option").allTextContents()).toEqual([
      ...["1 hour", "1 day", "1 week", "Permanently"],
    ]);
    await lengths.selectOption("1 day");
    await question(page).getByLabel("Reason").selectOption("Spam");
    await ban(page).press("Enter");
    await sees(page, "Ari Vale is banned.");
    await list(page).getByText("Ari Vale").waitFor();
    expect(await list(page).locator("small").textContent()).toMatch(/^Until .+ · Spam · By moderator$/);
    await eventually(async () => expect(ari.online).toBe(false));
    expect(await violations(page, "bans")).toEqual([]);
    await page.getByRole("button", { name: "Unban Ari Vale" }).press("Enter");
    const unbanning = page.getByRole("dialog", { name: "Unban this player?" });
    expect(await violations(page, "unban-question")).toEqual([]);
    await unbanning.getByRole("button", { name: "Unban", exact: true }).press("Enter");
    await sees(page, "Ari Vale is unbanned.");
    await sees(page, "Nobody is banned.");
    expect(await page.locator(".done").filter({ hasText: "is banned." }).count()).toBe(0);
    expect(await page.locator("h3:focus").textContent()).toBe("Bans");
  });

  it("warns before a ban of an unknown name, and removes the warning afterwards", async () => {
    const page = await open({ yaml: "modules.api.known-players.show: everybody" });
    await page.getByLabel("Name to ban").fill("Stevee");
    await page.getByLabel("Name to ban").press("Enter");
    await question(page).getByText("Nobody with that name has played here.").waitFor();
    expect(await violations(page, "ban-unknown")).toEqual([]);
    await ban(page).click();
    await sees(page, "Stevee is banned.");
    const warning = page.locator(".warn").filter({ hasText: "Nobody with that name has played here." });
    await warning.waitFor();
    await page.getByLabel("Name to ban").fill("S");
    await warning.waitFor({ state: "detached" });
    await page.locator(".done").filter({ hasText: "is banned." }).waitFor({ state: "hidden" });
  });

  it("rejects a name that no player can have before it asks for a duration", async () => {
    const page = await open({ yaml: "modules.api.known-players.show: everybody" });
    await page.getByLabel("Name to ban").fill("Steve!?");
    await page.getByLabel("Name to ban").press("Enter");
    await sees(page, "“Steve!?” isn't a valid name.");
    expect(await question(page).count()).toBe(0);
  });

  it("shows no character of a name that changes the direction of other text, in labels and questions too", async () => {
    const page = await open({
      scopes: [...BANS, "players:kick", "audit:read"],
      players: ["Ev\u202eil", "Steve"],
    });
    const content = async (): Promise<string> => {
      await page.getByText("Evil").first().waitFor();
      return page.content();
    };
    expect(await content()).not.toMatch(/\u202e/);
    await page.getByRole("button", { name: "Ban Evil" }).click();
    await question(page).getByText("Evil").waitFor();
    expect(await content()).not.toMatch(/\u202e/);
    await ban(page).click();
    await sees(page, "Evil is banned.");
    await sees(page, "Banned: Evil");
    expect(await content()).not.toMatch(/\u202e/);
    await page.getByRole("button", { name: "Unban Evil" }).click();
    expect(await content()).not.toMatch(/\u202e/);
    stage.bridge.player("Steve").leave();
    stage.bridge.join("St\u2067eve");
    await page.goto(`${stage.bridge.base}/#you`);
    await page.locator(".offered").getByRole("button", { name: "Steve" }).waitFor();
    expect(await page.content()).not.toMatch(/\u2067/);
  });

  it("shows the ban list to a key that can only read it, and hides it from a key that can only ban", async () => {
    const page = await open({ scopes: READS, players: ["Steve"] });
    await sees(page, "Nobody is banned.");
    expect(await page.getByRole("button", { name: /^(Ban|Unban|Kick)/ }).count()).toBe(0);
    const other = await open({ scopes: ["bans:write"], players: ["Steve"] });
    await other.getByRole("button", { name: "Ban Steve" }).waitFor();
    expect(await other.getByRole("heading", { name: "Bans" }).count()).toBe(0);
    expect(await other.getByRole("button", { name: /^Kick/ }).count()).toBe(0);
  });

  it("bans on all game servers, or only on the chosen one", async () => {
    const page = await open({ yaml: YAML });
    await banByName(page, "Herobrine");
    await sees(page, /By moderator · .* · All game servers$/);
    await page.getByLabel("Name to ban").fill("Entity");
    await page.getByLabel("Name to ban").press("Enter");
    await question(page).getByLabel("Where").selectOption("Survival");
    await ban(page).click();
    await sees(page, /By moderator · .* · Survival$/);
    await page.getByRole("tab", { name: "The lobby" }).click();
    await eventually(async () =>
      expect(await list(page).locator("bdi").allTextContents()).toEqual(["Herobrine"]),
    );
  });
});
