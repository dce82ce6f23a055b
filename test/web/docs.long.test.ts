import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stagesOfSuite } from "./suite.ts";

// Own connections: reads a call that the page shows.

inBrowser.describe("the page of the interface", () => {
  const onStage = stagesOfSuite();
  const widthOf = (page: Page): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth");

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
