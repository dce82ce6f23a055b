import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { checkedFetch } from "../test/helpers/client.ts";
import { eventually } from "../test/helpers/eventually.ts";
import { say, sees, violations } from "./testing/page.ts";
import { inBrowser } from "./testing/stage.ts";
import { clockOfSuite } from "./testing/suite.ts";
import { Swallower } from "./testing/swallower.ts";

/** Within that everything says that the network is gone, in milliseconds. */
const NOTICED_MS = 15_000;

inBrowser.describe("the web console without a network", () => {
  let network: Swallower;
  // The page goes first: it would complain of its network.
  const tab = clockOfSuite();
  afterEach(() => network.close());

  async function open(): Promise<Page> {
    await tab.start();
    network = await Swallower.open(tab.side.base);
    return tab.open(network.origin);
  }
  /** Advances the page's time second by second, so that answers in between are received. */
  async function wait(page: Page, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1_000) await page.clock.runFor(1_000);
  }
  const chatLines = (page: Page): Promise<string[]> =>
    page.locator(".log li:not(.activity) > p[dir]").allTextContents();

  it("marks each figure as old and the chat as disconnected within 15 s, and recovers", async () => {
    const page = await open();
    expect(await page.locator(".since").count()).toBe(0);
    network.isDead = true;
    await wait(page, NOTICED_MS);
    await eventually(async () => expect(await page.locator(".section-head .since").count()).toBe(2));
    expect(await page.locator(".figures .since").textContent()).toMatch(/^as of \d\d:\d\d [AP]M$/);
    await page.locator(".state.unreachable").waitFor();
    await sees(page, /^Connection lost\./);
    expect(await violations(page, "network-dead")).toEqual([]);
    network.isDead = false;
    await tab.side.pack.snapshot("Steve", "Alex");
    await wait(page, 40_000);
    await page.locator(".state.online").waitFor();
    await page.locator(".connection.open").waitFor();
    await eventually(async () => expect(await page.locator(".since").count()).toBe(0));
  });

  it("shows a message as sending until it is confirmed, else as not sent, and sends it again", async () => {
    const page = await open();
    await say(page, "there");
    await eventually(async () => expect(await page.locator(".log .own:not(.underway)").count()).toBe(1));
    network.isDead = true;
    await say(page, "lost");
    await sees(page, "Sending…");
    await wait(page, NOTICED_MS);
    await sees(page, "Not sent");
    expect(await violations(page, "network-unsent")).toEqual([]);
    network.isDead = false;
    await tab.side.pack.snapshot("Steve", "Alex");
    await wait(page, 40_000);
    await page.locator(".connection.open").waitFor();
    expect(await page.locator(".log .unsent").count()).toBe(2);
    await page.getByRole("button", { name: "Send again" }).click();
    await eventually(async () => {
      await page.clock.runFor(100);
      expect(await chatLines(page)).toEqual(["You: there", "You: lost"]);
      expect(await page.locator(".log .unsent, .log .underway").count()).toBe(0);
    });
    expect(
      (await (await checkedFetch(`${tab.side.base}/events?format=json&types=chat`)).text()).match(/lost/g),
    ).toHaveLength(1);
  });
});
