import { expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

inBrowser.describe("the web console", () => {
  const onStage = stagesOfSuite();

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
