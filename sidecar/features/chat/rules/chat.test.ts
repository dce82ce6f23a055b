import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { cleanWebText, lineForGame, lineForWeb, webLine } from "./chat.ts";
import { encodeColours } from "./colours.ts";
import { INVISIBLE } from "./invisible.ts";

describe("game to web", () => {
  it.each([
    ["an uncoloured line", "Steve", "hi", "§§<Steve> §§hi"],
    ["a coloured line", "Steve", "§ahi", "§§<Steve> §#55ff55hi"],
    ["a code in upper case", "Steve", "§Ahi", "§§<Steve> §#55ff55hi"],
    ["each change of colour", "Steve", "a§cb§9c", "§§<Steve> §§a§#ff5555b§#447fffc"],
    ["the same colour twice", "Steve", "§ca§cb", "§§<Steve> §#ff5555ab"],
    ["a reset", "Steve", "§ca§rb", "§§<Steve> §#ff5555a§§b"],
    ["styles", "Steve", "§la§ob§kc", "§§<Steve> §§abc"],
    ["a style within a colour", "Steve", "§c§la", "§§<Steve> §#ff5555a"],
    ["a colour within a style", "Steve", "§la§cb", "§§<Steve> §§a§#ff5555b"],
    ["material colours that are styles elsewhere", "Steve", "§ma§nb", "§§<Steve> §#ee222ca§#c87363b"],
    ["a coloured prefix", "§c[Admin]§r Steve", "hi", "§§<§#ff5555[Admin]§§ Steve> §§hi"],
    ["a colour that the name leaves open", "§cSteve", "hi", "§§<§#ff5555Steve> §#ff5555hi"],
    ["a forged hex marker", "Steve", "§#ff0000red", "§§<Steve> §§#ff0000red"],
    ["a forged plain marker", "Steve", "a§§b!", "§§<Steve> §§a§#55ffff!"],
    ["a § at the end", "Steve", "a§", "§§<Steve> §§a"],
    ["a § before no code", "Steve", "5§ each§y", "§§<Steve> §§5 eachy"],
    ["no text", "Steve", "", "§§<Steve> "],
    ["a code alone", "Steve", "§a", "§§<Steve> "],
  ])("encodes %s", (_what, name, text, line) => {
    expect(lineForWeb(name, text)).toBe(line);
  });

  /** Every code that has a colour, with the one that games have since 1.26.50. */
  const COLOURS =
    `0 000000  1 0000aa  2 00aa00  3 00aaaa  4 aa0000  5 aa00aa  6 ffaa00  7 aaaaaa  8 555555  9 447fff
    a 55ff55  b 55ffff  c ff5555  d ff55ff  e ffff55  f ffffff  g efce16  h d9ccb8  i a9b4b7  j 8f727d  m ee222c  n c87363
    p ffbf1e  q 13a045  s 5fecff  t 577bff  u b66cdd  v ff6a00  w 8bb3ff`
      .split(/\s{2,}/)
      .map(entry => entry.split(" ") as [code: string, colour: string]);

  it.each(COLOURS)("draws §%s as #%s, in upper case too", (code, colour) => {
    expect(encodeColours([`§${code}x`])).toBe(`§#${colour}x`);
    expect(encodeColours([`§${code.toUpperCase()}x`])).toBe(`§#${colour}x`);
  });

  it("takes no other letter or digit for a colour", () => {
    const codes = COLOURS.map(([code]) => code);
    const others = [..."0123456789abcdefghijklmnopqrstuvwxyz"].filter(code => !codes.includes(code));
    expect(others.join("")).toBe("klorxyz");
    for (const code of others) expect(encodeColours([`§${code}`, "x"])).toMatch(/^§§.*x$/);
  });

  const tricky = fc.string({
    unit: fc.oneof(fc.constantFrom("§", "#", "a", "r", "l", "5", "y", " "), fc.string({ maxLength: 1 })),
    maxLength: 30,
  });

  it("leaves no § but its own markers, whatever a player types", () => {
    fc.assert(
      fc.property(tricky, tricky, (name, text) => {
        const line = lineForWeb(name, text);
        expect(line.replace(/§(§|#[0-9a-f]{6})[^§]+/g, "")).toBe("");
      }),
    );
  });

  it("loses no character that is not part of a code", () => {
    fc.assert(
      fc.property(tricky, text => {
        const shown = encodeColours([text]).replace(/§(§|#[0-9a-f]{6})/g, "");
        expect(shown).toBe(text.replace(/§[0-9a-w]?/gi, ""));
      }),
    );
  });
});

describe("web to game", () => {
  const NAMES = { browser: "0123abcd", label: "kxwtmhzr" };
  const FORMAT = "§7[Web]§r {content}";
  /** What the game shows for a text from the web, if anything. */
  function inGame(format: string, text: string, player: string): string | undefined {
    const line = webLine(text, 512);
    return line && lineForGame(format, line, player, NAMES);
  }

  it.each([
    ["formatting codes", "§4a§§b§", "ab"],
    ["line breaks and control characters", "a\r\nb\u0007c\u0085\u2028d", "abcd"],
    ["bidirectional overrides", "a\u202eb\u2066c\u200fd", "abcd"],
    ["zero-width characters", "a\u200bb\u200dc\ufeffd\u2060e", "abcde"],
    [
      "joiners between what does not join",
      "می\u200c خ a\u200cb 😀\u200da ا\u200c\u200cب 😀\ufe0f\ufe0f",
      "می خ ab 😀a اب 😀\ufe0f",
    ],
    ["joiners that are on nothing", "\u200d\ufe0fa \u200c\u0902\u200cक", "a क"],
    [
      "marks that joiners part",
      `क${"\u0902\u200d".repeat(9)}ष`,
      "क\u0902\u200d\u0902\u200d\u0902\u200d\u0902\u200dष",
    ],
    ["unpaired surrogates", "a\ud83db\ude00c", "abc"],
    ["a § before an emoji", "§😀x", "x"],
    ["a code hidden behind a zero-width character", "§\u200bcx", "cx"],
    ["variation selectors", "a\ufe0fb\u{e0101}c\u180bd", "abcd"],
    ["fillers that are drawn as nothing", "a\u3164b\u115fc\u1160d\uffa0e\u2800f\u17b4g", "abcdefg"],
    ["icons and badges of servers", "\ue100a\u{f0000}b\u{10fffd}c", "abc"],
    ["blanks that count as signs", "a\u{1d159}b\u{16fe4}c\u{13441}d\u{13442}e\ufffcf", "abcdef"],
    ["marks that are on nothing", "\u0301\u0302a \u0301b\u200b\u0301\u3000\u0308", "a b\u0301\u3000"],
    ["a mark left alone by what is removed", "\u200b\u0301a", "a"],
    [
      "marks beyond four on a letter",
      `a${"\u0301".repeat(5)}b${"\u0301\u0302".repeat(200)}`,
      `a${"\u0301".repeat(4)}b\u0301\u0302\u0301\u0302`,
    ],
    [
      "spaces beyond four in a row",
      `a${" ".repeat(150)}b${" \u3000\u00a0".repeat(50)}c`,
      "a    b \u3000\u00a0 c",
    ],
    ["spaces that a mark on nothing parts", "a   \u0301   b", "a    b"],
    ["noncharacters and unassigned code points", "a\ufffeb\u{1ffff}c\u0378d", "abcd"],
  ])("removes %s", (_what, content, clean) => {
    expect(cleanWebText(content)).toBe(clean);
  });

  it.each([
    "hello",
    "😀 naïve 日本語 العربية",
    "e\u0323\u0302 שָׁלוֹם नमस्ते ที่นี่ ང་རྒྱལ",
    "می\u200cخواهم क्\u200cष क्\u200dष র\u200d্য ශ්\u200dරී",
    "👨\u200d👩\u200d👧 👍🏽 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 🏴\u200d☠\ufe0f ❤\ufe0f ©\ufe0f 1\ufe0f\u20e3",
    "a    b",
    "/kill @e %s {player} $1 $& \\",
  ])("keeps %s", text => {
    expect(inGame("{content}", text, "Steve")).toBe(text);
  });

  it("lets every code point through that has a picture or is a space, and no other", () => {
    // What Unicode calls a letter, mark, number, punctuation, symbol or space, but for what it calls ignorable.
    const drawn = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u;
    const ignorable = /^[\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u{16fe4}\u{13441}\u{13442}]$/u;
    const MANY = 0x100;
    const shown = (char: string): string => (drawn.test(char) && !ignorable.test(char) ? char : "");
    const wrong: string[] = [];
    for (let from = 0; from <= 0x10ffff; from += MANY) {
      const chars = Array.from({ length: MANY }, (_, i) => String.fromCodePoint(from + i)).filter(
        char => char !== "§",
      );
      // A mark is on a letter.
      const clean = cleanWebText(chars.map(char => `a${char}`).join(""));
      if (clean !== chars.map(char => `a${shown(char)}`).join("")) wrong.push(`from ${from.toString(16)} on`);
    }
    expect(wrong).toEqual([]);
  });

  it("names a reason for each class of what it removes, and each class removes something", () => {
    const all = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).join("");
    for (const { pattern, why } of INVISIBLE)
      expect([pattern, new RegExp(`[${pattern}]`, "u").test(all), why !== ""]).toEqual([pattern, true, true]);
  });

  it("puts text, player and browser into the format, and looks into none of them", () => {
    const content = "{player} {content} {browser} {label}";
    expect(inGame("<{player} {browser} {label}> {content}", content, "{content}")).toBe(
      `<{content} 0123abcd kxwtmhzr> ${content}`,
    );
    expect(inGame(FORMAT, "hi", "")).toBe("§7[Web]§r hi");
    expect(inGame("{other} {content}", "hi", "")).toBe("{other} hi");
  });

  it.each(["", "   ", "§a", "\u200b", "\n", "\u3164", "\u2800 \ufe0f"])(
    "has nothing to show for %j",
    content => {
      expect(inGame(FORMAT, content, "")).toBeUndefined();
    },
  );

  it.each([
    ["a", 512],
    ["\n", 512],
    ["\u0007", 85],
    ["\ud83d", 85],
  ])("takes so many %j in a line: what answers write out as six characters counts as six", (char, most) => {
    expect(webLine(`x${char.repeat(most - 1)}`, 512)).toBeDefined();
    expect(webLine(char.repeat(most + 1), 512)).toBeUndefined();
  });

  it("lets nothing through that formats, hides or turns text", () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom("§", "\u202e", "\u200b", "\ud83d", "\ude00", "\n", "a", "😀"),
        fc.nat(0x10ffff).map(point => String.fromCodePoint(point)),
      ),
    });
    fc.assert(
      fc.property(nasty, content => {
        const clean = cleanWebText(content);
        expect(clean).not.toMatch(/§|\p{Cc}|\p{Surrogate}|[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f]/u);
        expect(cleanWebText(clean)).toBe(clean);
      }),
    );
  });
});
