import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { stage, stagesOfSuite } from "../testing/suite.ts";

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

  it.each([
    [390, "dark"],
    [1280, "light"],
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
