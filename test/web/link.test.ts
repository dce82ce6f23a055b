import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "./page.ts";
import { inBrowser, type Stage } from "./stage.ts";
import { stagesOfSuite } from "./suite.ts";

const SHORT = { yaml: "modules: {api: {verification-timeout: 5s}}" };
/** Notes all that a request says of its time. */
const TIMES = `{
  window.times = new Set();
  new MutationObserver(() => {
    const said = document.querySelector(".pending p:nth-of-type(3)");
    if (said) window.times.add(said.textContent);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}`;
let stage: Stage;

const ask = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Player name").fill(name);
  await page.getByRole("button", { name: /^Ask( the player| again)$/ }).click();
};
const asked = async (name: string): Promise<void> => {
  await eventually(() => expect(stage.bridge.player(name).form).toBeTruthy());
};
const answer = async (name: string, button: number): Promise<void> => {
  await asked(name);
  stage.bridge.player(name).answer(button);
};
/** Opens the part of the page that is about linking. */
const open = async (): Promise<Page> => {
  const page = await stage.page("#you");
  await sees(page, "Not linked");
  return page;
};

inBrowser.describe("linking in the console", () => {
  const onStage = stagesOfSuite();

  it("asks for a name, and says when nobody has it", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    await ask(page, "");
    await sees(page, "Type the name of the player first.");
    await ask(page, "Nobody");
    await sees(page, "Nobody called “Nobody” is online.");
    expect(await violations(page, "link-offline")).toEqual([]);
  });

  it("offers who is online, and the name that was meant", async () => {
    stage = await onStage(["Steve", "Alex"]);
    const page = await open();
    await page.getByRole("list", { name: "Online now" }).waitFor();
    expect(await page.locator(".offered button").allTextContents()).toEqual(["Alex", "Steve"]);
    await ask(page, "steev");
    await sees(page, "Nobody called “steev” is online.");
    expect(await violations(page, "link-meant")).toEqual([]);
    await page.getByRole("button", { name: "Did you mean Steve?" }).click();
    await sees(page, "Steve sees a question in the game now.");
    await asked("Steve");
  });

  it("keeps the focus where it goes on, with the keyboard alone, and shows the linked player on a card", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.id || document.activeElement.textContent");
    await page.locator(".offered button").focus();
    await page.keyboard.press("Enter");
    await sees(page, "left to answer");
    await eventually(async () => expect(await focused()).toContain("Steve sees a question"));
    await answer("Steve", ACCEPT);
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

  it("keeps the focus on the button by which a player was asked in vain", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    const button = page.getByRole("button", { name: "Ask the player" });
    await page.getByLabel("Player name").fill("Nobody");
    await button.focus();
    await page.keyboard.press("Enter");
    await sees(page, "Nobody called “Nobody” is online.");
    expect(await button.evaluate("document.activeElement.textContent")).toBe("Ask the player");
  });

  it("shows whom it is linked to since when in a browser that did not see it, also while they are offline", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    await ask(page, "Steve");
    await asked("Steve");
    await page.goto("about:blank");
    await answer("Steve", ACCEPT);
    const other = await stage.page("#you", {}, page);
    await sees(other, "This browser is linked to Steve.");
    await sees(other, "Linked since");
    stage.bridge.player("Steve").leave();
    await sees(other, "The player is not online at the moment.");
    expect(await other.locator(".player-card .name").textContent()).toBe("Steve");
    expect(await other.locator(".player-card dt").allTextContents()).toEqual(["Linked since"]);
    expect(await violations(other, "link-card-offline")).toEqual([]);
  });

  it("lets go of the card where the link is ended in another tab, without taking the focus away", async () => {
    stage = await onStage(["Steve"]);
    const one = await open();
    await ask(one, "Steve");
    await answer("Steve", ACCEPT);
    await sees(one, "This browser is linked to Steve.");
    const other = await stage.page("#you", {}, one);
    await sees(other, "This browser is linked to Steve.");
    await other.getByLabel("Message").focus();
    await one.getByRole("button", { name: "Unlink this browser" }).click();
    await other.getByLabel("Player name").waitFor();
    expect(await other.evaluate("document.activeElement.id")).toBe("say");
  });

  it("counts down while the player is asked, and shows a link that can be ended", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    await ask(page, "Steve");
    await sees(page, "left to answer");
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Waiting for the player");
    expect(await violations(page, "link-pending")).toEqual([]);
    await answer("Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
    expect(await violations(page, "link-accepted")).toEqual([]);
    await page.getByRole("button", { name: "Unlink this browser" }).click();
    await page.getByLabel("Player name").waitFor();
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Not linked");
  });

  it("says that the player declined, or let the time run out, and asks again", async () => {
    stage = await onStage(["Steve"], SHORT);
    const page = await open();
    await ask(page, "Steve");
    await answer("Steve", DECLINE);
    await sees(page, "The player declined");
    expect(await violations(page, "link-declined")).toEqual([]);
    await page.evaluate(TIMES);
    await ask(page, "Steve");
    await sees(page, "left to answer");
    await sees(page, "The player declined");
    const times = await page.evaluate<string[]>("[...window.times]");
    expect(times[0]).toBe("0:05 left to answer");
    for (const time of times) expect(time).toMatch(/^0:0[0-5] left to answer$/);
    await ask(page, "Steve");
    await answer("Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
  });

  it("says to accept nothing where another session that begins alike asks the same player, to whoever asked first", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    await ask(page, "Steve");
    await asked("Steve");
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

  it("says so to whoever asked after the other one", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    const [cookie] = await page.context().cookies();
    const alike = `${cookie?.name}=${cookie?.value.slice(0, 8)}-0000-4000-8000-000000000000`;
    const other = await stage.bridge.ask("/link-player", { cookie: alike, body: { username: "Steve" } });
    expect(other.status).toBe(202);
    await asked("Steve");
    await ask(page, "Steve");
    await sees(page, /^Do not accept!/);
    await eventually(() => expect(stage.bridge.player("Steve").form).toBeFalsy());
  });

  it("goes on after the player has closed the form, and after they have left and come back", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    await ask(page, "Steve");
    await asked("Steve");
    stage.bridge.player("Steve").closeForm();
    await asked("Steve");
    await sees(page, "left to answer");
    stage.bridge.player("Steve").leave();
    stage.bridge.join("Steve");
    await answer("Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
    stage.bridge.player("Steve").leave();
    await sees(page, "The player is not online at the moment.");
  });

  it("asks another player while a link is there, which replaces it", async () => {
    stage = await onStage(["Steve", "Alex"]);
    const page = await open();
    await ask(page, "Steve");
    await answer("Steve", ACCEPT);
    await page.getByRole("button", { name: "Ask another player" }).click();
    await sees(page, "the present link ends");
    await eventually(async () => expect(await page.evaluate("document.activeElement.id")).toBe("player"));
    expect(await violations(page, "link-another")).toEqual([]);
    await ask(page, "Alex");
    await answer("Alex", ACCEPT);
    await sees(page, "This browser is linked to Alex.");
    expect(await page.getByLabel("Player name").count()).toBe(0);
  });

  it("shows the link of one tab in the other, which cannot ask a second time", async () => {
    stage = await onStage(["Steve"]);
    const one = await open();
    const other = await stage.page("#you", {}, one);
    await sees(other, "Not linked");
    // The other tab has not heard yet.
    const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
    const before = { headers, body: '{"status":"not_linked"}' };
    await other.route("**/linked-player", route => route.fulfill(before));
    await ask(one, "Steve");
    await asked("Steve");
    await ask(other, "Steve");
    await sees(other, "A request of this browser is open already.");
    await other.unroute("**/linked-player");
    await sees(other, "left to answer");
    await answer("Steve", ACCEPT);
    await sees(one, "This browser is linked to Steve.");
    await sees(other, "This browser is linked to Steve.");
  });

  it("says that too many requests came, and when to come back", async () => {
    stage = await onStage(["Steve"], {
      yaml: "modules: {api: {limits: {link-requests-per-minute: 1}}}",
    });
    const page = await open();
    await ask(page, "Nobody");
    await sees(page, "Nobody called “Nobody” is online.");
    await ask(page, "Steve");
    await sees(page, /^Too many requests\. Try again in \d+ seconds\.$/);
    expect(await violations(page, "link-too-many")).toEqual([]);
  });

  it("says that the game did not answer when it hangs", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    stage.bridge.frozen = true;
    await ask(page, "Steve");
    await sees(page, "Asking…");
    // The request may still be on its way.
    const gaveUp = page.getByText("The game did not answer as expected.");
    await eventually(async () => {
      stage.bridge.clock.advance(2_000);
      expect(await gaveUp.isVisible()).toBe(true);
    });
    stage.bridge.frozen = false;
    await sees(page, "Not linked");
  });

  it("says that the service does not answer for as long as it does not", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
    await stage.pause();
    await stage.bridge.stopSidecar();
    await sees(page, "Check your connection and try again.");
    await stage.bridge.startSidecar();
    stage.run();
    await eventually(async () => expect(await page.locator("#player-fault").textContent()).toBe(""));
  });

  it("says that the game server is away, also while a player is being asked", async () => {
    stage = await onStage(["Steve"]);
    const page = await open();
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
    await answer("Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
  });
});
