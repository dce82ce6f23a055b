import { once } from "node:events";
import { createServer } from "node:http";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/**
 * Suggestions of the address bar, each in its own page in every window, cost more than most tests. Chromium
 * uses only one such flag, so this repeats the features that Playwright turns off and that these tests could use.
 */
const WITHOUT = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];
const FLAGS = [
  // Host names for websites and services on different domains. They do not exist elsewhere.
  "--host-resolver-rules=MAP *.example 127.0.0.1",
  `--disable-features=${WITHOUT}`,
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** @type {ReturnType<typeof launch> | undefined} */
let browser;
const server = createServer((_request, response) => {
  browser ??= launch();
  browser.then(
    running => response.end(running.wsEndpoint()),
    error => response.writeHead(500).end(String(error)),
  );
});

async function launch() {
  const { chromium } = await import("playwright-core");
  return chromium.launchServer({
    executablePath: CHROMIUM,
    args: FLAGS,
    // A listener would keep the run alive; the browser ends when its pipe is closed.
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** All tests of a run share one browser, which starts when the first test requests its address from ONE_BROWSER. */
export default async function start() {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address === "object") process.env.ONE_BROWSER = `http://127.0.0.1:${address?.port}`;
}

export async function stop() {
  server.close();
  await browser?.then(running => running.close());
}
