import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { lineForFeed, lineForWeb } from "../sidecar/features/chat/rules/chat.ts";
import { encodeColours } from "../sidecar/features/chat/rules/colours.ts";
import { isSurelyFromWeb, segments } from "./index.ts";

describe("segments", () => {
  it("split a message of the game by colour", () => {
    expect(segments("§§<Steve> §#55ff55hi §§there")).toEqual([
      { text: "<Steve> " },
      { text: "hi ", colour: "#55ff55" },
      { text: "there" },
    ]);
  });

  it("leave a message of another browser unchanged", () => {
    expect(segments("<img src=x onerror=alert(1)>")).toEqual([{ text: "<img src=x onerror=alert(1)>" }]);
    expect(segments("100 § and §c")).toEqual([{ text: "100 § and §c" }]);
    expect(segments("")).toEqual([]);
  });

  it("have only hex colours, in lower case", () => {
    expect(segments("§#AABBCCx")).toEqual([{ text: "x", colour: "#aabbcc" }]);
    expect(segments("§#red;x")).toEqual([{ text: "§#red;x" }]);
  });

  it("merge a flood of markers into one segment", () => {
    expect(segments("§§".repeat(5000))).toEqual([]);
    expect(segments(`${"§#ff0000a".repeat(50)}`)).toEqual([{ text: "a".repeat(50), colour: "#ff0000" }]);
  });

  it("drop characters that would turn or break the surrounding text", () => {
    expect(segments("a\u202eb\u2066c\u0000d\ne\ud800")).toEqual([{ text: "abcde" }]);
  });

  it("decode everything that the service encodes, and leave no marker", () => {
    const text = fc.string({ unit: fc.constantFrom("§", "a", "4", "r", "x", " ", "é", "<"), maxLength: 40 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), parts => {
        const encoded = encodeColours(parts);
        const read = segments(encoded);
        expect(read.map(one => one.text).join("")).toBe(encoded.replace(/§(§|#[0-9a-f]{6})/g, ""));
        for (const { text: display, colour } of read) {
          expect(display).not.toContain("§");
          if (colour !== undefined) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
        }
      }),
    );
  });
});

describe("the origin of a message", () => {
  it.each([
    "hi",
    "",
    "<Steve> hi",
    "§c<Steve> hi",
    "hi §§there",
    "§#ff000<Steve> hi",
    "§§<Steve> §chi",
    "§§<Steve> §§",
  ])("is certain for a message that no game sends: %s", content => {
    expect(isSurelyFromWeb(content)).toBe(true);
  });

  it.each(["§§<Steve> §§hi", "§#ffff55[main]§§ The server restarts"])(
    "is not certain of a message or an announcement of the game, or what imitates one: %s",
    content => {
      expect(isSurelyFromWeb(content)).toBe(false);
    },
  );

  it("is never taken for a message of the website if it is one of the game", () => {
    const text = fc.string({
      unit: fc.constantFrom("§", "a", "4", "r", "#", "<", "> ", "\n", "é"),
      maxLength: 40,
    });
    fc.assert(fc.property(text, text, (name, said) => !isSurelyFromWeb(lineForWeb(name, said))));
    fc.assert(fc.property(text, said => !isSurelyFromWeb(lineForFeed(`x${said}`))));
  });
});
