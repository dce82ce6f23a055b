import { describe, expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

inBrowser.describe("the web console", () => {
  const onStage = stagesOfSuite();

  it("says that the game server is away, shows figures once it is there, and none when it has gone", async () => {
    const page = await (await onStage()).page();
    await sees(page, "The game server is away");
    expect(await page.locator("dd strong").allTextContents()).toEqual(["–", "–", "–", "–"]);
    expect(await violations(page, "away")).toEqual([]);
    await stage.pause();
    await stage.bridge.startGame();
    await stage.bridge.enter("Steve", "Alex");
    stage.run();
    await sees(page, "20.0");
    expect(await page.locator("tbody th").allTextContents()).toEqual(["Alex", "Steve"]);
    expect(await violations(page, "online")).toEqual([]);
    await stage.pause();
    await stage.bridge.stopGame("kill");
    stage.bridge.clock.advance(30_000);
    stage.run();
    await sees(page, "The game server is away");
    expect(await page.locator("dd strong").first().textContent()).toBe("–");
  });

  it("sorts players by any column", async () => {
    const page = await (await onStage(["Steve", "Alex", "Zuri"])).page();
    await page.getByRole("button", { name: "Name" }).click();
    expect(await page.locator("tbody th").allTextContents()).toEqual(["Zuri", "Steve", "Alex"]);
    expect(await page.locator("th[aria-sort=descending]").textContent()).toContain("Name");
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

  describe("at length", () => {
    it("tells the figure under the pointer, and none where nothing was recorded", async () => {
      const page = await (await onStage(["Steve"])).page();
      await sees(page, "20.0");
      const plot = page.locator(".u-over").first();
      const width = (await plot.boundingBox())?.width ?? 0;
      await plot.hover({ position: { x: width / 8, y: 30 } });
      await sees(page, /^\d\d:\d\d, –$/);
      await plot.hover({ position: { x: width - 2, y: 30 } });
      await sees(page, /^\d\d:\d\d, 20\.0$/);
      await page.locator("h1").hover();
      await eventually(async () =>
        expect(
          await page
            .locator(".when")
            .filter({ hasText: /^Last (minute|\d+ min)( · (MB|%))?$/ })
            .count(),
        ).toBe(4),
      );
    });

    it("comes back by itself after the sidecar has been away", async () => {
      const page = await (await onStage(["Steve"])).page();
      await sees(page, "20.0");
      await stage.pause();
      await stage.bridge.stopSidecar();
      await sees(page, "The service does not answer");
      await sees(page, "Connection lost.");
      expect(await violations(page, "service-away")).toEqual([]);
      await stage.bridge.startSidecar();
      stage.run();
      await sees(page, "Connected");
      await page.locator(".state.online").waitFor();
    });

    it("says why a name is refused where it is typed, however long the whitelist is", async () => {
      const page = await (await onStage(["Steve"])).page("#whitelist", PHONE);
      await page.getByLabel("Admin key").fill(ADMIN_KEY);
      await page.getByRole("button", { name: "Show the whitelist" }).click();
      for (let count = 1; count <= 12; count++) {
        await page.getByLabel("Name to add").fill(`Player${count}`);
        await page.getByRole("button", { name: "Add" }).click();
        await page
          .locator(".names li")
          .nth(count - 1)
          .waitFor({ state: "attached" });
      }
      await page.getByLabel("Name to add").fill("a b");
      await page.getByRole("button", { name: "Add" }).click();
      await sees(page, "“a b” cannot be added");
      const [list, fault] = await Promise.all(
        [".names", ".fault"].map(part => page.locator(part).boundingBox()),
      );
      expect(fault?.y).toBeLessThan(list?.y ?? 0);
      expect(await violations(page, "whitelist-long")).toEqual([]);
      await page.getByRole("button", { name: "Forget the key" }).click();
      await page.getByLabel("Admin key").waitFor();
      expect(await page.locator(".fault").textContent()).toBe("");
    });

    it.each(["light", "dark"] as const)(
      "fits a phone, in %s, and marks what was not read",
      async colorScheme => {
        const page = await (await onStage(["Steve"])).page("", { ...PHONE, colorScheme });
        await sees(page, "20.0");
        await eventually(() => expect(stage.bridge.side?.sidecar !== undefined).toBe(true));
        await eventually(async () =>
          expect(
            await (async () => {
              stage.bridge.player("Steve").say("§ehi §0there");
              return page.title();
            })(),
          ).toMatch(/^\(\d+\) Game server$/),
        );
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
        expect(await violations(page, `phone-${colorScheme}`)).toEqual([]);
        await page.getByRole("link", { name: /Chat/ }).click();
        await sees(page, "hi");
        await sees(page, "New");
        await eventually(async () => expect(await page.title()).toBe("Chat – Game server"));
        expect(await violations(page, `phone-${colorScheme}-chat`)).toEqual([]);
      },
    );
  });
});
