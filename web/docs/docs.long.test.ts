import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { referencePage } from "../../lab/reference/page.ts";
import { asyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import { openApi } from "../../sidecar/routes.ts";
import { newFolder } from "../../test/helpers/folder.ts";
import { testConfig } from "../../test/helpers/sidecar.ts";
import { sees, violations } from "../testing/page.ts";
import { inBrowser } from "../testing/stage.ts";
import { browserOfSuite, stage, stagesOfSuite } from "../testing/suite.ts";

// Own connections: reads a call that the page shows.

inBrowser.describe("the API page", () => {
  const onStage = stagesOfSuite();
  const widthOf = (page: Page): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth");
  const heightOf = (page: Page): Promise<number> => page.evaluate("document.documentElement.scrollHeight");
  const search = (page: Page) => page.getByRole("searchbox", { name: "Search calls, fields and messages" });
  const seen = (page: Page, selector: string) => page.locator(selector).filter({ visible: true }).count();

  it("copies examples with the address of this service, by keyboard too", async () => {
    const page = await (await onStage()).page("docs#get-status", {
      permissions: ["clipboard-write", "clipboard-read"],
    });
    const copied = async (button: string): Promise<unknown> => {
      await page.locator("#get-status").getByRole("button", { name: button }).press("Enter");
      await sees(page, "✓");
      return page.evaluate("navigator.clipboard.readText()");
    };
    expect(await copied("Copy: curl")).toBe(`curl ${stage.bridge.base}/status`);
    expect(await copied("Copy: JavaScript")).toContain(`fetch("${stage.bridge.base}/status")`);
    expect(await page.locator(".base", { hasText: "localhost:8080" }).count()).toBe(0);
    await page.goto(`${stage.bridge.base}/docs#messages`);
    await sees(page, `new WebSocket("${stage.bridge.base.replace("http", "ws")}/chat")`);
  });

  it("opens the call that a link names, also without a script", async () => {
    const open = await onStage();
    for (const javaScriptEnabled of [true, false]) {
      const page = await open.page("docs#post-kick", { javaScriptEnabled });
      await sees(page, "with the scope players:kick");
      expect(await seen(page, ".entry > .inside")).toBe(1);
      expect(await search(page).isVisible()).toBe(javaScriptEnabled);
    }
  });

  it("opens at an address whose percent signs are malformed", async () => {
    const page = await (await onStage()).page("docs#%");
    await search(page).fill("whitelistNames");
    await sees(page, /^\d results$/);
  });

  it("starts with every subject closed, and is short", async () => {
    const page = await (await onStage()).page("docs", { viewport: { width: 1440, height: 900 } });
    expect(await heightOf(page)).toBeLessThan(1_500);
  });

  it("finds calls, fields and messages by their words, and shows all of them again", async () => {
    const page = await (await onStage()).page("docs");
    await search(page).fill("whitelistNames");
    await sees(page, /^\d results$/);
    await sees(page, "ServiceSettings");
    await search(page).fill("EXCEPTION rate limited");
    await page.locator("#chat").getByText("Error", { exact: true }).first().waitFor();
    expect(await seen(page, "main > .group")).toBeGreaterThan(0);
    expect(await page.locator("#whitelist").isVisible()).toBe(false);
    await search(page).fill("no such word");
    await sees(page, "No results");
    await page.goto(`${stage.bridge.base}/docs#get-whitelist`);
    await page.locator("#get-whitelist").waitFor();
    expect(await search(page).inputValue()).toBe("");
    expect(await seen(page, "main > .group")).toBe(await page.locator("main > .group").count());
  });

  it("prints every part, also without a script", async () => {
    const open = await onStage();
    for (const javaScriptEnabled of [true, false]) {
      const page = await open.page("docs", { javaScriptEnabled });
      await page.emulateMedia({ media: "print" });
      expect(await heightOf(page)).toBeGreaterThan(50_000);
    }
    const page = await open.page("docs");
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator("details:not([open])").count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator("details[open]").count()).toBe(0);
  });

  it.each([
    [320, "light"],
    [390, "dark"],
    [1280, "light"],
  ] as const)("fits into %i pixels and is accessible, closed and open, in %s", async (width, colorScheme) => {
    const page = await (await onStage()).page("docs", { colorScheme, viewport: { width, height: 900 } });
    await search(page).waitFor();
    expect(await violations(page, `docs-${width}-${colorScheme}`)).toEqual([]);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await widthOf(page)).toBe(width);
    expect(await violations(page, `docs-open-${width}-${colorScheme}`)).toEqual([]);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      colorScheme === "dark" ? "rgb(19, 21, 18)" : "rgb(241, 238, 230)",
    );
  });
});

inBrowser.describe("the API page as a file", () => {
  const browser = browserOfSuite();

  it("can be searched without a service", async () => {
    const asset = (name: string): string =>
      readFileSync(new URL(`../../dist/web/assets/${name}`, import.meta.url), "utf8");
    const { api } = testConfig().modules;
    const file = join(newFolder("reference-"), "reference.html");
    writeFileSync(file, referencePage(openApi(api), asyncApi(api), asset("docs.css"), asset("docs.js")));
    await using page = await browser().newPage();
    await page.goto(pathToFileURL(file).href);
    await page.getByRole("searchbox").fill("players:kick POST");
    await page.locator("summary", { hasText: "/kick" }).first().waitFor();
    expect(await page.locator(".base").first().textContent()).toBe("http://localhost:8080");
  });
});
