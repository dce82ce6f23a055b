import { expect, it } from "@jest/globals";
import { eventually } from "../test/helpers/eventually.ts";
import { say, sees, violations } from "./testing/page.ts";
import { inBrowser } from "./testing/stage.ts";
import { stage, stagesOfSuite } from "./testing/suite.ts";

inBrowser.describe("the web console", () => {
  const onStage = stagesOfSuite();

  it("says that the game server is offline, and shows figures only while it is online", async () => {
    const yaml = 'server: {info: {address: "mc.example.com", max-players: 20}}';
    const page = await (await onStage([], { yaml })).page();
    await sees(page, "The game server is offline");
    expect(await page.locator(".gauge strong").allTextContents()).toEqual(["–", "–", "–"]);
    expect(await violations(page, "away")).toEqual([]);
    await stage.pause();
    await stage.bridge.startGame();
    await stage.bridge.enter("Steve", "Alex");
    stage.run();
    await sees(page, "20.0");
    await sees(page, "mc.example.com");
    await sees(page, "of 20");
    expect(await page.locator("tbody th").allTextContents()).toEqual(["Alex", "Steve"]);
    await page.getByRole("button", { name: "Name" }).click();
    expect(await page.locator("tbody th").allTextContents()).toEqual(["Steve", "Alex"]);
    expect(await page.locator("th[aria-sort=descending]").textContent()).toContain("Name");
    expect(await violations(page, "online")).toEqual([]);
    await stage.pause();
    await stage.bridge.stopGame("kill");
    stage.bridge.clock.advance(30_000);
    stage.run();
    await sees(page, "The game server is offline");
    expect(await page.locator(".gauge strong").first().textContent()).toBe("–");
  });

  it("sends and receives chat with colours, and shows every message as plain text", async () => {
    const page = await (await onStage(["Steve"])).page();
    const other = await stage.page();
    await sees(page, "Connected");
    await sees(other, "Connected");
    stage.bridge.player("Steve").say("§ahello §1deep");
    await sees(page, "hello");
    const colours = await page
      .locator(".log .game bdi")
      .evaluateAll(all => all.map(one => (one as { style?: { color: string } }).style?.color ?? ""));
    expect(colours.filter(colour => colour !== "")).toHaveLength(2);
    const evil = `<img src=x onerror="alert(1)">\u202eevil ${"§§".repeat(40)}end`;
    await say(page, evil);
    await sees(other, '<img src=x onerror="alert(1)">evil end');
    await eventually(() => expect(stage.bridge.player("Steve").chat.at(-1)).toContain("<img src=x"));
    expect(await other.locator(".log img").count()).toBe(0);
    expect(await other.locator(".log li:not(.activity) bdi").count()).toBeLessThan(6);
    await page.getByLabel("Message").fill("x".repeat(513));
    await sees(page, "1 character too many");
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    expect(await violations(page, "chat")).toEqual([]);
  });
});
