import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ACCEPT, DECLINE } from "../../test/helpers/browser.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { askFor, askForOnline, sees, violations } from "../testing/page.ts";
import { inBrowser, type Stage } from "../testing/stage.ts";
import { stage, stagesOfSuite } from "../testing/suite.ts";

/** Waits until the player has the form. */
const pending = async (stage: Stage, name: string): Promise<void> => {
  await eventually(() => expect(stage.bridge.player(name).form).toBeTruthy());
};

/** Answers the form of a player once it is there. */
const answer = async (stage: Stage, name: string, button: number): Promise<void> => {
  await pending(stage, name);
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

  it("keeps the focus on the next control for the keyboard, and shows the linked player on a card", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.id || document.activeElement.textContent");
    await askFor(page, "");
    await sees(page, "Enter the player's name first.");
    await askFor(page, "Nobody");
    await sees(page, "No player named “Nobody” is online.");
    expect(await violations(page, "link-offline")).toEqual([]);
    await page.getByLabel("Player name").fill("S");
    expect(await page.getByText("No player named").count()).toBe(0);
    await page.locator(".offered button").focus();
    await page.keyboard.press("Enter");
    await sees(page, "Is this you?");
    expect(await violations(page, "link-is-this-you")).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Send link request" }).press("Enter");
    await sees(page, "left to answer");
    await eventually(async () => expect(await focused()).toContain("A request is waiting for Steve"));
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

  it("no longer says that a player is offline once they have joined", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await askFor(page, "Alex");
    await sees(page, "No player named “Alex” is online.");
    stage.bridge.join("Alex");
    await page.locator(".offered").getByRole("button", { name: "Alex" }).waitFor();
    await page.getByText("No player named").waitFor({ state: "detached" });
    expect(await page.getByLabel("Player name").inputValue()).toBe("Alex");
  });

  it("sends no request to a clicked or typed player before a confirmation", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    const question = page.getByRole("dialog", { name: "Is this you?" });
    for (const ask of [() => page.locator(".offered button").click(), () => askFor(page, "Steve")]) {
      await ask();
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
    }
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Not linked");
    expect(stage.bridge.player("Steve").form).toBeFalsy();
  });

  it("cancels a request, shows the outcome of others, and asks before another player replaces a link", async () => {
    const page = await openLinking(await onStage(["Steve", "Alex"]));
    await askForOnline(page, "Alex");
    await pending(stage, "Alex");
    await page.getByRole("button", { name: "Cancel request" }).click();
    await sees(page, "The request was cancelled.");
    await eventually(() => expect(stage.bridge.player("Alex").form).toBeFalsy());
    await askForOnline(page, "Steve");
    await answer(stage, "Steve", DECLINE);
    await sees(page, "The player declined the request.");
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Declined");
    expect(await violations(page, "link-declined")).toEqual([]);
    await askForOnline(page, "Steve");
    await pending(stage, "Steve");
    await stage.pause();
    stage.bridge.clock.advance(120_000);
    stage.run();
    await sees(page, "The player didn't answer in time.");
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Timed out");
    await eventually(() => expect(stage.bridge.player("Steve").form).toBeFalsy());
    await askForOnline(page, "Steve");
    await answer(stage, "Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
    await sees(page, "Linked since");
    await page.getByRole("button", { name: "Use a different player" }).click();
    await askForOnline(page, "Alex");
    await sees(page, "A request is waiting for Alex in the game.");
  });

  it("warns in the first of two sessions with the same code that the player must not accept", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await askForOnline(page, "Steve");
    await pending(stage, "Steve");
    const [cookie] = await page.context().cookies();
    const code = cookie?.value.slice(0, 8) ?? "";
    await sees(page, code);
    const conflicting = `${cookie?.name}=${code}-0000-4000-8000-000000000000`;
    const other = await stage.bridge.ask("/link-player", {
      cookie: conflicting,
      body: { username: "Steve" },
    });
    expect(other.status).toBe(429);
    await sees(page, new RegExp(`^Don't accept! Another browser with the same code, ${code},`));
    await eventually(() => expect(stage.bridge.player("Steve").form).toBeFalsy());
    expect(await violations(page, "link-alike")).toEqual([]);
    await page.reload();
    await sees(page, /^Don't accept!/);
  });
});
