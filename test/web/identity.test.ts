import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { accentStyle } from "../../web/accent-style.ts";
import { contrast } from "../../web/legible.ts";
import { newFolder } from "../helpers/folder.ts";
import { eventually } from "../helpers/runner.ts";
import { testConfig } from "../helpers/sidecar.ts";
import { sees, shifts, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const LOGO = fileURLToPath(new URL("../../web/icon.svg", import.meta.url));
const web = (of: string) => ({ yaml: `modules: {web: {${of}}}` });

describe("the owner's identity", () => {
  it("takes a colour and an address to join, or none", () => {
    for (const [accent, joinAddress] of [
      ["#7A3b12", "play.example.com"],
      ["", "[2001:db8::1]:19132"],
      ["", "192.0.2.1:19132"],
    ])
      expect(
        testConfig(web(`accent: "${accent}", join-address: "${joinAddress}"`)).modules.web,
      ).toMatchObject({ accent, joinAddress });
    for (const wrong of ['accent: "red"', 'accent: "#12345"', 'join-address: "a b"', 'join-address: "<b>"'])
      expect(() => testConfig(web(wrong))).toThrow(/modules\.web\.(accent|join-address)/);
  });

  it("can be read on both papers, and on itself, whatever the colour", () => {
    const colour = fc.integer({ min: 0, max: 0xffffff }).map(n => `#${n.toString(16).padStart(6, "0")}`);
    fc.assert(
      fc.property(colour, fc.boolean(), (one, isDark) => {
        const style = accentStyle(one, isDark);
        for (const paper of isDark ? ["#131512", "#1b1e19"] : ["#f1eee6", "#fbfaf6"])
          expect(contrast(style["--accent"] ?? "", paper)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(style["--accent"] ?? "", style["--on-accent"] ?? "")).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

inBrowser.describe("the console of an owner", () => {
  const onStage = stagesOfSuite();

  it("has the address of the server to join, and how many fit in, where nothing else is said", async () => {
    const yaml = 'server: {info: {address: "mc.example.com", max-players: 20}}';
    const page = await (await onStage(["Steve"], { yaml })).page("", {
      viewport: { width: 320, height: 640 },
    });
    await sees(page, "mc.example.com");
    await sees(page, "of 20");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  });

  it("shows that the address was copied, and moves nothing by that", async () => {
    const page = await (await onStage(["Steve"], web('join-address: "play.example.com"'))).page("", {
      permissions: ["clipboard-write", "clipboard-read"],
    });
    const button = page.getByRole("button", { name: "Copy" });
    const before = await button.boundingBox();
    await button.click();
    await sees(page, "✓");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("play.example.com");
    expect(await button.boundingBox()).toEqual(before);
    await page.getByText("✓").and(page.locator(".other")).waitFor({ state: "attached" });
  });

  describe("at length", () => {
    it.each(["light", "dark"] as const)(
      "has their colour, and the address to join, in %s",
      async colorScheme => {
        const page = await (
          await onStage(
            ["Steve"],
            web(`accent: "#8a2be2", logo: ${JSON.stringify(LOGO)}, join-address: "play.example.com:19132"`),
          )
        ).page("", { colorScheme, viewport: { width: 320, height: 640 } });
        await sees(page, "20.0");
        await sees(page, "play.example.com:19132");
        await page.getByRole("button", { name: "Copy" }).waitFor();
        // The title says the same, and nobody hears it twice.
        await page.getByRole("heading", { name: "Game server", exact: true, level: 1 }).waitFor();
        const logo = await page.evaluate(
          'Promise.resolve(document.querySelector("h1 img")).then(img => img.decode().then(() => [img.alt, img.width, img.height]))',
        );
        expect(logo).toEqual(["", 40, 40]);
        const accent = await page.evaluate(
          'getComputedStyle(document.documentElement).getPropertyValue("--accent")',
        );
        expect(accent).toBe(accentStyle("#8a2be2", colorScheme === "dark")["--accent"]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
        expect(await violations(page, `identity-${colorScheme}`)).toEqual([]);
        expect(await shifts(page)).toEqual([]);
      },
    );

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
});
