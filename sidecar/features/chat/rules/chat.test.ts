import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { lineForGame, lineForWeb, webLine } from "./chat.ts";
import { encodeColours } from "./colours.ts";

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

  /** Every code with a colour, as of game 1.26.50. */
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

  it("treats no other letter or digit as a colour", () => {
    const codes = COLOURS.map(([code]) => code);
    const others = [..."0123456789abcdefghijklmnopqrstuvwxyz"].filter(code => !codes.includes(code));
    expect(others.join("")).toBe("klorxyz");
    for (const code of others) expect(encodeColours([`§${code}`, "x"])).toMatch(/^§§.*x$/);
  });

  const tricky = fc.string({
    unit: fc.oneof(fc.constantFrom("§", "#", "a", "r", "l", "5", "y", " "), fc.string({ maxLength: 1 })),
    maxLength: 30,
  });

  it("leaves no § of a player's text except its own markers", () => {
    fc.assert(
      fc.property(tricky, tricky, (name, text) => {
        const line = lineForWeb(name, text);
        expect(line.replace(/§(§|#[0-9a-f]{6})[^§]+/g, "")).toBe("");
      }),
    );
  });

  it("keeps every character that is not part of a code", () => {
    fc.assert(
      fc.property(tricky, text => {
        const visible = encodeColours([text]).replace(/§(§|#[0-9a-f]{6})/g, "");
        expect(visible).toBe(text.replace(/§[0-9a-w]?/gi, ""));
      }),
    );
  });
});

describe("web to game", () => {
  const NAMES = { browser: "0123abcd", label: "kxwtmhzr" };
  const FORMAT = "§7[Web]§r {content}";
  /** What the game shows for a text from the website, if anything. */
  function inGame(format: string, text: string, player: string): string | undefined {
    const line = webLine(text, 512);
    return line && lineForGame(format, line, player, NAMES);
  }

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

  it("inserts text, player and browser into the format without expanding them", () => {
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
  ])("accepts a limited number of %j: a character that is escaped as six counts as six", (char, most) => {
    expect(webLine(`x${char.repeat(most - 1)}`, 512)).toBeDefined();
    expect(webLine(char.repeat(most + 1), 512)).toBeUndefined();
  });
});
