import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const shows = (page: Page, ...names: string[]): Promise<void> =>
  eventually(async () => expect(await page.locator(".names bdi").allTextContents()).toEqual(names));

inBrowser.describe("the whitelist of the web console", () => {
  const onStage = stagesOfSuite();

  /** A page that shows the whitelist, with these names on it. */
  async function open(names: string[], key = ADMIN_KEY, yaml = ""): Promise<Page> {
    await onStage(["Steve"], { yaml });
    for (const name of names) stage.bridge.world.allowList.put({ name });
    const page = await stage.page("#whitelist");
    await page.getByLabel("Admin key").fill(key);
    await page.getByRole("button", { name: "Show the whitelist" }).click();
    await page.getByLabel("Name to add").waitFor();
    return page;
  }

  it("takes a name off once that was asked, and keeps it where the question is answered with no", async () => {
    const page = await open(["Ari Vale", "Herobrine"]);
    const button = page.getByRole("button", { name: "Remove Ari Vale" });
    for (const no of ["Keep it", "Escape"]) {
      await button.click();
      const question = page.getByRole("dialog", { name: "Remove this name from the whitelist?" });
      await question.getByText("Ari Vale").waitFor();
      if (no === "Escape") await page.keyboard.press("Escape");
      else {
        expect(await violations(page, "whitelist-question")).toEqual([]);
        await question.getByRole("button", { name: no }).click();
      }
      await question.waitFor({ state: "detached" });
      expect(await page.locator("button:focus").getAttribute("aria-label")).toBe("Remove Ari Vale");
    }
    await shows(page, "Ari Vale", "Herobrine");
    await button.click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await sees(page, "Ari Vale is off the whitelist.");
    await shows(page, "Herobrine");
    expect(stage.bridge.world.allowList.names).toEqual(["Herobrine"]);
    expect(await page.locator(".names:focus").count()).toBe(1);
    expect(await violations(page, "whitelist-removed")).toEqual([]);
  });
});
