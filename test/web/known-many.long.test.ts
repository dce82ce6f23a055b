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

// Own connections: counts what a page asks for and draws. How long a page of these takes the sidecar stands in the bench.

const PLAYERS = 100_000;
/** Rows of one page of a list. */
const ROWS = 50;
/** Bytes of all that is asked for of the players for one view, not packed. */
const BYTES = 40_000;

inBrowser.describe("100,000 players who have been here", () => {
  let side: TestSidecar;
  let known: KnownStore & { close(): Promise<void> };
  let page: Page;
  const browser = browserOfSuite();
  afterEach(async () => {
    await page?.context().close();
    await side?.stop();
    await known?.close();
  });

  it("are asked for and drawn a page at a time, in each view and order, and a name is found among them", async () => {
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

    const context = await browser().newContext({ viewport: { width: 390, height: 844 } });
    page = await context.newPage();
    const answers: Promise<Buffer>[] = [];
    page.on("response", response => {
      if (response.url().includes("/known-players")) answers.push(response.body());
    });
    const seen = async (part: string): Promise<{ rows: number; bytes: number }> => {
      await page.goto("about:blank");
      answers.length = 0;
      await page.goto(`${side.base}/${part}`);
      await page.locator(".known-list li, .player-card").first().waitFor();
      await page.waitForLoadState("load");
      await shoot(page, `known-many-${part.replace(/\W+/g, "-")}`);
      const bodies = await Promise.all(answers);
      return { rows: await page.locator(".known-list li").count(), bytes: Buffer.concat(bodies).length };
    };
    for (const part of ["#fame", "#fame/kills", "#everybody", "#everybody/name/p123"]) {
      const { rows, bytes } = await seen(part);
      expect({ part, rows }).toEqual({ part, rows: ROWS });
      expect(bytes).toBeGreaterThan(ROWS * 100);
      expect(bytes).toBeLessThan(BYTES);
    }
    expect((await seen(`#player/${uuidOf(77)}`)).rows).toBe(0);
    await seen("#everybody");
    await page.getByLabel("Name begins with").fill("P4242 ");
    await page.locator(".known").getByText("1 player", { exact: true }).waitFor();
    expect(await page.locator(".known-list bdi").allTextContents()).toEqual(["P4242 of many"]);
  });
});
