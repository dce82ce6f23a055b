import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import type { Browser, Locator, Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { expectQuiet, sees, violations } from "../web/page.ts";
import { inBrowser, openBrowser } from "../web/stage.ts";
import { consoleOf, joinAs, PanelStage, rowOf, sayAs } from "./stage.ts";

// Own connections: plays a foreign website to the panel.

let browser: Browser;
let stage: PanelStage;
let page: Page;

const start = async (players: string[], options = {}): Promise<void> => {
  stage = await PanelStage.open(browser, players);
  page = await stage.page(options);
};
/** Colours of the stretches of the last lines of a chat, without those that have none. */
const COLOURS = `[...document.querySelectorAll(".log bdi")].map(one => one.style.color).filter(one => one !== "")`;

/** Asks for Steve in a session of its own, from a page of the service. */
const ASK_STEVE = `fetch("/initialize").then(() => fetch("/link-player", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ username: "Steve" }),
})).then(answer => answer.status)`;
/** Hearts and notes of players that reach into the buttons of the row. */
const COVERED = `[...document.querySelectorAll(".player")].flatMap(row => {
  const deeds = row.querySelector(".deeds").getBoundingClientRect();
  return [...row.querySelectorAll(".hearts, .note")].filter(one => {
    const box = one.getBoundingClientRect();
    return box.right > deeds.left && box.left < deeds.right && box.bottom > deeds.top && box.top < deeds.bottom;
  }).map(one => row.textContent + ": " + one.className);
})`;

inBrowser.describe("the panel of the demo", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    expectQuiet(stage.stage, stage.panel.origin, stage.plug.origin);
    await stage.close();
  });
  afterAll(() => browser.close());

  it("lets the keyboard go past the world to the website", async () => {
    await start(["Steve"]);
    await sees(page, "Steve joined the game");
    await page.keyboard.press("Tab");
    await sees(page, "Skip to the website");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Web console");
  });

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

  it("makes the world lag, which the console tells", async () => {
    await start(["Steve"]);
    await page.getByRole("slider", { name: "Speed" }).fill("5");
    await sees(page, "5.0 tps");
    await eventually(() => expect(stage.game.tps).toBe(5));
    await eventually(async () =>
      expect(await consoleOf(page).locator("dd strong").first().textContent()).not.toBe("20.0"),
    );
    expect(await violations(page, "panel-lag")).toEqual([]);
  });

  it("stops the game server and starts it again, with whoever was there", async () => {
    await start(["Steve", "Alex"]);
    await consoleOf(page).getByText("Online", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Stop the game server" }).click();
    await sees(page, "The game server is stopped");
    await sees(page, "Nobody is online while the game server is stopped.");
    expect(await page.getByRole("button", { name: "Join" }).isDisabled()).toBe(true);
    expect(await violations(page, "panel-off")).toEqual([]);
    stage.stage.bridge.clock.advance(30_000);
    await consoleOf(page).getByText("The game server is away").first().waitFor();
    await page.getByRole("button", { name: "Start the game server" }).click();
    await rowOf(page, "Alex").waitFor();
    await consoleOf(page).getByText("Online", { exact: true }).first().waitFor();
  });

  it("chats both ways in colours, and shows whatever is sent as text", async () => {
    await start(["Steve", "<img src=x onerror=alert(1)>"]);
    const site = consoleOf(page);
    await site.getByRole("link", { name: "Chat" }).click();
    await site.getByText("Connected").waitFor();
    const evil = '§ahi <img src=x onerror="alert(1)">\u202edlrow';
    await sayAs(page, "Steve", evil);
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
    await eventually(async () => expect(await page.locator(".bubble").count()).toBeGreaterThan(0));
    expect(await page.locator("body").textContent()).not.toContain("\u202e");
    expect(await violations(page, "panel-chat")).toEqual([]);
  });

  it("takes the connections of the website away for ten seconds, after which it shows what it missed once", async () => {
    await start(["Steve"]);
    const site = consoleOf(page);
    await site.getByRole("link", { name: "Chat" }).click();
    await site.getByText("Connected").waitFor();
    await sayAs(page, "Steve", "one");
    await site.getByText("Steve: one").waitFor();
    await page.getByRole("button", { name: "Pull the plug for 10 s" }).click();
    await page.getByRole("button", { name: /^Without a connection for \d+ s$/ }).waitFor();
    await site.getByText("Connection lost.").waitFor();
    await sayAs(page, "Steve", "two");
    await joinAs(page, "Ari Vale");
    expect(await violations(page, "panel-unplugged")).toEqual([]);
    await site.getByText("Ari Vale joined").waitFor();
    await site.getByText("Connected").waitFor();
    await sayAs(page, "Steve", "three");
    await site.getByText("Steve: three").waitFor();
    const lines = await site.locator(".log li p").allTextContents();
    expect(lines.slice(-4)).toEqual(["Steve: one", "Steve: two", "Ari Vale joined", "Steve: three"]);
    expect(await page.getByRole("button", { name: "Pull the plug for 10 s" }).isEnabled()).toBe(true);
  });

  it("shows a page of the cookbook in a tab, which talks to the sidecar of the demo", async () => {
    await start(["Steve"]);
    await page.getByRole("tab", { name: "Web console" }).press("ArrowRight");
    const recipe = page.frameLocator('iframe[title="Chat & colours"]');
    await recipe.getByText("Chat 200").waitFor();
    await recipe.getByText("open").waitFor();
    await sayAs(page, "Steve", "hello recipe");
    await recipe.getByText("<Steve> hello recipe").waitFor();
    expect(await violations(page, "panel-cookbook")).toEqual([]);
    await page.getByRole("tab", { name: "Chat & colours" }).press("ArrowRight");
    await consoleOf(page).getByText("Online", { exact: true }).first().waitFor();
  });

  it("comes back by itself after the demo has been away", async () => {
    await start(["Steve"]);
    await stage.panel.close();
    await sees(page, "The demo does not answer");
    expect(await violations(page, "panel-lost")).toEqual([]);
    stage.game.lag(10);
    await stage.reopen();
    await sees(page, "10.0 tps");
  });

  it.each(["light", "dark"] as const)("fits a phone, one half at a time, in %s", async colorScheme => {
    await start(["Steve", "Alex"], { viewport: { width: 390, height: 844 }, colorScheme });
    await rowOf(page, "Alex").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await violations(page, `panel-phone-${colorScheme}`)).toEqual([]);
    await page.getByRole("button", { name: "Web" }).click();
    await consoleOf(page).getByText("Online", { exact: true }).first().waitFor();
    expect(await rowOf(page, "Alex").isVisible()).toBe(false);
    expect(await violations(page, `panel-phone-web-${colorScheme}`)).toEqual([]);
    await consoleOf(page).getByRole("link", { name: "Your player" }).click();
    await consoleOf(page).getByLabel("Player name").fill("Alex");
    await consoleOf(page).getByRole("button", { name: /^Ask/ }).click();
    await page.getByRole("button", { name: "World 1" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await violations(page, `panel-phone-chest-${colorScheme}`)).toEqual([]);
  });

  it.each([
    [1280, 800],
    [1024, 768],
    [390, 844],
  ])(
    "has every note of a player beside the buttons and nothing below the page at %i by %i",
    async (width, height) => {
      const names = ["Steve", "Alex", "Noor", "Ari Vale", "Bob", "Kim", "Lou", "Max", "Nia", "Oli"];
      await start(names, { viewport: { width, height } });
      const asked = await page.context().newPage();
      await asked.goto(stage.stage.bridge.base);
      await asked.evaluate(ASK_STEVE);
      await asked.close();
      await rowOf(page, "Steve").getByText("is asked").waitFor();
      await page.getByRole("button", { name: "Let Steve be busy" }).click();
      await rowOf(page, "Steve").getByText("another screen is open").waitFor();
      expect(await page.evaluate(COVERED)).toEqual([]);
      const room = "document.documentElement.scrollHeight - innerHeight";
      expect(await page.evaluate(room)).toBe(0);
      expect(await violations(page, `panel-rows-${width}`)).toEqual([]);
    },
  );

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
