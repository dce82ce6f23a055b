import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
import { needs } from "../helpers/needs.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { AXE, Stage, startBrowser, whyNot } from "./stage.ts";

/** What a browser notes when an answer is an error, or when nobody answers: the page says so too. */
const ANSWERED =
  /^Failed to load resource: (the server responded with a status of (400|401|409|422|503) |net::ERR_CONNECTION_REFUSED)|^WebSocket connection to 'ws:\S+' failed: .*(ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET)/;
const PHONE = { viewport: { width: 390, height: 844 } };
let browser: Browser;
let stage: Stage;

/** Waits until a text can be seen. */
const sees = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).filter({ visible: true }).first().waitFor();

/** Rules of accessibility that the page breaks as it is now. */
async function violations(page: Page): Promise<string[]> {
  // As a developer's tool would: what is put in by a script element is held off by the content policy.
  const axe = readFileSync(AXE, "utf8");
  await page.evaluate(`(() => { if (!window.axe) { ${axe} } })()`);
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(one => one.id + ": " + one.nodes.map(node => node.html).join(" ")))`,
  );
}

const ask = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Player name").fill(name);
  await page.getByRole("button", { name: /^Ask/ }).click();
};
const answer = async (name: string, button: number): Promise<void> => {
  await expect.poll(() => stage.bridge.player(name).form, { timeout: 10_000 }).toBeTruthy();
  stage.bridge.player(name).answer(button);
};

describe.skipIf(whyNot !== undefined)("the web console", { timeout: 60_000, ...needs(whyNot ?? "") }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    expect(stage.complaints.filter(line => !ANSWERED.test(line))).toEqual([]);
    expect([...stage.origins].filter(origin => origin !== stage.bridge.base)).toEqual([]);
    await stage.close();
  });
  afterAll(() => browser.close());

  it("says that the game server is away, shows figures once it is there, and none when it has gone", async () => {
    stage = await Stage.open(browser);
    const page = await stage.page();
    await sees(page, "The game server is away");
    expect(await page.locator("dd strong").allTextContents()).toEqual(["–", "–", "–", "–"]);
    expect(await violations(page)).toEqual([]);
    await stage.pause();
    await stage.bridge.startGame();
    await stage.bridge.enter("Steve", "Alex");
    stage.run();
    await sees(page, "20.0");
    expect(await page.locator("tbody th").allTextContents()).toEqual(["Alex", "Steve"]);
    expect(await violations(page)).toEqual([]);
    await stage.pause();
    await stage.bridge.stopGame("kill");
    stage.bridge.clock.advance(30_000);
    stage.run();
    await sees(page, "The game server is away");
    expect(await page.locator("dd strong").first().textContent()).toBe("–");
  });

  it("sorts players by any column", async () => {
    stage = await Stage.open(browser, ["Steve", "Alex", "Zuri"]);
    const page = await stage.page();
    await page.getByRole("button", { name: "Name" }).click();
    expect(await page.locator("tbody th").allTextContents()).toEqual(["Zuri", "Steve", "Alex"]);
    expect(await page.locator("th[aria-sort=descending]").textContent()).toContain("Name");
  });

  it("links with every outcome and unlinks", async () => {
    stage = await Stage.open(browser, ["Steve"], { yaml: "modules: {api: {verification-timeout: 5s}}" });
    const page = await stage.page("#you");
    await sees(page, "Not linked");
    await ask(page, "");
    await sees(page, "Type the name of the player first.");
    await ask(page, "Nobody");
    await sees(page, "Nobody called “Nobody” is online.");
    await ask(page, "Steve");
    await sees(page, "left to answer");
    expect(await page.locator("[aria-current=step]").textContent()).toBe("Waiting for the player");
    expect(await violations(page)).toEqual([]);
    await answer("Steve", DECLINE);
    await sees(page, "The player declined");
    await ask(page, "Steve");
    await sees(page, "left to answer");
    await sees(page, "The player declined");
    expect(await violations(page)).toEqual([]);
    await ask(page, "Steve");
    await answer("Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Unlink this browser" }).click();
    await sees(page, "Player name");
  });

  it("shows the link of one tab in the other", async () => {
    stage = await Stage.open(browser, ["Steve"]);
    const one = await stage.page("#you");
    await sees(one, "Not linked");
    const other = await stage.page("#you", {}, one);
    await sees(other, "Not linked");
    await ask(one, "Steve");
    await sees(other, "left to answer");
    await answer("Steve", ACCEPT);
    await sees(one, "This browser is linked to Steve.");
    await sees(other, "This browser is linked to Steve.");
  });

  it("chats both ways in colours, and shows whatever is sent as text", async () => {
    stage = await Stage.open(browser, ["Steve"]);
    const page = await stage.page();
    const other = await stage.page();
    await sees(page, "Connected");
    await sees(other, "Connected");
    stage.bridge.player("Steve").say("§ahello §1deep");
    await sees(page, "hello");
    const colours = await page
      .locator(".log bdi")
      .evaluateAll(all => all.map(one => (one as { style?: { color: string } }).style?.color ?? ""));
    expect(colours.filter(colour => colour !== "")).toHaveLength(2);
    const evil = `<img src=x onerror="alert(1)">\u202eevil ${"§§".repeat(40)}end`;
    await page.getByLabel("Message").fill(evil);
    await page.getByRole("button", { name: "Send" }).click();
    await sees(other, '<img src=x onerror="alert(1)">evil end');
    await expect.poll(() => stage.bridge.player("Steve").chat.at(-1)).toContain("<img src=x");
    expect(await other.locator(".log img").count()).toBe(0);
    expect(await other.locator(".log bdi").count()).toBeLessThan(6);
    await page.getByLabel("Message").fill("x".repeat(513));
    await sees(page, "1 character too many");
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  it("comes back by itself after the sidecar has been away", async () => {
    stage = await Stage.open(browser, ["Steve"]);
    const page = await stage.page();
    await sees(page, "20.0");
    await stage.pause();
    await stage.bridge.stopSidecar();
    await sees(page, "The service does not answer");
    await sees(page, "Connection lost.");
    expect(await violations(page)).toEqual([]);
    await stage.bridge.startSidecar();
    stage.run();
    await sees(page, "Connected");
    await page.locator(".state.online").waitFor();
  });

  it("adds to the whitelist with the key, which is kept nowhere, and refuses a wrong one", async () => {
    stage = await Stage.open(browser, ["Steve"]);
    const page = await stage.page("#whitelist");
    await page.getByLabel("Admin key").fill("wrong");
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await sees(page, "This is not the admin key.");
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Admin key").fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await sees(page, "No name is on the whitelist.");
    await page.getByLabel("Name to add").fill("a b");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "“a b” cannot be added");
    await page.getByLabel("Name to add").fill("Herobrine");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "Herobrine is on the whitelist.");
    await expect.poll(() => page.locator(".names li").allTextContents()).toEqual(["Herobrine"]);
    expect(await violations(page)).toEqual([]);
    const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
    expect(kept).not.toContain(ADMIN_KEY);
  });

  it.each(["light", "dark"] as const)(
    "fits a phone, in %s, and marks what was not read",
    async colorScheme => {
      stage = await Stage.open(browser, ["Steve"]);
      const page = await stage.page("", { ...PHONE, colorScheme });
      await sees(page, "20.0");
      await expect.poll(() => stage.bridge.side?.sidecar !== undefined).toBe(true);
      await expect
        .poll(async () => {
          stage.bridge.player("Steve").say("§ehi §0there");
          return page.title();
        })
        .toMatch(/^\(\d+\) Game server$/);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      expect(await violations(page)).toEqual([]);
      await page.getByRole("link", { name: /Chat/ }).click();
      await sees(page, "hi");
      await sees(page, "New");
      await expect.poll(() => page.title()).toBe("Game server");
      expect(await violations(page)).toEqual([]);
    },
  );
});
