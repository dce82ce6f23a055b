import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ACCEPT } from "../../test/helpers/browser.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { askFor, sees, violations } from "../testing/page.ts";
import { inBrowser, type Stage } from "../testing/stage.ts";
import { stage, stagesOfSuite } from "../testing/suite.ts";

/** Waits until the player has the form. */
const asked = async (stage: Stage, name: string): Promise<void> => {
  await eventually(() => expect(stage.bridge.player(name).form).toBeTruthy());
};

/** Answers the form of a player once it is there. */
const answer = async (stage: Stage, name: string, button: number): Promise<void> => {
  await asked(stage, name);
  stage.bridge.player(name).answer(button);
};

/** Opens the part of the page that is about linking. */
const openLinking = async (stage: Stage): Promise<Page> => {
  const page = await stage.page("#you");
  await sees(page, "Not linked");
  return page;
};

inBrowser.describe("linking in the console", () => {
  const onStage = stagesOfSuite();

  it("keeps the focus where it goes on, with the keyboard alone, and shows the linked player on a card", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.id || document.activeElement.textContent");
    await askFor(page, "");
    await sees(page, "Type the name of the player first.");
    await askFor(page, "Nobody");
    await sees(page, "Nobody called “Nobody” is online.");
    expect(await violations(page, "link-offline")).toEqual([]);
    await page.locator(".offered button").focus();
    await page.keyboard.press("Enter");
    await sees(page, "left to answer");
    await eventually(async () => expect(await focused()).toContain("Steve sees a question"));
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Waiting for the player");
    expect(await violations(page, "link-pending")).toEqual([]);
    await answer(stage, "Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
    const card = page.locator(".player-card");
    expect(await card.locator("dt").allTextContents()).toEqual([
      "Health",
      "Kills",
      "Deaths",
      "Playtime",
      "Linked since",
    ]);
    expect(await card.locator("svg.head path").count()).toBe(6);
    expect(await violations(page, "link-accepted")).toEqual([]);
    await page.reload();
    await sees(page, "Linked since");
    await page.getByRole("button", { name: "Unlink this browser" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Player name").waitFor();
    await eventually(async () => expect(await focused()).toBe("player"));
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Not linked");
  });

  it("tells the first of two sessions with one code that ask one player not to accept", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await askFor(page, "Steve");
    await asked(stage, "Steve");
    const [cookie] = await page.context().cookies();
    const code = cookie?.value.slice(0, 8) ?? "";
    await sees(page, code);
    const alike = `${cookie?.name}=${code}-0000-4000-8000-000000000000`;
    const other = await stage.bridge.ask("/link-player", { cookie: alike, body: { username: "Steve" } });
    expect(other.status).toBe(429);
    await sees(page, new RegExp(`^Do not accept! Another browser, which the game would call ${code} too`));
    await eventually(() => expect(stage.bridge.player("Steve").form).toBeFalsy());
    expect(await violations(page, "link-alike")).toEqual([]);
    await page.reload();
    await sees(page, /^Do not accept!/);
  });
});
