import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { consoleOf, joinAs, type PanelStage, panelOfSuite } from "./stage.ts";

// Own connections: plays a foreign website to the panel.

let stage: PanelStage;
let page: Page;

inBrowser.describe("the panel of the demo", () => {
  const open = panelOfSuite();
  const start = async (players: string[], options = {}): Promise<void> => {
    stage = await open(players);
    page = await stage.page(options);
  };

  it("shows the world beside the console, and players who join and leave on both sides", async () => {
    await start(["Steve"]);
    const site = consoleOf(page);
    await site.locator("tbody th").filter({ hasText: "Steve" }).waitFor();
    await joinAs(page, "Ari Vale");
    await site.locator("tbody th").filter({ hasText: "Ari Vale" }).waitFor();
    await page.getByText("Ari Vale joined the game").waitFor();
    expect(await page.locator(".figure .tag").allTextContents()).toEqual(["Steve", "Ari Vale"]);
    expect(await violations(page, "panel")).toEqual([]);
    // Whoever looks from one side to the other finds the same face there.
    const heads = (of: Locator): Promise<string[]> =>
      of.locator("svg.head").evaluateAll(all => all.map(one => one.innerHTML));
    const faces = await heads(site.locator("tbody"));
    expect(new Set(faces).size).toBe(2);
    expect((await heads(page.locator(".player"))).sort()).toEqual(faces.sort());
    await joinAs(page, "Steve");
    await sees(page, "Steve is online already.");
    // What was refused stays to be mended.
    expect(await page.getByLabel("Name of a new player").inputValue()).toBe("Steve");
    await page.getByRole("button", { name: "Let Steve leave" }).click();
    await page.getByText("Steve left the game").waitFor();
    await eventually(async () =>
      expect(await site.locator("tbody th").allTextContents()).toEqual(["Ari Vale"]),
    );
    await page.getByRole("button", { name: "Let Ari Vale leave" }).click();
    await sees(page, "Nobody is online. Let somebody join.");
    expect(await violations(page, "panel-nobody")).toEqual([]);
  });

  it("gives a foreign page neither its socket, its frame, nor the console's", async () => {
    await start(["Steve"]);
    const { origin } = stage.panel;
    const attacker = await pageOf(
      `<title>x</title><iframe id="a" src="${origin}/"></iframe><iframe id="b" src="${stage.stage.bridge.base}/"></iframe>`,
    );
    try {
      const foreign = await page.context().newPage();
      await foreign.goto(`http://127.0.0.1:${attacker.port}/`);
      const opened = await foreign.evaluate(
        `new Promise(resolve => {
            const socket = new WebSocket("${origin.replace("http", "ws")}/world");
            socket.onopen = () => resolve("open");
            socket.onerror = () => resolve("refused");
          })`,
      );
      expect(opened).toBe("refused");
      const read = await foreign.evaluate(
        `fetch("${origin}/panel.json").then(() => "read", () => "refused")`,
      );
      expect(read).toBe("refused");
      await isKeptOut(foreign);
      await foreign.goto(`http://localhost:${attacker.port}/`);
      await isKeptOut(foreign);
      await foreign.close();
    } finally {
      await new Promise(resolve => attacker.server.close(resolve));
    }
    expect(stage.panel.pages).toBe(1);
  });
});

/** Waits until both frames of a page show that they were refused. */
const isKeptOut = (page: Page): Promise<void> =>
  eventually(async () =>
    expect(
      await page
        .frames()
        .slice(1)
        .map(frame => frame.url().split("/")[0]),
    ).toEqual(["chrome-error:", "chrome-error:"]),
  );

/** A website of somebody else. */
async function pageOf(html: string): Promise<{ server: Server; port: number }> {
  const server = createServer((_req, res) => res.setHeader("Content-Type", "text/html").end(html));
  await new Promise<void>(resolve => server.listen(0, () => resolve()));
  return { server, port: (server.address() as AddressInfo).port };
}
