import { expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { hold, NEVER_OVERDUE, POLLED, sees, shifts } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const BUDGET_BYTES = 80 * 1024;

inBrowser.describe("loading the console", () => {
  const onStage = stagesOfSuite();

  it("leaves nothing in the browser's own log on a first visit, and begins one session", async () => {
    await onStage(["Steve"]);
    for (const part of ["", "#chat", "#whitelist"])
      await (await stage.page(part)).locator(".state.online").waitFor();
    const page = await stage.page("about:blank");
    const begun: string[] = [];
    page.on("response", response => {
      if (response.url().endsWith("/initialize")) begun.push(response.url());
    });
    await page.goto(stage.bridge.base);
    await page.getByRole("link", { name: "Your player" }).click();
    await sees(page, "Not linked");
    expect(begun).toHaveLength(1);
    expect(stage.complaints).toEqual([]);
  });

  it("takes at most 80 KB over the network, all of it from the service, and a second visit next to nothing", async () => {
    const page = await (await onStage(["Steve", "Alex"])).page("");
    const session = await page.context().newCDPSession(page);
    let bytes = 0;
    const asked = new Set<string>();
    /** requests for what was asked for before, and may be any number of times */
    const again = new Set<string>();
    await session.send("Network.enable");
    session.on("Network.requestWillBeSent", ({ requestId, request }) => {
      const { pathname } = new URL(request.url);
      if (asked.has(pathname) && POLLED.test(pathname)) again.add(requestId);
      asked.add(pathname);
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (!again.has(requestId)) bytes += encodedDataLength;
    });
    const visit = async (): Promise<number> => {
      bytes = 0;
      asked.clear();
      await page.reload();
      await page.locator(".state.online").waitFor();
      await page.locator(".connection.open").waitFor();
      return bytes;
    };
    await session.send("Network.clearBrowserCache");
    const first = await visit();
    expect(first).toBeGreaterThan(20_000);
    expect(first).toBeLessThanOrEqual(BUDGET_BYTES);
    expect(await visit()).toBeLessThan(first / 5);
    console.log(`the console takes ${(first / 1024).toFixed(1)} KB over the network`);
  });

  it("paints before the game has answered", async () => {
    const page = await (await onStage(["Steve"])).page("");
    await page.addInitScript(NEVER_OVERDUE);
    const letGo = await hold(page, "**/status");
    await page.reload();
    await page.getByRole("heading", { name: "Game server" }).waitFor();
    // The game's figures are still held back, however long the paint takes to be noted.
    await eventually(async () =>
      expect(await page.evaluate(`performance.getEntriesByName("first-contentful-paint").length`)).toBe(1),
    );
    letGo();
    await page.locator(".state.online").waitFor();
    expect(await shifts(page)).toEqual([]);
  });
});
