import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { readWebFiles } from "../../sidecar/features/console/web-files.ts";
import { TestBridge } from "../../test/helpers/bridge.ts";
import { TEST_TIMEOUT_MS } from "../../test/helpers/eventually.ts";
import { needs } from "../../test/helpers/needs.ts";
import type { Options } from "../../test/helpers/sidecar.ts";
import { CHROMIUM } from "../../test/jest/one-browser.mjs";
import { watch } from "./watch.ts";

// Own connections: its pages are watched.

/** The built console, as the built sidecar reads it. */
export const webFiles = readWebFiles(new URL("../../dist/sidecar/main.js", import.meta.url).href);

/** Tests in a browser, on what has been built. */
export const inBrowser = existsSync(CHROMIUM)
  ? needs("npm run build", webFiles.length > 0)
  : needs(`a browser at ${CHROMIUM} (CHROMIUM names another one)`, false);

declare global {
  /** Set by `environment.mjs` for each file. */
  var loadPlaywright: () => Promise<typeof import("playwright-core")>;
}

/** The browser that all tests share; what a test opens in it goes when the test closes it. */
export async function openBrowser(): Promise<Browser> {
  const answer = await fetch(process.env.ONE_BROWSER ?? "");
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const { chromium } = await loadPlaywright();
  return chromium.connect(text);
}

const SHOTS = fileURLToPath(new URL("../../test-artefacts/", import.meta.url));

/** Saves a picture of the page in `test-artefacts/<name>.png`. */
export async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${SHOTS}${name}.png`, animations: "disabled" });
}

const TICK_MS = 50;
const MAX_BEHIND_MS = 1_000;
/** How many times faster than in real life time goes for the sidecar, the game and the pages. */
const SPEED = 3;

/** Speeds up a page's clock and timers from a moment on. */
const hurry = (since: number, speed: number): string => `{
  const { now } = Date;
  Date.now = () => ${since} + (now() - ${since}) * ${speed};
  for (const name of ["setTimeout", "setInterval"]) {
    const real = window[name];
    window[name] = (callback, ms, ...rest) => real(callback, ms / ${speed}, ...rest);
  }
}`;

/** A bridge on a running clock, and browser pages whose errors and warnings are recorded. */
export class Stage {
  readonly bridge: TestBridge;
  readonly speed: number;
  /** errors and warnings of the console, reports of the content policy, and uncaught errors */
  readonly complaints: string[] = [];
  /** origins that a page has sent requests to */
  readonly origins = new Set<string>();
  readonly #contexts: BrowserContext[] = [];
  readonly #watches: (() => Promise<void>)[] = [];
  readonly #browser: Browser;
  readonly #opened = Date.now();
  #ticking: Promise<void> | undefined;
  #stopped = false;

  constructor(browser: Browser, options: Options = {}, speed = SPEED) {
    this.#browser = browser;
    this.speed = speed;
    this.bridge = new TestBridge({ ...options, webFiles });
  }

  /** Starts the sidecar, and the game with these players unless there are none. */
  static async open(
    browser: Browser,
    players: string[] = [],
    options: Options = {},
    speed = SPEED,
  ): Promise<Stage> {
    const stage = new Stage(browser, options, speed);
    await stage.bridge.startSidecar();
    if (players.length > 0) {
      await stage.bridge.startGame();
      await stage.bridge.enter(...players);
    }
    stage.run();
    return stage;
  }

  /** Runs game and clock. */
  run(): void {
    this.#stopped = false;
    const step = async (): Promise<void> => {
      let due = performance.now();
      while (!this.#stopped) {
        await this.bridge.tick();
        const now = performance.now();
        // The clock of the pages does not wait for a tick that is late.
        due = Math.max(due + TICK_MS / this.speed, now - MAX_BEHIND_MS);
        await new Promise(resolve => setTimeout(resolve, Math.max(0, due - now)));
      }
    };
    this.#ticking = step();
  }

  /** Pauses game and clock, so that a test can move them. */
  async pause(): Promise<void> {
    this.#stopped = true;
    await this.#ticking;
  }

  /**
   * A page in its own browser profile, or in that of another page.
   * @param part path after the address of the console, or a complete address
   */
  async page(part = "", options: Parameters<Browser["newContext"]>[0] = {}, beside?: Page): Promise<Page> {
    const context = beside?.context() ?? (await this.#browser.newContext(options));
    if (!beside) this.#contexts.push(context);
    context.setDefaultTimeout(TEST_TIMEOUT_MS);
    const page = await context.newPage();
    if (this.speed !== 1) await page.addInitScript(hurry(this.#opened, this.speed));
    this.#watches.push(watch(page, () => this.bridge.base));
    page.on("console", message => {
      if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", error => this.complaints.push(error.message));
    page.on("request", request => this.origins.add(new URL(request.url()).origin));
    await page.goto(new URL(part, `${this.bridge.base}/`).href);
    return page;
  }

  async close(): Promise<void> {
    await this.pause();
    for (const read of this.#watches) await read();
    for (const context of this.#contexts) await context.close();
    await this.bridge.stop();
  }
}
