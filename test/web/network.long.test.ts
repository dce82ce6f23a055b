import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { checkedFetch } from "../helpers/client.ts";
import { eventually } from "../helpers/runner.ts";
import { said } from "../http/feeding.ts";
import { hide } from "./on-clock.ts";
import { sees, violations } from "./page.ts";
import { lined } from "./pixels.ts";
import { inBrowser } from "./stage.ts";
import { clockOfSuite } from "./suite.ts";
import { Swallower } from "./swallower.ts";

/** Within that everything says that the network is gone, in milliseconds. */
const NOTICED_MS = 15_000;

/** Notes whether anybody could see that the chat is connected again without the line that was missed. */
const WITHOUT = `{
  window.isWithout = false;
  let wasLost = false;
  const { port1, port2 } = new MessageChannel();
  // What is drawn is what is there once a task has ended.
  new MutationObserver(() => port1.postMessage("")).observe(document, { subtree: true, childList: true, attributes: true });
  port2.onmessage = () => {
    const isOpen = document.querySelector(".connection.open") !== null;
    wasLost ||= !isOpen;
    if (wasLost && isOpen && !document.querySelector(".log").textContent.includes("missed")) window.isWithout = true;
  };
}`;

inBrowser.describe("the console in a network that is gone", () => {
  let network: Swallower;
  // The page goes first: it would complain of its network.
  const tab = clockOfSuite();
  afterEach(() => network.close());

  async function open(): Promise<Page> {
    await tab.start();
    network = await Swallower.open(tab.side.bridge.base);
    return tab.open(network.origin);
  }
  /** Time of the page goes on, second by second, so that answers that come in between are heard. */
  async function wait(page: Page, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1_000) await page.clock.runFor(1_000);
  }
  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).click();
  };
  const chatLines = (page: Page): Promise<string[]> =>
    page.locator(".log li:not(.activity) > p[dir]").allTextContents();

  it("says within 15 s of each figure that it is old, and of the chat that it is away, and comes back", async () => {
    const page = await open();
    expect(await page.locator(".since").count()).toBe(0);
    network.isDead = true;
    await wait(page, NOTICED_MS);
    await eventually(async () => expect(await page.locator(".gauge .since").count()).toBe(4));
    expect(await page.locator(".gauge .since").first().textContent()).toMatch(/^old, from \d\d:\d\d$/);
    expect(await page.locator("h2 .since").count()).toBe(1);
    await page.locator(".state.unreachable").waitFor();
    await sees(page, /^Connection lost\./);
    expect(await violations(page, "network-dead")).toEqual([]);
    network.isDead = false;
    await tab.side.pack.snapshot("Steve", "Alex");
    await wait(page, 40_000);
    await page.locator(".state.online").waitFor();
    await page.locator(".connection.open").waitFor();
    expect(await page.locator(".since").count()).toBe(0);
  });

  it("shows a line as on its way until it was read, as not sent when it was not, and sends it again", async () => {
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
      (await (await checkedFetch(`${tab.side.bridge.base}/events?format=json&types=chat`)).text()).match(
        /lost/g,
      ),
    ).toHaveLength(1);
  });

  it("shows what was missed with the chat that is back, where the stream is lost without having noticed yet", async () => {
    const page = await open();
    let pongs = 0;
    page.on("websocket", socket =>
      socket.on("framereceived", ({ payload }) => payload.includes("PONG") && pongs++),
    );
    await page.reload();
    await page.locator(".connection.open").waitFor();
    // Nothing but the test lets the page's time go on. The stream has its last sign of life 5 s after the chat.
    await page.clock.pauseAt(await page.evaluate<number>("Date.now() + 1_000"));
    const before = pongs;
    await eventually(async () => {
      await page.clock.runFor(100);
      expect(pongs).toBeGreaterThan(before);
    });
    await page.clock.runFor(5_000);
    tab.side.bridge.clock.advance(5_000);
    await tab.side.pack.snapshot("Steve", "Alex", "Zoe");
    await page.locator("tbody th").filter({ hasText: "Zoe" }).waitFor();
    network.strand();
    await tab.side.pack.report(said("missed"));
    await page.evaluate(WITHOUT);
    await page.clock.runFor(9_000);
    await page.locator(".connection:not(.open)").waitFor();
    await eventually(async () => {
      await page.clock.runFor(100);
      expect(await page.locator(".connection.open").count()).toBe(1);
    });
    expect(await chatLines(page)).toEqual(["Steve: missed"]);
    expect(await page.evaluate("window.isWithout")).toBe(false);
  });

  it("tries at once when the system says that the network is back", async () => {
    const page = await open();
    await page.context().setOffline(true);
    network.isDead = true;
    await wait(page, NOTICED_MS);
    await page.locator(".state.unreachable").waitFor();
    network.isDead = false;
    await tab.side.pack.snapshot("Steve", "Alex");
    await page.context().setOffline(false);
    await wait(page, 1_000);
    await page.locator(".state.online").waitFor();
    await page.locator(".connection.open").waitFor();
  });

  it("fetches the plots anew after it has slept, so that they have no hole that never was", async () => {
    const page = await open();
    for (let i = 0; i < 30; i++) await tab.pass(page, 10_000);
    tab.requests.length = 0;
    for (let passed = 0; passed < 600_000; passed += 10_000) {
      tab.side.bridge.clock.advance(10_000);
      await tab.side.pack.snapshot("Steve", "Alex");
    }
    await page.clock.fastForward(600_000);
    await wait(page, 10_000);
    await eventually(() => expect(tab.requests).toContain("/history"));
    await page.locator(".state.online").waitFor();
    await eventually(async () => expect(await lined(page)).toBeGreaterThan(0.8));
  });

  it("asks nothing in the background, and brings everything up to date once it is seen", async () => {
    const page = await open();
    await wait(page, 3_000);
    await hide(page, true);
    tab.requests.length = 0;
    await tab.pass(page, 120_000, false);
    expect(tab.requests).toEqual([]);
    await tab.side.pack.report(said("meanwhile"));
    await hide(page, false);
    await sees(page, "meanwhile");
    await eventually(() => expect(tab.requests).toContain("/history"));
  });

  it("is somebody in the chat from the first line on, without a visit before", async () => {
    const page = await open();
    await say(page, "hello");
    await eventually(async () => expect(await chatLines(page)).toEqual(["You: hello"]));
    const events = await (await checkedFetch(`${tab.side.bridge.base}/events?format=json&types=chat`)).json();
    expect(events).toMatchObject([
      { from: "web", content: "hello", label: expect.stringMatching(/^[ghj-kmnp-tv-z]{8}$/) },
    ]);
    await page.reload();
    await eventually(async () => expect(await chatLines(page)).toEqual(["You: hello"]));
  });

  it("takes no line for its own of a session that begins as its own", async () => {
    const page = await open();
    await say(page, "hello");
    await eventually(async () => expect(await chatLines(page)).toEqual(["You: hello"]));
    const { base } = tab.side.bridge;
    const [own] = await page.context().cookies();
    const alike = `${own?.name}=${own?.value.slice(0, 8)}-0000-4000-8000-000000000000`;
    const other = await ChatSocket.open(base, { Cookie: alike });
    other.say("hello");
    await eventually(async () =>
      expect(await chatLines(page)).toEqual([
        "You: hello",
        expect.stringMatching(/^Web [ghj-kmnp-tv-z]{8}: hello$/),
      ]),
    );
    other.ws.terminate();
  });
});
