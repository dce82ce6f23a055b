import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { consoleOf, joinAs, type PanelStage, panelOfSuite, rowOf, sayAs } from "./stage.ts";

// Own connections: plays a foreign website to the panel.

let stage: PanelStage;
let page: Page;

/** Colours of the stretches of the last lines of a chat, without those that have none. */
const COLOURS = `[...document.querySelectorAll(".log bdi")].map(one => one.style.color).filter(one => one !== "")`;

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

  describe("at length", () => {
    it("has players fight until one is dead and comes back, and the console counts it", async () => {
      await start(["Steve", "Alex"]);
      await page.getByRole("button", { name: "Let Steve fight" }).click();
      expect(await violations(page, "panel-opponents")).toEqual([]);
      await rowOf(page, "Whom does Steve attack?").getByRole("button", { name: "Alex", exact: true }).click();
      await rowOf(page, "Alex").getByText("fights").waitFor();
      await page.getByText("Alex was slain by Steve").waitFor();
      await rowOf(page, "Alex").getByText("dead").waitFor();
      expect(await page.getByRole("button", { name: "Let Alex die" }).isDisabled()).toBe(true);
      expect(await violations(page, "panel-fight")).toEqual([]);
      await rowOf(page, "Alex").getByText("health 20 of 20").waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Let Steve die" }).click();
      await page.getByText("Steve fell from a high place").waitFor();
      const kills = consoleOf(page).locator("tbody tr").filter({ hasText: "Steve" }).locator("td");
      await eventually(async () =>
        expect(await kills.allTextContents()).toEqual(expect.arrayContaining(["1"])),
      );
    });

    it("chats both ways in colours, and shows whatever is sent as text", async () => {
      await start(["Steve", "<img src=x onerror=alert(1)>"]);
      const site = consoleOf(page);
      await site.getByRole("link", { name: "Chat" }).click();
      await site.getByText("Connected").waitFor();
      const evil = '§ahi <img src=x onerror="alert(1)">\u202edlrow';
      const bubble = page.locator(".bubble").first().waitFor();
      await sayAs(page, "Steve", evil);
      await bubble;
      await sayAs(page, "<img src=x onerror=alert(1)>", `${"§".repeat(200)}${"§4".repeat(100)}deep`);
      await site.getByText('hi <img src=x onerror="alert(1)">dlrow').waitFor();
      await site.getByText("deep").waitFor();
      await page.locator(".log").getByText("deep").waitFor();
      const colours = (await page.evaluate(COLOURS)) as string[];
      expect(colours).toContain("rgb(85, 255, 85)");
      expect(await page.locator(".log bdi").count()).toBeLessThan(12);
      await site.getByLabel("Message").fill("§cfrom <i>the web</i>\u202e");
      await site.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByText("from <i>the web</i>").waitFor();
      expect(await page.locator(".map img, .log img, .log i, .player img").count()).toBe(0);
      expect(await page.locator("body").textContent()).not.toContain("\u202e");
      expect(await violations(page, "panel-chat")).toEqual([]);
    });
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
