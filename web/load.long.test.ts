import { expect, it } from "@jest/globals";
import { eventually } from "../test/helpers/eventually.ts";
import { hold, NEVER_OVERDUE, say, sees, shifts } from "./testing/page.ts";
import { inBrowser } from "./testing/stage.ts";
import { stage, stagesOfSuite } from "./testing/suite.ts";

inBrowser.describe("loading the web console", () => {
  const onStage = stagesOfSuite();

  it("logs nothing in the browser on a first visit, and begins one session", async () => {
    await onStage(["Steve"]);
    for (const part of ["", "#chat", "#administration"])
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

  it("shows content before the game server's figures arrive", async () => {
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

  it("says that the server cannot be reached, and starts as soon as it can", async () => {
    const page = await (await onStage(["Steve"])).page();
    // A request that vanishes, as in a network that is gone.
    const letGo = await hold(page, "**/console.json");
    await page.reload();
    await sees(page, "Loading…");
    await sees(page, /^Can't reach the server\. The connection was lost\./);
    await page.evaluate(NEVER_OVERDUE);
    letGo();
    await sees(page, "20.0");
    expect(await page.locator(".not-yet").count()).toBe(0);
    expect(await shifts(page)).toEqual([]);
  });

  it("works in a browser without storage", async () => {
    const page = await (await onStage(["Steve"])).page();
    await page.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } })`);
    await page.reload();
    await sees(page, "20.0");
    await sees(page, "Connected");
    await say(page, "hello");
    await sees(page, "You: hello");
    await page.getByLabel("Language").selectOption({ label: "Deutsch" });
    await sees(page, "Ticks pro Sekunde");
  });
});
