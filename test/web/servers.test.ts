import { afterEach, expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { endGames, startGame, YAML } from "./network.ts";
import { sees, violations } from "./page.ts";
import { inBrowser, type Stage } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const tab = (page: Page, name: string | RegExp): Locator => page.getByRole("tab", { name });

inBrowser.describe("the web console, with several game servers", () => {
  const onStage = stagesOfSuite();
  afterEach(endGames);

  /** Three of them: Steve on the first one, Alex and Noor on the second, and nobody runs the third. */
  async function start(): Promise<Stage> {
    await onStage(["Steve"], { yaml: YAML });
    await startGame(stage, "lobby", "Alex", "Noor");
    return stage;
  }

  it("reads and changes the whitelist of the one chosen, with the same key", async () => {
    const page = await (await start()).page("#whitelist");
    await page.getByLabel("Admin key").fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await page.getByLabel("Name to add").fill("Herobrine");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "Herobrine is on the whitelist.");
    await tab(page, "The lobby").click();
    await sees(page, "No name is on the whitelist.");
    expect(await page.getByText("Herobrine is on the whitelist.").count()).toBe(0);
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
    const plain = (): string[] => asked.map(url => url.replace(/(?<=assets\/|since=).*/, "")).sort();
    await eventually(() => expect(plain()).toEqual(expected));
    expect(await page.locator("[role=tab], [role=tabpanel], .chat-of, .state .of").count()).toBe(0);
  });
});
