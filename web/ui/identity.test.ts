import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { testConfig } from "../../test/helpers/sidecar.ts";
import { accentStyle } from "./accent-style.ts";
import { contrast } from "./contrast.ts";

const web = (of: string) => ({ yaml: `modules: {web: {${of}}}` });

describe("the owner's branding", () => {
  it("accepts a colour and a join address, or none", () => {
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

  it("is legible on both backgrounds and as a background, for every colour", () => {
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
