import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { said } from "../http/feeding.ts";
import { inBrowser } from "./stage.ts";
import { clockOfSuite } from "./suite.ts";

inBrowser.describe("the console and what happened", () => {
  const tab = clockOfSuite();
  const { side } = tab;

  const start = (yaml = "", size = {}): Promise<void> => tab.start({ yaml }, size);
  const open = (base?: string): Promise<Page> => tab.open(base);
  const chatLines = (page: Page): Promise<string[]> =>
    page.locator(".log li:not(.activity) p").allTextContents();
  const shows = (page: Page, ...texts: string[]): Promise<void> =>
    eventually(async () => expect(await chatLines(page)).toEqual(texts));
  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).click();
  };

  it("shows each line once in two tabs and after a reload, and knows what was said here", async () => {
    await start();
    const [page, other] = [await open(), await open()];
    await side.pack.report(said("a"));
    await say(page, "b");
    await shows(page, "Steve: a", "You: b");
    await say(page, "b");
    await say(other, "§§c");
    await shows(page, "Steve: a", "You: b", "You: b", "You: c");
    await shows(other, "Steve: a", "You: b", "You: b", "You: c");
    await page.reload();
    await shows(page, "Steve: a", "You: b", "You: b", "You: c");
  });

  it("asks for figures and reads the chat itself where it gets no stream, until it does", async () => {
    await start("modules.api.limits.event-clients: 1");
    const taken = await side.stream();
    const page = await open();
    await side.pack.report(said("a"));
    await say(page, "b");
    await shows(page, "Game? Steve: a", "You: b");
    await side.pack.snapshot("Steve");
    await page.clock.runFor(6_000);
    await eventually(async () => expect(await page.locator("tbody th").allTextContents()).toEqual(["Steve"]));
    taken.close();
    await page.clock.runFor(40_000);
    await shows(page, "Steve: a", "You: b");
  });
});
