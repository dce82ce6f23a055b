import { afterEach, expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../../test/helpers/eventually.ts";
import { endGames, startGame, YAML } from "../testing/network.ts";
import { sees, shifts, violations } from "../testing/page.ts";
import { inBrowser, type Stage } from "../testing/stage.ts";
import { clockOfSuite, stage, stagesOfSuite } from "../testing/suite.ts";

const tab = (page: Page, name: string | RegExp): Locator => page.getByRole("tab", { name });
const shows = (page: Page, ...names: string[]): Promise<void> =>
  eventually(async () => expect(await page.locator("tbody th").allTextContents()).toEqual(names));
const chosen = (page: Page): Promise<string | null> =>
  page.locator("[role=tab][aria-selected=true] .title").textContent();
const nameIn = (page: Page): string | null => new URL(page.url()).searchParams.get("server");

inBrowser.describe("the web console, with several game servers", () => {
  const onStage = stagesOfSuite();
  afterEach(endGames);

  /** Three of them: Steve on the first one, Alex and Noor on the second, and nobody runs the third. */
  async function start(): Promise<Stage> {
    await onStage(["Steve"], { yaml: YAML });
    await startGame(stage, "lobby", "Alex", "Noor");
    return stage;
  }

  it("has a tab for each with state and number of players, and shows figures and players of the chosen one", async () => {
    const page = await (await start()).page();
    await shows(page, "Steve");
    await tab(page, /^The lobby 2 players$/).waitFor();
    expect(await page.locator("[role=tab]").allInnerTexts()).toEqual([
      "Survival\n1 player",
      "The lobby\n2 players",
      "creative\noffline",
    ]);
    expect(nameIn(page)).toBeNull();
    expect(await violations(page, "servers")).toEqual([]);
    await tab(page, "The lobby").click();
    await shows(page, "Alex", "Noor");
    expect(await page.locator(".count").textContent()).toBe("2 of 100");
    await sees(page, "lobby.example.com");
    expect(await page.title()).toBe("The lobby – Game server");
    expect(await violations(page, "servers-second")).toEqual([]);
    await tab(page, "creative").click();
    await sees(page, /^It isn't running/);
    expect(await page.locator(".gauge strong").first().textContent()).toBe("–");
    expect(await violations(page, "servers-away")).toEqual([]);
    await tab(page, "Survival").click();
    await shows(page, "Steve");
  });

  it("keeps the choice in its address, through reloads and shared links, and ignores unknown names", async () => {
    const page = await (await start()).page("?some=thing");
    await shows(page, "Steve");
    await tab(page, "The lobby").click();
    await shows(page, "Alex", "Noor");
    expect(new URL(page.url()).search).toBe("?some=thing&server=lobby");
    await page.getByRole("link", { name: "Your player" }).click();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.reload();
    await shows(page, "Alex", "Noor");
    const shared = await stage.page(new URL(page.url()).search);
    await shows(shared, "Alex", "Noor");
    expect(await shifts(shared)).toEqual([]);
    for (const name of ["nether", "", "%22%3E%3Cimg"]) {
      const unknown = await stage.page(`?server=${name}`);
      await shows(unknown, "Steve");
      expect(await chosen(unknown)).toBe("Survival");
    }
  });

  it("marks messages with their server, and can show and write to the chat of one server", async () => {
    const page = await (await start()).page();
    await sees(page, "Connected");
    const creative = await startGame(stage, "creative", "Zuri");
    creative.world.players[0]?.say("who builds?");
    stage.bridge.player("Steve").say("who fights?");
    const marks = page.locator(".log .game .server");
    await eventually(async () =>
      expect((await marks.allTextContents()).sort()).toEqual(["Survival", "creative"]),
    );
    await page.getByLabel("Show chat from").selectOption({ label: "creative" });
    expect(await chosen(page)).toBe("creative");
    await eventually(async () => expect(await page.getByText("who fights?").count()).toBe(0));
    await sees(page, "who builds?");
    expect(await marks.count()).toBe(0);
    await sees(page, "Connected");
    await page.getByPlaceholder("Write to creative").fill("I do");
    await page.keyboard.press("Enter");
    await eventually(() => expect(creative.world.players[0]?.chat.at(-1)).toContain("I do"));
    expect(stage.bridge.player("Steve").chat.join()).not.toContain("I do");
    await page.getByLabel("Show chat from").selectOption({ label: "All game servers" });
    await sees(page, "Connected");
    await page.getByPlaceholder("Write to everyone").fill("good night");
    await page.keyboard.press("Enter");
    await eventually(() => {
      expect(creative.world.players[0]?.chat.at(-1)).toContain("good night");
      expect(stage.bridge.player("Steve").chat.at(-1)).toContain("good night");
    });
    await sees(page, "who fights?");
  });
});

/** Records the requests of a page, how many are pending, and whether one has failed. */
const RECORD_CALLS = `
  Object.assign(window, { requested: [], pending: 0, hasFailed: false });
  async function noted(call) {
    window.pending++;
    try {
      return await call;
    } catch (error) {
      window.hasFailed = true;
      throw error;
    } finally {
      window.pending--;
    }
  }
  const { fetch: send } = window;
  const { text } = Response.prototype;
  window.fetch = (url, options) => {
    window.requested.push(new URL(url, location.href).pathname);
    return noted(send(url, options));
  };
  Response.prototype.text = function () {
    return noted(text.call(this));
  };`;
/** What the page requests when it becomes visible, as it does every few seconds. */
const REQUESTED = `new Promise(resolve => {
  window.requested = [];
  document.dispatchEvent(new Event("visibilitychange"));
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve(window.requested);
  port2.postMessage("");
})`;

inBrowser.describe("a chosen game server whose figures fail to load", () => {
  const visit = clockOfSuite();

  it("is polled again, even if its players arrive over the feed", async () => {
    await visit.start({ yaml: YAML });
    const page = await visit.open();
    await tab(page, "The lobby").click();
    await sees(page, /^It isn't running/);
    await page.evaluate(RECORD_CALLS);
    const heard = (): Promise<unknown> => page.evaluate("window.heard");
    await page.route(
      /^http:\/\/[^/]+\/status$/,
      async route => {
        const before = await heard();
        await visit.side.pack.snapshot("Steve");
        await eventually(async () => expect(await heard()).not.toBe(before));
        await route.abort("connectionreset");
      },
      { times: 1 },
    );
    await tab(page, "Survival").click();
    await eventually(async () => expect(await page.evaluate("[hasFailed, pending]")).toEqual([true, 0]));
    expect(await page.evaluate(REQUESTED)).toContain("/status");
    await shows(page, "Steve");
  });
});
