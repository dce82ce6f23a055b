import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { KnownStore } from "../../sidecar/ports/known.ts";
import { openKnownFile } from "../../sidecar/store/known-file.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { RecordingLog } from "../helpers/log.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { knowing, uuidOf } from "./known-people.ts";
import { inBrowser, shoot, webFiles } from "./stage.ts";
import { browserOfSuite } from "./suite.ts";

// Own connections: measures a slow page, to which a watch would add.

const PLAYERS = 100_000;
/** So many times slower than the machine of the test. */
const SLOWER = 4;
/** In that time there is something to see on a machine that has nothing else to do, in milliseconds. */
const SEEN_MS = 2_000;
/** How much longer it may take where other tests run beside. */
const BUSY = 3;

inBrowser.describe("100,000 players who have been here, on a slow phone", () => {
  let side: TestSidecar;
  let known: KnownStore & { close(): Promise<void> };
  let page: Page;
  const browser = browserOfSuite();
  afterEach(async () => {
    await page?.context().close();
    await side?.stop();
    await known?.close();
  });

  it("are seen soon, in each view and order, and whoever is looked for among them", async () => {
    const clock = new ManualClock(Date.now());
    known = openKnownFile(newFolder("known-many-"), new RecordingLog());
    const people = Array.from({ length: PLAYERS }, (_, i) => ({
      name: `P${(i * 7_919) % PLAYERS} of many`,
      ...{ kills: i % 1_000, deaths: i % 777, playtimeSeconds: i * 61, visits: 1 + (i % 400) },
      ...{ firstHours: 9_000 + (i % 5_000), lastHours: 24 + (i % 8_000) },
    }));
    await knowing(people, clock.now(), known);
    side = await startTestSidecar({
      ...{ webFiles, clock, known },
      yaml: "modules.api.known-players.show: everybody",
    });
    const pack = new FakePack(side.bridge);
    await pack.connect();
    await pack.snapshot("Steve");

    const figures: string[] = [];
    const worst = { ms: 0 };
    const note = (what: string, ms: number): void => {
      figures.push(`${what} ${Math.round(ms)} ms`);
      worst.ms = Math.max(worst.ms, ms);
    };
    const open = async (part: string): Promise<void> => {
      await page?.context().close();
      const context = await browser().newContext({ viewport: { width: 390, height: 844 } });
      page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
      // The page itself says when it was drawn: whoever asks for that would take a part of it.
      await page.addInitScript(`new MutationObserver(() => {
        if (window.seenAt !== undefined || !document.querySelector(".known-list li, .player-card")) return;
        window.seenAt = 0;
        requestAnimationFrame(() => requestAnimationFrame(() => { window.seenAt = performance.now(); }));
      }).observe(document, { subtree: true, childList: true });`);
      await page.goto(`${side.base}/${part}`);
      await page.locator(".known-list li, .player-card").first().waitFor();
      await page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    };
    for (const part of [
      "#fame",
      "#fame/kills",
      "#everybody",
      "#everybody/name/p123",
      `#player/${uuidOf(77)}`,
    ]) {
      await open(part);
      note(part, await page.evaluate<number>("window.seenAt"));
      await shoot(page, `known-many-${part.replace(/\W+/g, "-")}`);
    }
    await open("#everybody");
    const begun = performance.now();
    await page.getByLabel("Name begins with").fill("P4242 ");
    await page.locator(".known").getByText("1 player", { exact: true }).waitFor();
    note("typed and found", performance.now() - begun);
    console.log(`${PLAYERS} players, processor ${SLOWER} times slower: ${figures.join(", ")}`);
    expect(worst.ms).toBeLessThan(SEEN_MS * BUSY);
  });
});
