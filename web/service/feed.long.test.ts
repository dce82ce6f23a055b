import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { openPlug } from "../../lab/demo/plug.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { ALEX, row, STEVE, said } from "../../test/helpers/fake-pack.ts";
import { say, sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { clockOfSuite } from "../testing/suite.ts";

/** Longest outage in a test, in milliseconds; it ends when the connection is restored. */
const OUTAGE_MS = 600_000;

inBrowser.describe("the web console and the event feed", () => {
  const tab = clockOfSuite();
  const { side } = tab;

  const start = (yaml = "", size = {}): Promise<void> => tab.start({ yaml }, size);
  const open = (base?: string): Promise<Page> => tab.open(base);
  const passUnheard = (page: Page, ms: number): Promise<void> => tab.pass(page, ms, false);
  const lines = (page: Page): Promise<string[]> => page.locator(".log li p").allTextContents();
  const chatLines = (page: Page): Promise<string[]> =>
    page.locator(".log li:not(.activity) p").allTextContents();
  const shows = (page: Page, ...texts: string[]): Promise<void> =>
    eventually(async () => expect(await chatLines(page)).toEqual(texts));

  it("shows earlier messages, joins, leaves and deaths, and can hide all but messages", async () => {
    await start();
    await side.pack.report(said("§ahello"), { is: "joined", row: row("Eve") });
    await side.pack.report({ is: "died", player: STEVE, killer: ALEX }, { is: "died", player: ALEX });
    await side.pack.report({ is: "left", id: row("Eve").player.id }, said("bye"));
    const page = await open();
    const chat = ["Steve: hello", "Steve: bye"];
    await shows(page, ...chat);
    expect(await lines(page)).toEqual([
      "The game server is online",
      "Steve joined",
      "Alex joined",
      "Steve: hello",
      "Eve joined",
      "Steve was killed by Alex",
      "Alex died",
      "Eve left",
      "Steve: bye",
    ]);
    expect(await page.title()).toBe("Game server");
    expect(await violations(page, "feed-history")).toEqual([]);
    await page.getByLabel("Joins, leaves and deaths").uncheck();
    expect(await lines(page)).toEqual(chat);
    await page.reload();
    await shows(page, ...chat);
    expect(await lines(page)).toEqual(chat);
  });

  it("shows what was missed in an outage of a minute, each message once, without a gap", async () => {
    await start();
    const plug = await openPlug(side.base);
    const page = await open(plug.origin);
    await side.pack.report(said("before"));
    await shows(page, "Steve: before");
    plug.pull(OUTAGE_MS);
    await page.locator(".connection.waiting").waitFor();
    await side.pack.report(said("missed 1"), { is: "joined", row: row("Eve") });
    await passUnheard(page, 60_000);
    await side.pack.report(said("missed 2"));
    expect(await violations(page, "feed-outage")).toEqual([]);
    plug.pull(0);
    await page.clock.runFor(40_000);
    await shows(page, "Steve: before", "Steve: missed 1", "Steve: missed 2");
    await page.locator(".connection.open").waitFor();
    await say(page, "back");
    await shows(page, "Steve: before", "Steve: missed 1", "Steve: missed 2", "You: back");
    expect((await lines(page)).filter(line => line === "Eve joined")).toHaveLength(1);
    await plug.close();
  });

  it("shows new figures without polling", async () => {
    await start();
    const page = await open();
    await page.locator("tbody th").filter({ hasText: "Alex" }).waitFor();
    tab.requests.length = 0;
    await side.pack.snapshot("Steve", "Alex", "Zoe");
    await page.locator("tbody th").filter({ hasText: "Zoe" }).waitFor();
    await tab.pass(page, 60_000);
    expect(tab.requests.filter(path => path !== "/console.json")).toEqual([]);
    side.clock.advance(30_000);
    await sees(page, "The game server is offline");
    await side.pack.snapshot("Steve");
    await page.locator(".state.online").waitFor();
    expect(await page.locator("tbody th").allTextContents()).toEqual(["Steve"]);
  });

  it("polls figures and reads the chat directly while it gets no stream", async () => {
    await start("modules.api.limits.event-clients: 1");
    const taken = await side.stream();
    const page = await open();
    await side.pack.report(said("a"));
    await say(page, "b");
    await shows(page, "Game? Steve: a", "You: b");
    await side.pack.snapshot("Steve");
    await eventually(async () => {
      await page.clock.runFor(1_000);
      expect(await page.locator("tbody th").allTextContents()).toEqual(["Steve"]);
    });
    taken.close();
    await page.clock.runFor(40_000);
    await shows(page, "Steve: a", "You: b");
  });
});
