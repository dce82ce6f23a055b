import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { moderators } from "../helpers/sidecar.ts";
import { inBrowser } from "./stage.ts";
import { passOver, stage, stagesOfSuite } from "./suite.ts";

inBrowser.describe("the moderation of the web console", () => {
  const onStage = stagesOfSuite();
  const row = (page: Page, name: string) => page.getByRole("button", { name: `Send away ${name}` });

  it("shows nothing of it to a key that is for the whitelist alone", async () => {
    await onStage(["Steve"], { env: moderators() });
    const page = await stage.page("#whitelist");
    await page.getByLabel("Admin key").fill("test-admin-key-0123456789");
    await page.getByLabel("Admin key").press("Enter");
    await page.getByLabel("Name to add").waitFor();
    passOver(403, 403, 403, 403);
    expect(await page.getByRole("heading", { name: "Announcement" }).count()).toBe(0);
    expect(await row(page, "Steve").count()).toBe(0);
  });
});
