import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { newFolder } from "../helpers/folder.ts";
import { eventually } from "../helpers/runner.ts";
import { sees, shifts, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const web = (of: string) => ({ yaml: `modules: {web: {${of}}}` });

inBrowser.describe("the console of an owner", () => {
  const onStage = stagesOfSuite();

  it("leaves the place of a logo free that is broken", async () => {
    const folder = newFolder("identity-");
    const logo = join(folder, "logo.png");
    writeFileSync(logo, Buffer.from("89504e470d0a1a0a00000000", "hex"));
    const page = await (
      await onStage(["Steve"], web(`title: ${"W".repeat(64)}, logo: ${JSON.stringify(logo)}`))
    ).page("", { viewport: { width: 320, height: 640 } });
    await sees(page, "20.0");
    await page.locator("h1 img").waitFor({ state: "hidden" });
    const [place, title] = await Promise.all(
      [".logo", "h1 > span:not(.logo)"].map(part => page.locator(part).boundingBox()),
    );
    expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThan(title?.x ?? 0);
    expect(await shifts(page)).toEqual([]);
    expect(await violations(page, "identity-broken-logo")).toEqual([]);
  });

  it("runs nothing that their logo brings along", async () => {
    const folder = newFolder("identity-");
    const logo = join(folder, "logo.svg");
    writeFileSync(
      logo,
      '<svg xmlns="http://www.w3.org/2000/svg"><script>console.error("ran")</script></svg>',
    );
    const page = await (await onStage(["Steve"], web(`logo: ${JSON.stringify(logo)}`))).page("");
    const path = await page.locator("h1 img").getAttribute("src");
    await page.goto(new URL(path ?? "", page.url()).href);
    await eventually(() => expect(stage.complaints).toHaveLength(1));
    expect(stage.complaints.splice(0)).toEqual([expect.stringMatching(/^Blocked script execution/)]);
  });
});
