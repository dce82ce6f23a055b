import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { eventually } from "../helpers/runner.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const shows = (page: Page, ...names: string[]): Promise<void> =>
  eventually(async () => expect(await page.locator(".names bdi").allTextContents()).toEqual(names));

/** What the browser has noted of an answer of this status, which the page tells in words; it must have noted one. */
function passOver(status: number): void {
  const noted = stage.complaints.findIndex(line => line.includes(`responded with a status of ${status} `));
  expect(noted).toBeGreaterThanOrEqual(0);
  stage.complaints.splice(noted, 1);
}

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

  it("says so where a name is not on it any more, and shows the list without it", async () => {
    const page = await open(["Herobrine", "Noor"]);
    stage.bridge.world.allowList.operate("remove", JSON.stringify({ name: "Noor" }));
    await page.getByRole("button", { name: "Remove Noor" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await sees(page, "“Noor” is not on the whitelist any more.");
    await shows(page, "Herobrine");
    passOver(404);
  });

  it("can be changed with the keyboard alone, where nothing is removed by a single press", async () => {
    const page = await open(["Herobrine"]);
    const hasFocus = (within: string): Promise<void> => page.locator(`${within} button:focus`).waitFor();
    await page.getByRole("button", { name: "Remove Herobrine" }).focus();
    await page.keyboard.press("Enter");
    await hasFocus("dialog");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await shows(page, "Herobrine");
    await hasFocus(".names");
    await page.keyboard.press("Enter");
    await hasFocus("dialog");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await sees(page, "No name is on the whitelist.");
  });

  it("says what a key is not for, and what a name may be", async () => {
    const keys = [{ name: "panel", sha256: sha256Of("read only"), scopes: ["whitelist:read"] }];
    const page = await open(
      ["Herobrine"],
      "read only",
      `modules.api.whitelist-names: gamertag\nmodules.api.admin-keys: ${JSON.stringify(keys)}`,
    );
    await sees(page, "as the gamertag is written");
    await page.getByRole("button", { name: "Remove Herobrine" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await sees(page, "This key is not for that.");
    await shows(page, "Herobrine");
    passOver(403);
  });
});
