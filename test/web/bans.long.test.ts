import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import type { Scope } from "../../sidecar/config/admin-keys.ts";
import { eventually } from "../helpers/runner.ts";
import { MODERATOR_KEY, moderators } from "../helpers/sidecar.ts";
import { YAML } from "./network.ts";
import { sees } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { passOver, stage, stagesOfSuite } from "./suite.ts";

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
    const page = await stage.page("#whitelist", size);
    await page.getByLabel("Admin key").fill(MODERATOR_KEY);
    await page.getByLabel("Admin key").press("Enter");
    await page.getByRole("button", { name: "Forget the key" }).waitFor();
    stage.complaints.splice(0);
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

  it("shows who is banned to a key that may not ban, and nobody to one that bans alone", async () => {
    const page = await open({ scopes: READS, players: ["Steve"] });
    await sees(page, "Nobody is banned.");
    expect(await page.getByRole("button", { name: /^(Ban|Lift|Send away)/ }).count()).toBe(0);
    const other = await open({ scopes: ["bans:write"], players: ["Steve"] });
    await other.getByRole("button", { name: "Ban Steve" }).waitFor();
    expect(await other.getByRole("heading", { name: "Bans" }).count()).toBe(0);
    expect(await other.getByRole("button", { name: /^Send away/ }).count()).toBe(0);
  });

  it("bans on all game servers, or on the chosen one alone", async () => {
    const page = await open({ yaml: YAML });
    await banByName(page, "Herobrine");
    await sees(page, "By moderator · All game servers");
    await page.getByLabel("Name to ban").fill("Entity");
    await page.getByLabel("Name to ban").press("Enter");
    await question(page).getByLabel("Where").selectOption("Survival");
    await ban(page).click();
    await sees(page, "By moderator · Survival");
    await page.getByRole("tab", { name: "The lobby" }).click();
    await eventually(async () =>
      expect(await list(page).locator("bdi").allTextContents()).toEqual(["Herobrine"]),
    );
    passOver(403, 403, 403);
  });
});
