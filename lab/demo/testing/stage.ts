import { fileURLToPath } from "node:url";
import { afterEach } from "@jest/globals";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { PACK } from "../../../test/helpers/bridge.ts";
import { TOKEN } from "../../../test/helpers/sidecar.ts";
import { expectQuiet } from "../../../web/testing/page.ts";
import { Stage } from "../../../web/testing/stage.ts";
import { browserOfSuite } from "../../../web/testing/suite.ts";
import { createSimulator } from "../../simulator/simulator.ts";
import { DemoGame } from "../game.ts";
import { openPanel, type Panel } from "../panel/server.ts";
import { openPlug, type Plug } from "../plug.ts";

const built = (path: string): string => fileURLToPath(new URL(`../../../dist/${path}`, import.meta.url));

export const PLACES = {
  page: built("tools/panel"),
  client: built("client"),
  cookbook: fileURLToPath(new URL("./cookbook/", import.meta.url)),
};

/** A game without a pack, with these players, who do nothing on their own. */
export async function quietGame(...players: string[]): Promise<DemoGame> {
  const game = new DemoGame({
    create: saved => createSimulator({ pack: "", ...(saved ? { saved } : {}) }),
    castSize: 0,
    isLively: false,
  });
  await game.start();
  for (const name of players) game.join(name);
  return game;
}

/** The panel beside a sidecar and its web console, and a game whose players do nothing on their own. */
export class PanelStage {
  readonly stage: Stage;
  panel: Panel;
  readonly game: DemoGame;
  readonly plug: Plug;

  private constructor(stage: Stage, panel: Panel, game: DemoGame, plug: Plug) {
    this.stage = stage;
    this.panel = panel;
    this.game = game;
    this.plug = plug;
  }

  /** Starts everything, with these players online. */
  static async open(browser: Browser, players: string[]): Promise<PanelStage> {
    const panel = await openPanel(0);
    const env = {
      WEB_BRIDGE_MODULES_API_CORS_ORIGINS: panel.origin,
      WEB_BRIDGE_MODULES_API_LINK_FORM: "chest",
      WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1s",
      WEB_BRIDGE_MODULES_WEB_FRAME_ORIGINS: panel.origin,
    };
    // The demo runs in real time.
    const stage = await Stage.open(browser, [], { env }, 1);
    const { bridge } = stage;
    const game = new DemoGame({
      create: saved =>
        createSimulator({
          pack: PACK,
          variables: { "bridge-url": bridge.bridgeUrl },
          secrets: { "bridge-token": TOKEN },
          now: bridge.clock.now,
          ...(saved ? { saved } : {}),
        }),
      castSize: 0,
      isLively: false,
    });
    await game.start();
    for (const name of players) game.join(name);
    const made = new PanelStage(stage, panel, game, await openPlug(bridge.base));
    made.#show();
    return made;
  }

  #show(): void {
    const { complaints } = this.stage;
    const say = (line: string) => complaints.push(line);
    this.panel.show({
      game: this.game,
      service: this.plug.origin,
      unplug: this.plug.pull,
      places: PLACES,
      say,
    });
  }

  /** The panel in a page, once it shows the world. */
  async page(options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
    const page = await this.stage.page(this.panel.origin, {
      viewport: { width: 1440, height: 900 },
      ...options,
    });
    await page.locator(".controls").waitFor();
    return page;
  }

  async close(): Promise<void> {
    await this.panel.close();
    await this.game.stop();
    await this.plug.close();
    await this.stage.close();
  }
}

/** The web console in the frame of the page. */
export const consoleOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Web console"]');

/** Lets a player join in the panel. */
export async function joinAs(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name of a new player").fill(name);
  await page.getByRole("button", { name: "Join" }).click();
}

/** Sends a request to a player in the console. */
export async function askFor(page: Page, name: string): Promise<void> {
  const site = consoleOf(page);
  await site.getByRole("link", { name: "Your player" }).click();
  await site.getByLabel("Player name").fill(name);
  await site.locator(".offered").getByRole("button", { name }).waitFor();
  await site.getByRole("button", { name: "Send link request" }).click();
  await site.getByRole("dialog").getByRole("button", { name: "Send link request" }).click();
}

/** Opens a panel for each test of a suite, and closes it afterwards. The test fails if a page has logged an error. */
export function panelOfSuite(): (players: string[]) => Promise<PanelStage> {
  const browser = browserOfSuite();
  let opened: PanelStage | undefined;
  afterEach(async () => {
    const panel = opened;
    opened = undefined;
    if (!panel) return;
    try {
      expectQuiet(panel.stage, panel.panel.origin, panel.plug.origin);
    } finally {
      await panel.close();
    }
  });
  return async players => {
    opened = await PanelStage.open(browser(), players);
    return opened;
  };
}
