import { it } from "@jest/globals";
import { sees } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stagesOfSuite } from "./suite.ts";

inBrowser.describe("the start of the console", () => {
  const onStage = stagesOfSuite();

  it("goes on in a browser that keeps nothing", async () => {
    const page = await (await onStage(["Steve"])).page();
    await page.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } })`);
    await page.reload();
    await sees(page, "20.0");
    await sees(page, "Connected");
    await page.getByLabel("Message").fill("hello");
    await page.keyboard.press("Enter");
    await sees(page, "You: hello");
    await page.getByLabel("Language").selectOption({ label: "Deutsch" });
    await sees(page, "Ticks pro Sekunde");
  });
});
