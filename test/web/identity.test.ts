import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { accentStyle } from "../../web/accent-style.ts";
import { contrast } from "../../web/legible.ts";
import { testConfig } from "../helpers/sidecar.ts";
import { sees } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stagesOfSuite } from "./suite.ts";

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
});
