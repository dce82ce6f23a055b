import { afterEach, expect } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { ANSWERED, sees } from "../../web/testing/page.ts";
import { Stage } from "../../web/testing/stage.ts";
import { browserOfSuite } from "../../web/testing/suite.ts";
import type { Options } from "../helpers/sidecar.ts";
import { Website } from "./website.ts";

/** Malicious text of a player or visitor. */
export const EVIL = "<img src=x onerror=alert(1)>";
export const DARK_PHONE = { viewport: { width: 360, height: 640 }, colorScheme: "dark" } as const;

const QUICK = { WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1s" };

interface SiteOptions extends Options {
  /** host names of the website and the service for the browser: any below `.example` will do */
  host?: string;
  service?: string;
  page?: Parameters<Stage["page"]>[1];
}

/** The service, a website on another origin, and a page of the cookbook there. */
class CookbookSite {
  readonly website: Website;
  readonly stage: Stage;
  readonly page: Page;
  /** errors that a test expects the browser to log, beside error responses */
  expected: RegExp | undefined;

  private constructor(website: Website, stage: Stage, page: Page) {
    this.website = website;
    this.stage = stage;
    this.page = page;
  }

  /** Opens a page with these players online; without any, there is no game. */
  static async open(
    browser: Browser,
    name: string,
    players: string[],
    wishes: SiteOptions,
  ): Promise<CookbookSite> {
    const website = await Website.start();
    const origin = website.origin(wishes.host);
    const { service = "127.0.0.1" } = wishes;
    const env = {
      ...QUICK,
      ...wishes.env,
      WEB_BRIDGE_MODULES_API_CORS_ORIGINS: origin,
      WEB_BRIDGE_MODULES_API_HOSTS: service,
    };
    const stage = await Stage.open(browser, players, { ...wishes, env });
    website.api = stage.bridge.base.replace("127.0.0.1", service);
    const page = await stage.page(`${origin}/cookbook/${name}.html`, wishes.page);
    return new CookbookSite(website, stage, page);
  }

  async gameComes(...players: string[]): Promise<void> {
    await this.stage.pause();
    await this.stage.bridge.startGame();
    await this.stage.bridge.enter(...players);
    this.stage.run();
  }

  /** The game crashes, and the sidecar notices immediately. */
  async gameLeaves(): Promise<void> {
    await this.stage.pause();
    await this.stage.bridge.stopGame("kill");
    this.stage.bridge.clock.advance(30_000);
    this.stage.run();
  }

  async playersLeave(...names: string[]): Promise<void> {
    await this.stage.pause();
    for (const name of names) this.stage.bridge.player(name).leave();
    this.stage.run();
  }

  async serviceStops(): Promise<void> {
    await this.stage.pause();
    await this.stage.bridge.stopSidecar();
  }

  async serviceStarts(): Promise<void> {
    await this.stage.bridge.startSidecar();
    this.stage.run();
  }

  /** Width of the page in pixels. */
  width(): Promise<number> {
    return this.page.evaluate("document.documentElement.scrollWidth");
  }

  /** Stops everything and returns unexpected errors of the browser. */
  async close(): Promise<string[]> {
    await this.stage.close();
    await this.website.stop();
    return this.stage.complaints.filter(line => !ANSWERED.test(line) && !this.expected?.test(line));
  }
}

/** Online players, and options of the service and the page. */
export type PageOptions = [players?: string[], options?: SiteOptions];

/** Sends a chat message on the page. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.keyboard.press("Enter");
}

/** Opens a page of the cookbook for each test of a suite, and stops everything afterwards. Unexpected errors fail the test. */
export function siteOfSuite() {
  const browser = browserOfSuite();
  let site: CookbookSite | undefined;
  const now = (): CookbookSite => {
    if (!site) throw new Error("no page was opened");
    return site;
  };
  afterEach(async () => expect(await now().close()).toEqual([]));
  return {
    get now() {
      return now();
    },
    async open(name: string, ...[players = [], options = {}]: PageOptions): Promise<Page> {
      site = await CookbookSite.open(browser(), name, players, options);
      return site.page;
    },
    /** A page that is connected to the chat. */
    async talk(name: string, ...wishes: PageOptions): Promise<Page> {
      const page = await this.open(name, ...wishes);
      await sees(page, "Connected");
      return page;
    },
  };
}
