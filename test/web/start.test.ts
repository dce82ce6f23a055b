import { expect, it } from "@jest/globals";
import { hold, NEVER_OVERDUE, sees, shifts } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stagesOfSuite } from "./suite.ts";

inBrowser.describe("the start of the console", () => {
  const onStage = stagesOfSuite();

  it("says what it waits for where the service does not answer it, and begins as soon as that does", async () => {
    const page = await (await onStage(["Steve"])).page();
    // A request that vanishes, as in a network that is gone.
    const letGo = await hold(page, "**/console.json");
    await page.reload();
    await sees(page, "Asking the server…");
    await sees(page, /^The service does not answer\. The connection to this page's service is lost\./);
    await page.evaluate(NEVER_OVERDUE);
    letGo();
    await sees(page, "20.0");
    expect(await page.locator(".not-yet").count()).toBe(0);
    expect(await shifts(page)).toEqual([]);
  });
});
