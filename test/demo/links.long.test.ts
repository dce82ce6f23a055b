import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { askFor, consoleOf, type PanelStage, panelOfSuite } from "./stage.ts";

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
