import { afterEach, describe, expect, it } from "@jest/globals";
import type { Locator, Page, Route } from "playwright-core";
import { answerForm } from "../../lab/simulator/cast.ts";
import type { Simulator } from "../../lab/simulator/simulator.ts";
import { eventually } from "../helpers/runner.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { endGames, startGame, YAML } from "./network.ts";
import { POLLED, sees, shifts, violations } from "./page.ts";
import { inBrowser, type Stage } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const PHONE = { viewport: { width: 320, height: 640 } };

const tab = (page: Page, name: string | RegExp): Locator => page.getByRole("tab", { name });
const shows = (page: Page, ...names: string[]): Promise<void> =>
  eventually(async () => expect(await page.locator("tbody th").allTextContents()).toEqual(names));
const chosen = (page: Page): Promise<string | null> =>
  page.locator("[role=tab][aria-selected=true] .title").textContent();
const nameIn = (page: Page): string | null => new URL(page.url()).searchParams.get("server");

inBrowser.describe("the web console, with several game servers", () => {
  const onStage = stagesOfSuite();
  afterEach(endGames);

  /** Three of them: Steve on the first one, Alex and Noor on the second, and nobody runs the third. */
  async function start(): Promise<Stage> {
    await onStage(["Steve"], { yaml: YAML });
    lobby = await startGame(stage, "lobby", "Alex", "Noor");
    return stage;
  }
  let lobby: Simulator;

  it("has a tab for each with its state and players, and shows the figures and players of the one chosen", async () => {
    const page = await (await start()).page();
    await shows(page, "Steve");
    await tab(page, /^The lobby 2 players$/).waitFor();
    expect(await page.locator("[role=tab]").allInnerTexts()).toEqual([
      "Survival\n1 player",
      "The lobby\n2 players",
      "creative\naway",
    ]);
    expect(nameIn(page)).toBeNull();
    expect(await violations(page, "servers")).toEqual([]);
    await tab(page, "The lobby").click();
    await shows(page, "Alex", "Noor");
    expect(await page.getByText("of 100", { exact: true }).count()).toBe(1);
    await sees(page, "lobby.example.com");
    expect(await page.title()).toBe("The lobby – Game server");
    expect(await violations(page, "servers-second")).toEqual([]);
    await tab(page, "creative").click();
    await sees(page, /^It is not running/);
    expect(await page.locator("dd strong").first().textContent()).toBe("–");
    expect(await violations(page, "servers-away")).toEqual([]);
    await tab(page, "Survival").click();
    await shows(page, "Steve");
  });

  it("has the choice in its address, which outlives loading it again, can be shared, and may name none that is there", async () => {
    const page = await (await start()).page("?some=thing");
    await shows(page, "Steve");
    await tab(page, "The lobby").click();
    await shows(page, "Alex", "Noor");
    expect(new URL(page.url()).search).toBe("?some=thing&server=lobby");
    await page.getByRole("link", { name: "Your player" }).click();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.reload();
    await shows(page, "Alex", "Noor");
    const shared = await stage.page(new URL(page.url()).search);
    await shows(shared, "Alex", "Noor");
    expect(await shifts(shared)).toEqual([]);
    for (const name of ["nether", "", "%22%3E%3Cimg"]) {
      const unknown = await stage.page(`?server=${name}`);
      await shows(unknown, "Steve");
      expect(await chosen(unknown)).toBe("Survival");
    }
  });

  it("reads and changes the whitelist of the one chosen, with the same key", async () => {
    const page = await (await start()).page("#whitelist");
    await page.getByLabel("Admin key").fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await page.getByLabel("Name to add").fill("Herobrine");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "Herobrine is on the whitelist.");
    await tab(page, "The lobby").click();
    await sees(page, "No name is on the whitelist.");
    await page.getByText("Herobrine is on the whitelist.").waitFor({ state: "detached" });
    await page.getByLabel("Name to add").fill("Notch");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "Notch is on the whitelist.");
    expect(await violations(page, "servers-whitelist")).toEqual([]);
    await tab(page, "Survival").click();
    await eventually(async () =>
      expect(await page.locator(".names bdi").allTextContents()).toEqual(["Herobrine"]),
    );
    expect(stage.bridge.world.allowList.names).toEqual(["Herobrine"]);
  });

  describe("at length", () => {
    it("goes on to show what happens on the one chosen, and that it has gone, in its tab as well", async () => {
      const page = await (await start()).page("?server=lobby");
      await shows(page, "Alex", "Noor");
      await stage.pause();
      endGames();
      stage.bridge.clock.advance(30_000);
      stage.run();
      await sees(page, /^It is not running/);
      await tab(page, /^The lobby away$/).waitFor();
      await startGame(stage, "lobby", "Zuri");
      await shows(page, "Zuri");
      await tab(page, /^The lobby 1 player$/).waitFor();
    });

    it.each<[string, (route: Route) => Promise<void>]>([
      ["late", route => route.continue()],
      ["never", route => route.abort("connectionreset")],
    ])(
      "shows the one chosen, though its players are told first and its figures are answered %s",
      async (_, end) => {
        const page = await (await start()).page();
        await shows(page, "Steve");
        await tab(page, "The lobby").click();
        await shows(page, "Alex", "Noor");
        const ofFirst = /^http:\/\/[^/]+\/status$/;
        // What does not change is told once, and was before: of the two, players alone come by themselves.
        const told = `new Promise(resolve => {
        let heard = 0;
        new EventSource("events?types=players").addEventListener("players", () => ++heard === 3 && resolve());
      })`;
        // The test may be through before the answer is: then there is no page any more.
        const answer = (route: Route): Promise<void> =>
          page.evaluate(told).then(
            () => end(route),
            () => undefined,
          );
        await page.route(ofFirst, answer, { times: 1 });
        await tab(page, "Survival").click();
        await shows(page, "Steve");
      },
    );

    it("leads from tab to tab with arrows, Home and End, and chooses with Enter alone", async () => {
      const page = await (await start()).page();
      await shows(page, "Steve");
      const focused = (): Promise<string> => page.evaluate("document.activeElement.id");
      await tab(page, "Survival").focus();
      const way = ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End", "ArrowLeft"];
      const seen: string[] = [];
      for (const key of way) {
        await page.keyboard.press(key);
        seen.push((await focused()).replace("server-", ""));
      }
      expect(seen).toEqual(["lobby", "creative", "survival", "creative", "survival", "creative", "lobby"]);
      expect(nameIn(page)).toBeNull();
      await page.keyboard.press("Enter");
      await shows(page, "Alex", "Noor");
      expect(await focused()).toBe("server-lobby");
      expect(await page.locator("[role=tab][tabindex='0']").count()).toBe(1);
    });

    it("marks lines with their server, shows those of one alone where that is wanted, and speaks to it alone", async () => {
      const page = await (await start()).page();
      await sees(page, "Connected");
      const creative = await startGame(stage, "creative", "Zuri");
      creative.world.players[0]?.say("who builds?");
      stage.bridge.player("Steve").say("who fights?");
      const marks = page.locator(".log .game .server");
      await eventually(async () =>
        expect((await marks.allTextContents()).sort()).toEqual(["Survival", "creative"]),
      );
      await page.getByLabel("Whose chat").selectOption({ label: "creative" });
      expect(await chosen(page)).toBe("creative");
      await eventually(async () => expect(await page.getByText("who fights?").count()).toBe(0));
      await sees(page, "who builds?");
      expect(await marks.count()).toBe(0);
      await sees(page, "Connected");
      await page.getByPlaceholder("Write to creative").fill("I do");
      await page.keyboard.press("Enter");
      await eventually(() => expect(creative.world.players[0]?.chat.at(-1)).toContain("I do"));
      expect(stage.bridge.player("Steve").chat.join()).not.toContain("I do");
      await page.getByLabel("Whose chat").selectOption({ label: "All game servers" });
      await sees(page, "Connected");
      await page.getByPlaceholder("Write to all").fill("good night");
      await page.keyboard.press("Enter");
      await eventually(() => {
        expect(creative.world.players[0]?.chat.at(-1)).toContain("good night");
        expect(stage.bridge.player("Steve").chat.at(-1)).toContain("good night");
      });
      await sees(page, "who fights?");
    });

    it("counts as unread what is shown of the server that was chosen in the chat, and nothing of others", async () => {
      const page = await (await start()).page("?server=creative#chat", PHONE);
      await page.getByLabel("Whose chat").selectOption({ label: "The lobby" });
      expect(nameIn(page)).toBe("lobby");
      await sees(page, "Connected");
      await page.getByRole("link", { name: "Overview" }).click();
      await shows(page, "Alex", "Noor");
      stage.bridge.player("Steve").say("who fights?");
      await eventually(async () =>
        expect((await stage.bridge.ask("/events?format=json")).text).toContain("who fights?"),
      );
      lobby.world.find("Alex")?.say("who comes?");
      // The feed is in order: what is counted with this line is counted with all before it.
      await page.locator(".log").getByText("who comes?").waitFor({ state: "attached" });
      await eventually(async () => expect(await page.title()).toMatch(/^\(/));
      expect(await page.title()).toBe("(1) The lobby – Game server");
      await page.getByRole("link", { name: /Chat/ }).click();
      await sees(page, "who comes?");
      expect(await page.getByText("who fights?").count()).toBe(0);
      await page.getByLabel("Whose chat").selectOption({ label: "All game servers" });
      await sees(page, "who fights?");
    });

    it("asks a player on whichever server she is, and offers those of all", async () => {
      const page = await (await start()).page("#you");
      await page.getByRole("button", { name: "Alex" }).waitFor();
      await page.getByRole("button", { name: "Steve" }).waitFor();
      await page.getByRole("button", { name: "Alex" }).click();
      await sees(page, "Alex sees a question in the game now.");
      const alex = lobby.world.find("Alex");
      await eventually(() => expect(alex?.form).toBeDefined());
      if (alex) answerForm(alex, "accept");
      await sees(page, "This browser is linked to Alex.");
      expect(stage.bridge.player("Steve").formsShown).toBe(0);
    });

    it.each(["light", "dark"] as const)(
      "fits a narrow phone, in %s, where the tabs go sideways",
      async colorScheme => {
        const page = await (await start()).page("?server=creative", { ...PHONE, colorScheme });
        await sees(page, /^It is not running/);
        const seen = await tab(page, "creative").boundingBox();
        expect((seen?.x ?? 0) + (seen?.width ?? 0)).toBeLessThanOrEqual(320);
        for (const part of ["overview", "chat", "you", "whitelist"]) {
          await page.goto(`${stage.bridge.base}/?server=creative#${part}`);
          await page.locator(`main.${part}`).waitFor();
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
          expect(await violations(page, `servers-phone-${colorScheme}-${part}`)).toEqual([]);
        }
      },
    );

    it("asks for nothing more than before where there is one", async () => {
      const page = await (await onStage(["Steve"])).page("about:blank");
      const asked: string[] = [];
      page.on("request", request => asked.push(request.url().replace(stage.bridge.base, "")));
      await page.goto(`${stage.bridge.base}/`);
      await page.locator(".state.online").waitFor();
      await sees(page, "Connected");
      const expected = [
        "/",
        "/assets/",
        "/assets/",
        "/assets/",
        "/console.json",
        "/events?format=json&limit=300",
        "/events?types=chat%2Cjoin%2Cleave%2Cdeath%2Cserver%2Cstatus%2Cplayers&heartbeat=often&since=",
        "/history",
        "/initialize",
        "/players",
        "/session/label",
        "/status",
      ];
      const plain = (): string[] =>
        asked
          .filter((url, i) => !POLLED.test(url) || asked.indexOf(url) === i)
          .map(url => url.replace(/(?<=assets\/|since=).*/, ""))
          .sort();
      await eventually(() => expect(plain()).toEqual(expected));
      expect(await page.locator("[role=tab], [role=tabpanel], .chat-of, .state .of").count()).toBe(0);
    });
  });
});
