import { afterEach, expect } from "@jest/globals";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { freePort } from "../../cli/free-port.ts";
import { formOf } from "../../test/helpers/browser.ts";
import { TEST_TIMEOUT_MS } from "../../test/helpers/eventually.ts";
import { Stage } from "./stage.ts";
import { browserOfSuite } from "./suite.ts";

// Own connections: a browser that goes from site to site.

/** A site that may ask, as the configuration has it. */
export interface Site {
  id: string;
  name: string;
  "redirect-uris": string[];
  "secret-sha256"?: string;
}

/** The service, the game and visitors for each test of a suite, which complain of nothing. */
export function signInsOfSuite() {
  const browser = browserOfSuite();
  let stage: Stage | undefined;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const now = (): Stage => {
    if (!stage) throw new Error("nothing was opened");
    return stage;
  };
  afterEach(async () => {
    for (const each of contexts.splice(0)) await each.close();
    await now().close();
    // What a browser notes when an answer is an error, and of a frame that may not be: the pages say so too.
    const unheard = complaints
      .splice(0)
      .filter(line => !/Failed to load resource|frame-ancestors/.test(line));
    expect(unheard).toEqual([]);
  });
  return {
    get stage() {
      return now();
    },
    /** Opens a service that these sites may ask; its address is on another site than theirs on `localhost`. */
    async open(clients: Site[]): Promise<string> {
      const port = await freePort();
      const issuer = `http://127.0.0.1:${port}`;
      const yaml = JSON.stringify({
        "sign-in": { enabled: true, issuer, clients },
        modules: { web: { title: "Oak & Stone" } },
      });
      stage = await Stage.open(browser(), ["Steve"], { yaml, publicPort: port });
      return issuer;
    },
    /** A page in its own browser profile. */
    async visitor(options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
      const context = await browser().newContext(options);
      contexts.push(context);
      context.setDefaultTimeout(TEST_TIMEOUT_MS);
      const page = await context.newPage();
      page.on("pageerror", error => complaints.push(error.message));
      page.on("console", message => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      return page;
    },
    /** Answers the form of a player, which names the site; what it says. */
    async answerForm(answer: number, name = "Steve", site = "Example Forum"): Promise<string> {
      const player = now().bridge.player(name);
      const form = JSON.stringify(await formOf(now().bridge, player));
      expect(form).toContain(site);
      player.answer(answer);
      return form;
    },
  };
}
