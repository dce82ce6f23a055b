import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { accentStyle } from "../../web/accent-style.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

// Own connections: reads a call that the page shows.

inBrowser.describe("the page of the interface", () => {
  const onStage = stagesOfSuite();
  const widthOf = (page: Page): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth");

  it("has calls to copy that are of this service, for keys as for pointers", async () => {
    const page = await (await onStage()).page("docs#getStatus", {
      permissions: ["clipboard-write", "clipboard-read"],
    });
    const copied = async (button: string): Promise<unknown> => {
      await page
        .locator("#getStatus")
        .locator("xpath=..")
        .getByRole("button", { name: button })
        .press("Enter");
      await sees(page, "✓");
      return page.evaluate("navigator.clipboard.readText()");
    };
    expect(await copied("Copy: curl")).toBe(`curl ${stage.bridge.base}/status`);
    expect(await copied("Copy: JavaScript")).toContain(`fetch("${stage.bridge.base}/status")`);
    expect(await page.locator(".base", { hasText: "localhost:8080" }).count()).toBe(0);
    await sees(page, `new WebSocket("${stage.bridge.base.replace("http", "ws")}/chat")`);
  });

  it("leads by its contents to a call, whose address can be shared, and past them to what it says", async () => {
    const page = await (await onStage()).page("docs");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
    await page.getByRole("navigation").getByRole("link", { name: "/link-player" }).first().click();
    expect(new URL(page.url()).hash).toBe("#linkPlayer");
    await page.getByRole("link", { name: "Link to POST /unlink-player" }).click();
    expect(new URL(page.url()).hash).toBe("#unlinkPlayer");
    const top = 'Math.round(document.querySelector("#unlinkPlayer").getBoundingClientRect().top)';
    expect(await page.evaluate(top)).toBeLessThan(40);
  });

  it("has the owner's colour, and shows the badge that it tells of", async () => {
    const page = await (await onStage([], { yaml: 'modules: {web: {accent: "#8a2be2"}}' })).page("docs", {
      colorScheme: "light",
    });
    await page.getByRole("button", { name: "Copy: curl" }).first().waitFor();
    expect(
      await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--accent")'),
    ).toBe(accentStyle("#8a2be2", false)["--accent"]);
    expect(await page.evaluate('document.querySelector("main img").decode().then(() => "shown")')).toBe(
      "shown",
    );
  });

  it.each([
    [390, "light"],
    [390, "dark"],
    [1280, "light"],
    [1280, "dark"],
  ] as const)("fits into %i pixels, and can be read by everybody, in %s", async (width, colorScheme) => {
    const page = await (await onStage()).page("docs", { colorScheme, viewport: { width, height: 900 } });
    await page.getByRole("button", { name: "Copy: curl" }).first().waitFor();
    expect(await widthOf(page)).toBe(width);
    expect(await violations(page, `docs-${width}-${colorScheme}`)).toEqual([]);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      colorScheme === "dark" ? "rgb(19, 21, 18)" : "rgb(241, 238, 230)",
    );
  });
});
