import { describe, expect, it } from "@jest/globals";
import { withValue } from "../../owner/setup/edit.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { MOST_LEVELS, MOST_LEXEMES, parseYaml } from "../../sidecar/config/yaml.ts";

const MIB = 1024 * 1024;
const PORT = "modules.api.port";

/** As much of a text as a configuration may have in bytes. */
const filled = (part: string | ((place: number) => string), before = "", after = ""): string => {
  const parts: string[] = [before];
  for (let [place, length] = [0, before.length + after.length]; ; place++) {
    const next = typeof part === "string" ? part : part(place);
    length += next.length;
    if (length > MIB) return [...parts, after].join("");
    parts.push(next);
  }
};

const DEEP = /^line \d+, column \d+: it is nested deeper than 20: expected/;
const MUCH = /^line \d+, column \d+: it holds more than 20000 names, values, signs and comments: expected/;

/** What makes readers of YAML slow, by what becomes of it. */
const HOSTILE: [name: string, text: string, fault: RegExp][] = [
  ["lists in lists", filled("["), DEEP],
  ["lists in lists that end", `a: ${"[".repeat(400_000)}${"]".repeat(400_000)}`, DEEP],
  ["objects in objects", filled("{a: "), DEEP],
  ["keys below keys", Array.from({ length: 1400 }, (_, i) => `${" ".repeat(i)}a:\n`).join(""), DEEP],
  ["dashes behind dashes", filled("- "), DEEP],
  ["questions behind questions", filled("? "), DEEP],
  ["colons behind colons", filled(": "), /^line 1, /],
  ["one key for ever", filled("port: 1\n"), MUCH],
  ["keys for ever", filled(place => `k${place}: 1\n`), MUCH],
  ["elements for ever", filled("- 1\n", "a:\n"), MUCH],
  ["elements in one line", filled("1,", "a: [", "]"), MUCH],
  ["commas", filled(",", "a: [", "]"), MUCH],
  ["anchors", filled("& "), MUCH],
  ["brackets that close", filled("]"), MUCH],
  ["names of values", filled(place => `- &a${place} x\n`), MUCH],
  ["values by their names", filled("- *a\n", "- &a x\n"), MUCH],
  ["tags", filled("- !x y\n"), MUCH],
  ["keys that are merged", filled("<<: *a\n", "a: &a {b: 1}\n"), MUCH],
  ["comments", filled("#\n"), MUCH],
  ["lines", filled("\n"), MUCH],
  [
    "documents",
    filled("---\n"),
    /^line \d+, column \d+: (Source contains multiple documents|it holds more than 20000)/,
  ],
  ["directives", filled("%YAML 1.2\n"), MUCH],
  ["keys that are wrong", filled("a: b: c\n"), DEEP],
];

/** The most that is just taken as it is, in which something else is wrong or not. */
const JUST: [name: string, text: string][] = [
  ["keys that nobody knows", Array.from({ length: 2800 }, (_, i) => `k${i}: 1\n`).join("")],
  ["keys like known ones", Array.from({ length: 2800 }, (_, i) => `modules.api.porta${i}: 1\n`).join("")],
  ["keys that are there twice", "port: 1\n".repeat(2800)],
  ["one long key", `? ${"a".repeat(MIB - 10)}\n: 1\n`],
  ["origins", `modules.api.cors-origins:\n${"- https://a.example\n".repeat(3900)}`],
  ["admin keys", `modules.api.admin-keys:\n${"- {a: 1}\n".repeat(1700)}`],
  ["values by their names", `a: &a x\nb:\n${"- *a\n".repeat(3900)}`],
  ["lines of a value", filled("x\n  ", "a: ")],
  ["lines of a text", filled(" x\n", "a: |\n")],
  ["lines of a text that is folded", filled(" x\n", "a: >\n")],
  ["lines in quotes", filled("x\n ", 'log.level: "', '"')],
  ["escapes", filled("\\x41", 'log.level: "', '"')],
];

/** What is not bounded takes minutes of any machine. */
const BOUNDED_MS = 3_000;

/** Milliseconds of CPU, of the better of two runs: the first one compiles. */
function cpuMs(act: () => void): number {
  const times = [0, 1].map(() => {
    const begin = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

const faultsOf = (text: string): string[] => {
  const result = readConfig(text, {}, "/");
  return "faults" in result ? result.faults : [];
};

describe("a text as YAML", () => {
  it.each(HOSTILE)("is left where there are %s, at once, with the line", (_name, text, fault) => {
    let faults: string[] = [];
    const ms = cpuMs(() => {
      faults = faultsOf(text);
    });
    expect(faults[0]).toMatch(fault);
    expect(ms).toBeLessThan(BOUNDED_MS);
  });

  it.each(JUST)("is read in bounded time up to the bound, with %s", (_name, text) => {
    expect(text.length).toBeLessThanOrEqual(MIB);
    let faults: string[] = [];
    const ms = cpuMs(() => {
      faults = faultsOf(text);
    });
    expect(faults.join()).not.toMatch(DEEP);
    expect(faults.join()).not.toMatch(MUCH);
    expect(faults.length).toBeLessThanOrEqual(51);
    expect(ms).toBeLessThan(BOUNDED_MS);
  });

  it("may be as deep as the bound, and no deeper", () => {
    const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect(parseYaml(nested(MOST_LEVELS)).faults).toEqual([]);
    expect(parseYaml(nested(MOST_LEVELS + 1)).faults).toEqual([expect.stringMatching(DEEP)]);
    const below = (levels: number): string =>
      Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:\n`).join("");
    expect(parseYaml(below(MOST_LEVELS)).faults).toEqual([]);
    expect(parseYaml(below(MOST_LEVELS + 1)).faults).toEqual([
      `line ${MOST_LEVELS + 1}, column ${MOST_LEVELS + 2}: it is nested deeper than ${MOST_LEVELS}: expected a configuration`,
    ]);
  });

  it("names the line where it becomes too much", () => {
    // Each comment and each end of a line counts.
    const text = "#\n".repeat(MOST_LEXEMES / 2);
    expect(parseYaml(text).faults).toEqual([]);
    expect(parseYaml(`${text}# more\n`).faults).toEqual([
      `line ${MOST_LEXEMES / 2 + 1}, column 1: it holds more than ${MOST_LEXEMES} names, values, signs and comments: expected a configuration`,
    ]);
  });

  it("has room for many times what the first start writes", () => {
    const keys = Array.from({ length: 100 }, (_, i) => ({
      name: `key-${i}`,
      sha256: i.toString(16).padStart(64, "0"),
      scopes: ["whitelist:read", "whitelist:write", "links:read"],
    }));
    const edited = withValue(defaultConfigFile(), "modules.api.admin-keys", keys);
    const text = "text" in edited ? edited.text : "";
    expect(readConfig(text, {}, "/")).toHaveProperty("config.modules.api.adminKeys.length", 100);
    expect(parseYaml(text.repeat(3)).faults.join()).not.toMatch(MUCH);
  });

  it("is not edited where it is too much, which is said in the same words", () => {
    for (const text of ["a: ".concat("[".repeat(30)), "port: 1\n".repeat(9000)])
      expect(withValue(text, PORT, 2)).toEqual({ faults: faultsOf(text) });
  });

  it("tells the first of many faults, and that there are more", () => {
    const faults = faultsOf(Array.from({ length: 1000 }, (_, i) => `k${i}: 1\n`).join(""));
    expect(faults).toHaveLength(51);
    expect(faults.at(-1)).toBe("the file: more than that is wrong with it: mend this first");
  });
});
