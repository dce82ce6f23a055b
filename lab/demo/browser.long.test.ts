import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../../test/helpers/eventually.ts";
import { sees, violations } from "../../web/testing/page.ts";
import { inBrowser } from "../../web/testing/stage.ts";
import { askFor, consoleOf, joinAs, type PanelStage, panelOfSuite } from "./testing/stage.ts";

let stage: PanelStage;
let page: Page;

const screen = (name: string) => page.getByRole("dialog", { name: `Screen of ${name}` });
const press = (name: string, item: string): Promise<void> =>
  screen(name).getByRole("button", { name: item, exact: true }).click();
/** Waits until the web console shows a text. */
const consoleSays = (text: string): Promise<void> =>
  consoleOf(page).getByText(text).filter({ visible: true }).first().waitFor();
/** The code of the browser session, as the web console shows it. */
const sessionOnPage = async (): Promise<string> =>
  (await consoleOf(page).locator("code").textContent()) ?? "";

inBrowser.describe("the panel of the demo", () => {
  const open = panelOfSuite();
  const start = async (players: string[]): Promise<void> => {
    stage = await open(players);
    page = await stage.page();
  };

  it("shows the world beside the web console, and players who join and leave in both", async () => {
    await start(["Steve"]);
    const site = consoleOf(page);
    await site.locator("tbody th").filter({ hasText: "Steve" }).waitFor();
    await joinAs(page, "Ari Vale");
    await site.locator("tbody th").filter({ hasText: "Ari Vale" }).waitFor();
    await page.getByText("Ari Vale joined the game").waitFor();
    expect(await page.locator(".figure .tag").allTextContents()).toEqual(["Steve", "Ari Vale"]);
    expect(await violations(page, "panel")).toEqual([]);
    // The player has the same face in both.
    const heads = (of: Locator): Promise<string[]> =>
      of.locator("svg.head").evaluateAll(all => all.map(one => one.innerHTML));
    const faces = await heads(site.locator("tbody"));
    expect(new Set(faces).size).toBe(2);
    expect((await heads(page.locator(".player"))).sort()).toEqual(faces.sort());
    await joinAs(page, "Steve");
    await sees(page, "Steve is already online.");
    // A rejected line stays in the field.
    expect(await page.getByLabel("Name of a new player").inputValue()).toBe("Steve");
    await page.getByRole("button", { name: "Let Steve leave" }).click();
    await page.getByText("Steve left the game").waitFor();
    await eventually(async () =>
      expect(await site.locator("tbody th").allTextContents()).toEqual(["Ari Vale"]),
    );
    await page.getByRole("button", { name: "Let Ari Vale leave" }).click();
    await sees(page, "No players online. Let one join.");
    expect(await violations(page, "panel-nobody")).toEqual([]);
  });

  it("links a browser of the frame when the green wool of the chest is pressed, and removes the link again", async () => {
    await start(["Steve", "Alex"]);
    await askFor(page, "Steve");
    await screen("Steve").waitFor();
    expect(await page.locator(".slot").count()).toBe(27);
    const filled = await page
      .locator(".slot")
      .evaluateAll(slots => slots.map(slot => slot.textContent ?? ""));
    const session = await sessionOnPage();
    expect([filled[4], filled[11], filled[15]]).toEqual([`browser ${session}`, "Accept", "Decline"]);
    expect(filled.filter(text => text !== "")).toHaveLength(3);
    expect(session).toMatch(/^[0-9a-f]{8}$/);
    await screen("Steve").getByRole("button", { name: "Accept" }).hover();
    expect(await violations(page, "panel-chest")).toEqual([]);
    await press("Steve", "Accept");
    await consoleSays("This browser is linked to Steve.");
    expect(await screen("Steve").count()).toBe(0);
    await consoleOf(page).getByRole("button", { name: "Unlink this browser" }).click();
    await consoleSays("Not linked");
    await page.getByText("to Steve", { exact: true }).waitFor();
    await page.getByText("Your browser link was removed.").waitFor();
  });
});
