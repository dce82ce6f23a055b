import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { askFor, consoleOf, joinAs, type PanelStage, panelOfSuite, rowOf } from "./stage.ts";

// Own connections: has a page ask, which is watched.

let stage: PanelStage;
let page: Page;

const screen = (name: string) => page.getByRole("dialog", { name: `Screen of ${name}` });
const press = (name: string, item: string): Promise<void> =>
  screen(name).getByRole("button", { name: item, exact: true }).click();
/** Waits until the console shows a text. */
const consoleSays = (text: string): Promise<void> =>
  consoleOf(page).getByText(text).filter({ visible: true }).first().waitFor();
/** Characters of the browser session as the console shows them. */
const shownSession = async (): Promise<string> => (await consoleOf(page).locator("code").textContent()) ?? "";

inBrowser.describe("a link that is asked for in the frame and answered on the panel", () => {
  const open = panelOfSuite();
  const start = async (players: string[], yaml = ""): Promise<void> => {
    stage = await open(players, yaml);
    page = await stage.page();
  };

  it("is accepted by pressing the green wool of a chest that names the browser, and removed again", async () => {
    await start(["Steve", "Alex"]);
    await askFor(page, "Steve");
    await screen("Steve").waitFor();
    expect(await page.locator(".slot").count()).toBe(27);
    const filled = await page
      .locator(".slot")
      .evaluateAll(slots => slots.map(slot => slot.textContent ?? ""));
    const session = await shownSession();
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

  it("is declined with the keyboard alone", async () => {
    await start(["Steve"]);
    await askFor(page, "Steve");
    await page.getByRole("button", { name: "Answer as Steve" }).press("Enter");
    const focused = page.locator(":focus");
    await eventually(async () => expect(await focused.textContent()).toMatch(/^browser /));
    await page.keyboard.press("ArrowRight");
    expect(await focused.textContent()).toBe("Accept");
    await page.keyboard.press("ArrowRight");
    expect(await focused.textContent()).toBe("Decline");
    expect(await violations(page, "panel-keyboard")).toEqual([]);
    await page.keyboard.press("Enter");
    await consoleSays("The player declined");
    expect(await screen("Steve").count()).toBe(0);
  });

  it("runs out, and the chest goes", async () => {
    await start(["Steve"], "modules: {api: {verification-timeout: 5s}}");
    await askFor(page, "Steve");
    await screen("Steve").waitFor();
    await consoleSays("The player declined, or did not answer in time.");
    await screen("Steve").waitFor({ state: "detached" });
  });

  it("opens again after it was closed, by the key, by the button and by the paper", async () => {
    await start(["Steve"]);
    await askFor(page, "Steve");
    const steve = stage.game.world?.player("Steve");
    await screen("Steve").getByRole("button", { name: "Accept" }).focus();
    await page.keyboard.press("Escape");
    await eventually(() => expect(steve?.formsShown).toBe(2));
    await screen("Steve").getByRole("button", { name: "Close without an answer" }).click();
    await eventually(() => expect(steve?.formsShown).toBe(3));
    await press("Steve", `browser ${await shownSession()}`);
    await eventually(() => expect(steve?.formsShown).toBe(4));
    await consoleSays("left to answer");
    await press("Steve", "Accept");
    await consoleSays("This browser is linked to Steve.");
  });

  it("waits for a player who leaves, and asks when they are back", async () => {
    await start(["Steve", "Alex"]);
    await askFor(page, "Steve");
    await screen("Steve").waitFor();
    await page.getByRole("button", { name: "Let Steve leave" }).click();
    await screen("Steve").waitFor({ state: "detached" });
    await consoleSays("left to answer");
    await joinAs(page, "Steve");
    await screen("Steve").waitFor();
    await press("Steve", "Accept");
    await consoleSays("This browser is linked to Steve.");
  });

  it("waits for a player who has another screen open", async () => {
    await start(["Steve"]);
    await page.getByRole("button", { name: "Let Steve be busy" }).click();
    await rowOf(page, "Steve").getByText("another screen is open").waitFor();
    await askFor(page, "Steve");
    await consoleSays("left to answer");
    await eventually(() => expect(stage.game.world?.player("Steve").formsShown).toBe(0));
    expect(await screen("Steve").count()).toBe(0);
    expect(await violations(page, "panel-busy")).toEqual([]);
    await page.getByRole("button", { name: "Let Steve be busy" }).click();
    await press("Steve", "Accept");
    await consoleSays("This browser is linked to Steve.");
  });

  it("is one request, however often it is asked for while it is pending", async () => {
    await start(["Steve", "Alex"]);
    await askFor(page, "Steve");
    await screen("Steve").waitFor();
    const frame = page.frames().find(one => one.url().startsWith(stage.plug.origin));
    const again = await frame?.evaluate(
      `fetch("/link-player", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ username: "Alex" }),
        }).then(async answer => [answer.status, await answer.json()])`,
    );
    expect(again).toEqual([409, { status: "already_pending" }]);
    expect(await page.getByRole("dialog").count()).toBe(1);
    await press("Steve", "Decline");
    await consoleSays("The player declined");
    await eventually(async () => expect(await page.getByRole("dialog").count()).toBe(0));
  });

  it("shows the question of each player who is asked, one at a time", async () => {
    await start(["Steve", "Alex"]);
    await askFor(page, "Steve");
    await screen("Steve").waitFor();
    const other = await stage.page();
    await askFor(other, "Alex");
    const names = page.getByRole("group", { name: "Players who are asked" });
    await names.getByRole("button", { name: "Alex" }).click();
    await screen("Alex").waitFor();
    expect(await violations(page, "panel-two-asked")).toEqual([]);
    await press("Alex", "Accept");
    await screen("Steve").waitFor();
    await consoleOf(other).getByText("This browser is linked to Alex.").waitFor();
    await other.close();
  });

  it("is refused for somebody who is not online, and while the game server is away", async () => {
    await start(["Steve"]);
    await askFor(page, "Zuri");
    await consoleSays("Nobody called “Zuri” is online.");
    await joinAs(page, "Zuri");
    await rowOf(page, "Zuri").waitFor();
    await page.getByRole("button", { name: "Stop the game server" }).click();
    await page.getByText("The game server is stopped", { exact: true }).waitFor();
    expect(await violations(page, "panel-stopped")).toEqual([]);
    stage.stage.bridge.clock.advance(30_000);
    await askFor(page, "Zuri");
    // The state of the server is said in the same words, without the full stop.
    await consoleSays("The game server is away.");
    await page.getByRole("button", { name: "Start the game server" }).click();
    await rowOf(page, "Zuri").waitFor();
    await consoleOf(page).locator(".state.online").waitFor();
    await askFor(page, "Zuri");
    await press("Zuri", "Accept");
    await consoleSays("This browser is linked to Zuri.");
  });

  it("is drawn as buttons when the form is no chest", async () => {
    await start(["Steve"]);
    const steve = stage.game.world?.player("Steve");
    const buttons = ["§2Yes", "No <b>way</b>"];
    steve?.show({
      id: -1,
      kind: "action",
      title: "Sure?",
      body: "§lone\ntwo",
      buttons,
      icons: [],
      labels: [],
    });
    await screen("Steve").waitFor();
    expect(await page.locator(".slot").count()).toBe(0);
    expect(await page.locator(".choices button").allTextContents()).toEqual(["Yes", "No <b>way</b>"]);
    expect(await violations(page, "panel-buttons")).toEqual([]);
    await press("Steve", "No <b>way</b>");
    await eventually(() => expect(steve?.form).toBeUndefined());
  });
});
