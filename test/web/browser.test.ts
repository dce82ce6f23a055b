import { expect, it } from "@jest/globals";
import { eventually } from "../helpers/eventually.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

inBrowser.describe("the web console", () => {
  const onStage = stagesOfSuite();

  it("says that the game server is away, shows figures once it is there, and none when it has gone", async () => {
    const yaml = 'server: {info: {address: "mc.example.com", max-players: 20}}';
    const page = await (await onStage([], { yaml })).page();
    await sees(page, "The game server is away");
    expect(await page.locator("dd strong").allTextContents()).toEqual(["–", "–", "–", "–"]);
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
    await sees(page, "The game server is away");
    expect(await page.locator("dd strong").first().textContent()).toBe("–");
  });

  it("chats both ways in colours, and shows whatever is sent as text", async () => {
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
    await page.getByLabel("Message").fill(evil);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await sees(other, '<img src=x onerror="alert(1)">evil end');
    await eventually(() => expect(stage.bridge.player("Steve").chat.at(-1)).toContain("<img src=x"));
    expect(await other.locator(".log img").count()).toBe(0);
    expect(await other.locator(".log li:not(.activity) bdi").count()).toBeLessThan(6);
    await page.getByLabel("Message").fill("x".repeat(513));
    await sees(page, "1 character too many");
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    expect(await violations(page, "chat")).toEqual([]);
  });

  it("adds to the whitelist with the key, which is kept nowhere, and refuses a wrong one", async () => {
    const page = await (await onStage(["Steve"])).page();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Overview",
      "Your player",
    ]);
    await page.getByRole("link", { name: "Administration" }).click();
    await eventually(async () => expect(await page.title()).toBe("Whitelist – Game server"));
    await page.getByLabel("Admin key").fill("wrong");
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await sees(page, "This is not the admin key.");
    expect(await violations(page, "whitelist-wrong-key")).toEqual([]);
    await page.getByLabel("Admin key").fill(ADMIN_KEY);
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await sees(page, "No name is on the whitelist.");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "Type the name to add first.");
    await page.getByLabel("Name to add").fill("a b");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "“a b” cannot be added");
    await page.getByLabel("Name to add").fill("Herobrine");
    await page.getByRole("button", { name: "Add" }).click();
    await sees(page, "Herobrine is on the whitelist.");
    await eventually(async () =>
      expect(await page.locator(".names bdi").allTextContents()).toEqual(["Herobrine"]),
    );
    expect(await violations(page, "whitelist")).toEqual([]);
    const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
    expect(kept).not.toContain(ADMIN_KEY);
  });
});
