import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { endGames, startGame, YAML } from "./network.ts";
import { POLLED, sees } from "./page.ts";
import { inBrowser, type Stage } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const chosen = (page: Page): Promise<string | null> =>
  page.locator("[role=tab][aria-selected=true] .title").textContent();

inBrowser.describe("the web console, with several game servers", () => {
  const onStage = stagesOfSuite();
  afterEach(endGames);

  /** Three of them: Steve on the first one, Alex and Noor on the second, and nobody runs the third. */
  async function start(): Promise<Stage> {
    await onStage(["Steve"], { yaml: YAML });
    await startGame(stage, "lobby", "Alex", "Noor");
    return stage;
  }

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
