import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { openPlug } from "../../lab/demo/plug.ts";
import { eventually } from "../helpers/runner.ts";
import { hold, sees } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { clockOfSuite, stage, stagesOfSuite } from "./suite.ts";

/** What is shown first, by its path. */
const FIRST = ["/console.json", "/history", "/players", "/status"];
/** Bytes in a second of what browsers call slow 3G: 400 kbit. */
const SLOW_3G = 50_000;
/** Notes each state that the page says the game is in, and the first figure. */
const NOTES = `{
  window.states = new Set();
  new MutationObserver(() => {
    const state = document.querySelector(".state");
    if (state) window.states.add(state.className);
    if (/\\d/.test(document.querySelector(".gauge strong")?.textContent)) window.figureAt ??= performance.now();
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}`;

inBrowser.describe("the console far away from its service", () => {
  const onStage = stagesOfSuite();

  it.each([1_300, 2_500])(
    "shows figures on slow 3G with %d ms there and back, and never says that nobody answers",
    async latency => {
      const page = await (await onStage(["Steve"], {}, 1)).page("about:blank", {
        viewport: { width: 390, height: 844 },
      });
      await page.addInitScript(NOTES);
      const session = await page.context().newCDPSession(page);
      const throughput = { downloadThroughput: SLOW_3G, uploadThroughput: SLOW_3G };
      await session.send("Network.emulateNetworkConditions", { offline: false, latency, ...throughput });
      const plug = await openPlug(stage.bridge.base);
      await page.goto(plug.origin);
      await page.locator(".connection.open").waitFor({ state: "attached" });
      // And where the stream is lost the answers take as long as ever.
      plug.pull(0);
      await page.locator(".connection:not(.open)").waitFor({ state: "attached" });
      await page.locator(".connection.open").waitFor({ state: "attached" });
      const [states, figureAt] = await page.evaluate<[string[], number]>(
        "[[...window.states], window.figureAt]",
      );
      await page.close();
      await plug.close();
      stage.origins.delete(plug.origin);
      console.log(`${latency} ms there and back: the first figure after ${figureAt.toFixed(0)} ms`);
      expect(states.at(-1)).toBe("state online");
      expect(states).not.toContain("state unreachable");
    },
  );
});

inBrowser.describe("the console and answers that take their time", () => {
  const tab = clockOfSuite();
  /** The page anew, as far as it comes without what is held. */
  const reload = (page: Page): Promise<unknown> => page.reload({ waitUntil: "commit" });

  it("asks for all that it shows first while its script is on its way, and for each once", async () => {
    await tab.start();
    const page = await tab.open();
    const letGo = await hold(page, "**/assets/*.js");
    tab.requests.length = 0;
    await reload(page);
    const first = (): string[] => tab.requests.filter(path => FIRST.includes(path)).sort();
    await eventually(() => expect(first()).toEqual(FIRST));
    letGo();
    await sees(page, "20.0");
    expect(first()).toEqual(FIRST);
  });
});
