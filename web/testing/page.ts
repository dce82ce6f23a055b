import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../../test/helpers/eventually.ts";
import { type Stage, shoot } from "./stage.ts";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What a browser logs for failed requests, which the page reports too. */
export const ANSWERED =
  /^Failed to load resource: (the server responded with a status of (400|401|409|422|429|500|503) |net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INTERNET_DISCONNECTED|SOCKET_NOT_CONNECTED))|^WebSocket connection to 'ws:\S+' failed: (WebSocket is closed before the connection is established|.*net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INTERNET_DISCONNECTED|SOCKET_NOT_CONNECTED))/;

/** Longest wait of Playwright, in milliseconds. Within it Playwright checks every 100 ms, later every 500 ms. */
const LOOKING_MS = 2_400;

/** Waits until a text can be seen. */
export const sees = (page: Page, text: string | RegExp): Promise<void> => {
  const found = page.getByText(text).filter({ visible: true }).first();
  return eventually(() => found.waitFor({ timeout: LOOKING_MS }));
};

/** Sends a chat message. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Types a name into the form for a link request, and sends it off. */
export async function askFor(page: Page, name: string): Promise<void> {
  await page.getByLabel("Player name").fill(name);
  await page.getByRole("button", { name: "Send link request" }).click();
}

/** Has a page send a request to a player who is online, and says that this is the right one. */
export async function askForOnline(page: Page, name: string): Promise<void> {
  await page.getByLabel("Player name").fill(name);
  await page.locator(".offered").getByRole("button", { name }).waitFor();
  await page.getByRole("button", { name: "Send link request" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send link request" }).click();
}

/** Enters a key for the administration. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByLabel("Admin key").fill(key);
  await page.getByLabel("Admin key").press("Enter");
}

/** Turns off the page's time limits, for tests that hold a response back. */
export const NEVER_OVERDUE = `{
  const { setTimeout } = window;
  window.setTimeout = (call, ms, ...rest) => ms < 2_000 || ms === undefined ? setTimeout(call, ms, ...rest) : 0;
  AbortSignal.timeout = () => new AbortController().signal;
}`;

/** Holds requests that match a pattern until the returned function is called. */
export async function hold(page: Page, pattern: string | RegExp): Promise<() => void> {
  let letGo = (): void => undefined;
  const released = new Promise<void>(resolve => {
    letGo = resolve;
  });
  await page.route(pattern, async route => {
    await released;
    await route.continue();
  });
  return letGo;
}

/** Saves a picture of the page, and returns the accessibility rules that it breaks, without frames. */
export async function violations(page: Page, name: string): Promise<string[]> {
  await shoot(page, name);
  // By the debugger: the content policy blocks script elements.
  await page.evaluate(`(() => { if (!window.axe) { ${AXE} } })()`);
  return page.evaluate(
    `axe.run(document, { iframes: false }).then(({ violations }) => violations.map(one => one.id + ": " + one.nodes.map(node => node.html).join(" ")))`,
  );
}

/** Every layout shift since the page began, as the browser measures it. */
export const shifts = (page: Page): Promise<unknown[]> =>
  page.evaluate(
    `new Promise(resolve => {
       const observer = new PerformanceObserver(() => undefined);
       const drawn = () => resolve(observer.takeRecords().map(entry => ({
         value: entry.value, of: entry.sources.map(one => one.node?.outerHTML?.slice(0, 80)),
       })));
       // What the last change has moved is known once it was drawn.
       requestAnimationFrame(() => requestAnimationFrame(() => {
         observer.observe({ type: "layout-shift", buffered: true });
         drawn();
       }));
     })`,
  );

/**
 * Fails if a page has logged an error that it does not display, or has sent a request to another host.
 * @param origins allowed beside the service
 */
export function expectQuiet(stage: Stage, ...origins: string[]): void {
  expect(stage.complaints.filter(line => !ANSWERED.test(line))).toEqual([]);
  expect([...stage.origins].filter(origin => ![stage.bridge.base, ...origins].includes(origin))).toEqual([]);
}
