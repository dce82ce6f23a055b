import { describe, expect, it } from "@jest/globals";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
import { eventually } from "../helpers/runner.ts";
import { answer, ask, asked, openLinking } from "./linking.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

// Own connections: reads figures of the bridge listener.

const figures = async (): Promise<string> => (await fetch(`${stage.bridge.bridgeUrl}/metrics`)).text();

const SHORT = { yaml: "modules: {api: {verification-timeout: 5s}}" };
/** Notes all that a request says of its time. */
const TIMES = `{
  window.times = new Set();
  new MutationObserver(() => {
    const said = document.querySelector(".pending p:nth-of-type(3)");
    if (said) window.times.add(said.textContent);
    window.wholeMs ??= said?.querySelector("progress")?.max;
  }).observe(document, { subtree: true, childList: true, characterData: true });
}`;

inBrowser.describe("linking in the console", () => {
  const onStage = stagesOfSuite();

  it("asks for a name, and says when nobody has it", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await ask(page, "");
    await sees(page, "Type the name of the player first.");
    await ask(page, "Nobody");
    await sees(page, "Nobody called “Nobody” is online.");
    expect(await violations(page, "link-offline")).toEqual([]);
  });

  it("keeps the focus where it goes on, with the keyboard alone, and shows the linked player on a card", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.id || document.activeElement.textContent");
    await page.locator(".offered button").focus();
    await page.keyboard.press("Enter");
    await sees(page, "left to answer");
    await eventually(async () => expect(await focused()).toContain("Steve sees a question"));
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
    await page.reload();
    await sees(page, "Linked since");
    await page.getByRole("button", { name: "Unlink this browser" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Player name").waitFor();
    await eventually(async () => expect(await focused()).toBe("player"));
  });

  it("counts down while the player is asked, and shows a link that can be ended", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await ask(page, "Steve");
    await sees(page, "left to answer");
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Waiting for the player");
    expect(await violations(page, "link-pending")).toEqual([]);
    await answer(stage, "Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
    expect(await violations(page, "link-accepted")).toEqual([]);
    await page.getByRole("button", { name: "Unlink this browser" }).click();
    await page.getByLabel("Player name").waitFor();
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Not linked");
  });

  describe("at length", () => {
    it("offers who is online, and the name that was meant", async () => {
      const page = await openLinking(await onStage(["Steve", "Alex"]));
      await page.getByRole("list", { name: "Online now" }).waitFor();
      expect(await page.locator(".offered button").allTextContents()).toEqual(["Alex", "Steve"]);
      await ask(page, "steev");
      await sees(page, "Nobody called “steev” is online.");
      expect(await violations(page, "link-meant")).toEqual([]);
      await page.getByRole("button", { name: "Did you mean Steve?" }).click();
      await sees(page, "Steve sees a question in the game now.");
      await asked(stage, "Steve");
    });

    it("keeps the focus on the button by which a player was asked in vain", async () => {
      const page = await openLinking(await onStage(["Steve"]));
      const button = page.getByRole("button", { name: "Ask the player" });
      await page.getByLabel("Player name").fill("Nobody");
      await button.focus();
      await page.keyboard.press("Enter");
      await sees(page, "Nobody called “Nobody” is online.");
      expect(await button.evaluate("document.activeElement.textContent")).toBe("Ask the player");
    });

    it("says that the player declined, or let the time run out, and asks again", async () => {
      const page = await openLinking(await onStage(["Steve"], SHORT));
      await ask(page, "Steve");
      await answer(stage, "Steve", DECLINE);
      await sees(page, "The player declined");
      expect(await violations(page, "link-declined")).toEqual([]);
      await page.evaluate(TIMES);
      await ask(page, "Steve");
      await sees(page, "left to answer");
      await sees(page, "The player declined");
      const times = await page.evaluate<string[]>("[...window.times]");
      for (const time of times) expect(time).toMatch(/^0:0[0-5] left to answer$/);
      expect(times).toEqual([...times].sort().reverse());
      expect(await page.evaluate("window.wholeMs")).toBe(5_000);
      await ask(page, "Steve");
      await answer(stage, "Steve", ACCEPT);
      await sees(page, "This browser is linked to Steve.");
    });

    it("says that the game did not answer when it hangs", async () => {
      const page = await openLinking(await onStage(["Steve"]));
      await stage.pause();
      await ask(page, "Steve");
      await sees(page, "Asking…");
      // Time that goes on before the request is there would have the game away.
      await eventually(async () => expect(await figures()).toMatch(/^web_bridge_outbox_actions 1$/m));
      const gaveUp = page.getByText("The game did not answer as expected.");
      await eventually(async () => {
        stage.bridge.clock.advance(2_000);
        expect(await gaveUp.isVisible()).toBe(true);
      });
      stage.run();
      await sees(page, "Not linked");
    });

    it("says that the service does not answer for as long as it does not", async () => {
      const page = await openLinking(await onStage(["Steve"]));
      await stage.pause();
      await stage.bridge.stopSidecar();
      await sees(page, "Check your connection and try again.");
      await stage.bridge.startSidecar();
      stage.run();
      await eventually(async () => expect(await page.locator("#player-fault").textContent()).toBe(""));
    });

    it("says that the game server is away, also while a player is being asked", async () => {
      const page = await openLinking(await onStage(["Steve"]));
      await stage.pause();
      await stage.bridge.stopGame("kill");
      stage.bridge.clock.advance(30_000);
      stage.run();
      await sees(page, "The game server is away");
      await ask(page, "Steve");
      await sees(page, /^The game server is away\. Try again in \d+ seconds?\.$/);
      expect(await violations(page, "link-away")).toEqual([]);
      await stage.pause();
      await stage.bridge.startGame();
      await stage.bridge.enter("Steve");
      stage.run();
      await ask(page, "Steve");
      await sees(page, "Steve sees a question in the game now.");
      await stage.pause();
      await stage.bridge.stopGame();
      stage.bridge.clock.advance(30_000);
      stage.run();
      await sees(page, "The player is asked as soon as the game server is back.");
      await stage.pause();
      await stage.bridge.startGame();
      await stage.bridge.enter("Steve");
      stage.run();
      await answer(stage, "Steve", ACCEPT);
      await sees(page, "This browser is linked to Steve.");
    });
  });
});
