import { expect } from "@jest/globals";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { CLIENT_TIMEOUTS } from "../../sidecar/kernel/http/overload/server.ts";
import { eventually, TEST_TIMEOUT_MS } from "../../test/helpers/eventually.ts";
import { Serving } from "../../test/helpers/serving.ts";
import type { Options } from "../../test/helpers/sidecar.ts";
import { ANSWERED } from "./page.ts";
import { webFiles } from "./stage.ts";
import { watch } from "./watch.ts";

// Own connections: its pages are watched.

const STEP_MS = 10_000;
/** A request that a network has swallowed is not given up by the machine's own clock, which no test moves. */
const TIMEOUTS = {
  ...CLIENT_TIMEOUTS,
  answerTimeout: TEST_TIMEOUT_MS,
  headersTimeout: TEST_TIMEOUT_MS,
  requestTimeout: TEST_TIMEOUT_MS,
};
/** Counts the chunks that a page reads from streams. */
const LISTEN = `
  window.heard = 0;
  const { read } = ReadableStreamDefaultReader.prototype;
  ReadableStreamDefaultReader.prototype.read = async function () {
    const part = await read.call(this);
    window.heard++;
    return part;
  };`;
const heard = (page: Page): Promise<number> => page.evaluate("window.heard");

/** Makes a page hidden, or visible again. */
export const hide = (page: Page, hidden: boolean): Promise<unknown> =>
  page.evaluate(
    `Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
  );

/** The web console with a sidecar and a fake pack, on a clock that the test moves. */
export class OnClock {
  readonly side = new Serving();
  /** paths that the pages have requested */
  requests: string[] = [];
  #complaints: string[] = [];
  #context: BrowserContext | undefined;
  readonly #browser: () => Browser;

  constructor(browser: () => Browser) {
    this.#browser = browser;
  }

  /** Starts the sidecar with Steve and Alex online. */
  async start(options: Options = {}, size: Parameters<Browser["newContext"]>[0] = {}): Promise<void> {
    await this.side.start({ webFiles, timeouts: TIMEOUTS, ...options }, ["Steve", "Alex"]);
    this.#context = await this.#browser().newContext(size);
    this.#context.setDefaultTimeout(TEST_TIMEOUT_MS);
  }

  /** A page of the console, on the clock of the service. */
  async open(base = this.side.base, part = ""): Promise<Page> {
    if (!this.#context) throw new Error("nothing was started");
    const page = await this.#context.newPage();
    watch(page, () => this.side.base);
    page.on("console", message => {
      if (["error", "warning"].includes(message.type())) this.#complaints.push(message.text());
    });
    page.on("pageerror", error => this.#complaints.push(error.message));
    page.on("request", request => this.requests.push(new URL(request.url()).pathname));
    await page.addInitScript(LISTEN);
    await page.clock.install({ time: this.side.clock.now() });
    await page.goto(`${base}/${part}`);
    await page.locator(".connection.open").waitFor({ state: "attached" });
    await page.locator(".state.online").waitFor();
    return page;
  }

  /**
   * Moves the clocks of the service and of a page, in steps as long as the heartbeat timeout. In each step the page's clock waits for
   * data of the stream, or it would outrun the network; not if `hasHeartbeat` is false: hidden, or in an outage.
   */
  async pass(page: Page, ms: number, hasHeartbeat = true): Promise<void> {
    // It stops at a moment that is still to come.
    await eventually(async () => page.clock.pauseAt(Number(await page.evaluate("Date.now()")) + 1_000));
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      const before = await heard(page);
      this.side.clock.advance(STEP_MS);
      await this.side.pack.snapshot("Steve", "Alex");
      if (hasHeartbeat) await eventually(async () => expect(await heard(page)).toBeGreaterThan(before));
      await page.clock.runFor(STEP_MS);
    }
    await page.clock.resume();
  }

  /** Ends everything, and fails if a page has logged an error that it does not display. */
  async end(): Promise<void> {
    await this.#context?.close();
    await this.side.stop();
    const complaints = this.#complaints.filter(line => !ANSWERED.test(line));
    this.#complaints = [];
    this.requests = [];
    expect(complaints).toEqual([]);
  }
}
