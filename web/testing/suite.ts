import { afterAll, afterEach, beforeAll } from "@jest/globals";
import type { Browser } from "playwright-core";
import { OnClock } from "./on-clock.ts";
import { expectQuiet } from "./page.ts";
import { openBrowser, Stage } from "./stage.ts";

type Opening = Parameters<typeof Stage.open> extends [Browser, ...infer Rest] ? Rest : never;

/** The browser that all tests share, there while the tests of a suite run. */
export function browserOfSuite(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error("the tests have not begun");
    return browser;
  };
}

/** The stage opened last. */
export let stage: Stage;

/**
 * Opens stages for the tests of a suite. After each test its stages end, and it fails if a page has logged an error that
 * it does not display.
 */
export function stagesOfSuite(): (...of: Opening) => Promise<Stage> {
  const browser = browserOfSuite();
  const open: Stage[] = [];
  afterEach(async () => {
    const ended = open.splice(0);
    try {
      for (const stage of ended) expectQuiet(stage);
    } finally {
      for (const stage of ended) await stage.close();
    }
  });
  return async (...of) => {
    stage = await Stage.open(browser(), ...of);
    open.push(stage);
    return stage;
  };
}

/** What the sidecar has logged of requests that it rejected for their key. */
export const rejectedRequests = (): string[] =>
  (stage.bridge.side?.log.of("warn") ?? [])
    .map(({ message }) => message)
    .filter(message => message.startsWith("Rejected a request"));

/** The web console on a clock, started by each test of a suite and ended after it. */
export function clockOfSuite(): OnClock {
  const tab = new OnClock(browserOfSuite());
  afterEach(() => tab.end());
  return tab;
}
