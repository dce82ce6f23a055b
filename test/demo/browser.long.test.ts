import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { consoleOf, joinAs, type PanelStage, panelOfSuite, rowOf, sayAs } from "./stage.ts";

// Own connections: has a page ask, which is watched.

let stage: PanelStage;
let page: Page;

/** Asks for Steve in a session of its own, from a page of the service. */
const ASK_STEVE = `fetch("/initialize").then(() => fetch("/link-player", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ username: "Steve" }),
})).then(answer => answer.status)`;
/** Hearts and notes of players that reach into the buttons of the row. */
const COVERED = `[...document.querySelectorAll(".player")].flatMap(row => {
  const deeds = row.querySelector(".deeds").getBoundingClientRect();
  return [...row.querySelectorAll(".hearts, .note")].filter(one => {
    const box = one.getBoundingClientRect();
    return box.right > deeds.left && box.left < deeds.right && box.bottom > deeds.top && box.top < deeds.bottom;
  }).map(one => row.textContent + ": " + one.className);
})`;

inBrowser.describe("the panel of the demo", () => {
  const open = panelOfSuite();
  const start = async (players: string[], options = {}): Promise<void> => {
    stage = await open(players);
    page = await stage.page(options);
  };

  it("lets the keyboard go past the world to the website", async () => {
    await start(["Steve"]);
    await sees(page, "Steve joined the game");
    await page.keyboard.press("Tab");
    await sees(page, "Skip to the website");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Web console");
  });

  it("stops the game server and starts it again, with whoever was there", async () => {
    await start(["Steve", "Alex"]);
    await consoleOf(page).getByText("Online", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Stop the game server" }).click();
    await sees(page, "The game server is stopped");
    await sees(page, "Nobody is online while the game server is stopped.");
    expect(await page.getByRole("button", { name: "Join" }).isDisabled()).toBe(true);
    expect(await violations(page, "panel-off")).toEqual([]);
    stage.stage.bridge.clock.advance(30_000);
    await consoleOf(page).getByText("The game server is away").first().waitFor();
    await page.getByRole("button", { name: "Start the game server" }).click();
    await rowOf(page, "Alex").waitFor();
    await consoleOf(page).getByText("Online", { exact: true }).first().waitFor();
  });

  it("takes the connections of the website away for ten seconds, after which it shows what it missed once", async () => {
    await start(["Steve"]);
    const site = consoleOf(page);
    await site.getByRole("link", { name: "Chat" }).click();
    await site.getByText("Connected").waitFor();
    await sayAs(page, "Steve", "one");
    await site.getByText("Steve: one").waitFor();
    await page.getByRole("button", { name: "Pull the plug for 10 s" }).click();
    await page.getByRole("button", { name: /^Without a connection for \d+ s$/ }).waitFor();
    await site.getByText("Connection lost.").waitFor();
    await sayAs(page, "Steve", "two");
    await joinAs(page, "Ari Vale");
    expect(await violations(page, "panel-unplugged")).toEqual([]);
    await site.getByText("Ari Vale joined").waitFor();
    await site.getByText("Connected").waitFor();
    await sayAs(page, "Steve", "three");
    await site.getByText("Steve: three").waitFor();
    const lines = await site.locator(".log li p").allTextContents();
    expect(lines.slice(-4)).toEqual(["Steve: one", "Steve: two", "Ari Vale joined", "Steve: three"]);
    expect(await page.getByRole("button", { name: "Pull the plug for 10 s" }).isEnabled()).toBe(true);
  });

  it.each([
    [1280, 800],
    [1024, 768],
    [390, 844],
  ])(
    "has every note of a player beside the buttons and nothing below the page at %i by %i",
    async (width, height) => {
      const names = ["Steve", "Alex", "Noor", "Ari Vale", "Bob", "Kim", "Lou", "Max", "Nia", "Oli"];
      await start(names, { viewport: { width, height } });
      const asked = await page.context().newPage();
      await asked.goto(stage.stage.bridge.base);
      await asked.evaluate(ASK_STEVE);
      await asked.close();
      await rowOf(page, "Steve").getByText("is asked").waitFor();
      await page.getByRole("button", { name: "Let Steve be busy" }).click();
      await rowOf(page, "Steve").getByText("another screen is open").waitFor();
      expect(await page.evaluate(COVERED)).toEqual([]);
      const room = "document.documentElement.scrollHeight - innerHeight";
      expect(await page.evaluate(room)).toBe(0);
      expect(await violations(page, `panel-rows-${width}`)).toEqual([]);
    },
  );
});
