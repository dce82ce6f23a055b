import { describe, expect, it } from "@jest/globals";
import { withValue } from "../../owner/setup/yaml-edit.ts";
import { faultsFrom as faultsOf } from "../../test/helpers/config.ts";
import { readConfig } from "./read.ts";
import { MAX_LEVELS, MAX_TOKENS, parseYaml } from "./yaml.ts";

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
const MUCH = /^line \d+, column \d+: it has more than 20000 names, values, signs and comments: expected/;

/** Texts that slow down YAML parsers, by their result. */
const HOSTILE: [name: string, text: string, fault: RegExp][] = [
  ["lists in lists", filled("["), DEEP],
  ["objects in objects", filled("{a: "), DEEP],
  ["keys below keys", Array.from({ length: 1400 }, (_, i) => `${" ".repeat(i)}a:\n`).join(""), DEEP],
  ["dashes behind dashes", filled("- "), DEEP],
  ["questions behind questions", filled("? "), DEEP],
  ["colons behind colons", filled(": "), /^line 1, /],
  ["one key for ever", filled("port: 1\n"), MUCH],
  ["keys for ever", filled(place => `k${place}: 1\n`), MUCH],
  ["elements for ever", filled("- 1\n", "a:\n"), MUCH],
  ["commas", filled(",", "a: [", "]"), MUCH],
  ["anchors", filled("& "), MUCH],
  ["values by their names", filled("- *a\n", "- &a x\n"), MUCH],
  ["tags", filled("- !x y\n"), MUCH],
  ["keys that are merged", filled("<<: *a\n", "a: &a {b: 1}\n"), MUCH],
  ["comments", filled("#\n"), MUCH],
  ["documents", filled("---\n"), /^line \d+, column \d+: (a second document begins|it has more than)/],
  ["directives", filled("%YAML 1.2\n"), MUCH],
];

/** The largest accepted texts, with or without another mistake. */
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
  ["lines in quotes", filled("x\n ", 'log.level: "', '"')],
  ["escapes", filled("\\x41", 'log.level: "', '"')],
];

/** Without limits this takes minutes on any machine. */
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

describe("a text as YAML", () => {
  it.each(HOSTILE)("is rejected early if it has %s, with the line", (_name, text, fault) => {
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

  it("may be as deep as the limit, and no deeper", () => {
    const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect(parseYaml(nested(MAX_LEVELS)).faults).toEqual([]);
    expect(parseYaml(nested(MAX_LEVELS + 1)).faults).toEqual([expect.stringMatching(DEEP)]);
    const below = (levels: number): string =>
      Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:\n`).join("");
    expect(parseYaml(below(MAX_LEVELS)).faults).toEqual([]);
    expect(parseYaml(below(MAX_LEVELS + 1)).faults).toEqual([
      `line ${MAX_LEVELS + 1}, column ${MAX_LEVELS + 2}: it is nested deeper than ${MAX_LEVELS}: expected a configuration`,
    ]);
  });

  it("names the line at which it is too large", () => {
    // Each comment and each end of a line counts.
    const text = "#\n".repeat(MAX_TOKENS / 2);
    expect(parseYaml(text).faults).toEqual([]);
    expect(parseYaml(`${text}# more\n`).faults).toEqual([
      `line ${MAX_TOKENS / 2 + 1}, column 1: it has more than ${MAX_TOKENS} names, values, signs and comments: expected a configuration`,
    ]);
  });

  it("is not edited if it is too large, with the same message", () => {
    for (const text of ["a: ".concat("[".repeat(30)), "port: 1\n".repeat(9000)])
      expect(withValue(text, PORT, 2)).toEqual({ faults: faultsOf(text) });
  });

  it("reports the first of many mistakes, and that there are more", () => {
    const faults = faultsOf(Array.from({ length: 1000 }, (_, i) => `k${i}: 1\n`).join(""));
    expect(faults).toHaveLength(51);
    expect(faults.at(-1)).toBe("the file: it has more mistakes: fix these first");
  });
});

const QUOTES = "put quotes around the whole value";
const COLUMN = "not indented like the keys next to it: expected the same column";
const OPEN = "a [ or { above is not closed: expected ] or }";
const SPACE = "no space after the colon of a key: expected one";
const BEHIND = `text after the end of a value in quotes or brackets, or after | or >: ${QUOTES}`;
const CLOSED = "this quote is not closed: expected another at the end of the value";
const COMMENT = `# starts a comment, so this key has no value: ${QUOTES}`;
const EACH = ", each with a colon and a space after it";
const EQUALS = "an = after the key: expected a colon and a space";
const NO_KEY = "no colon after the key: expected a key, a colon, a space and a value";
const PLAIN = "a space that is not a plain one: expected plain spaces";
const DASH = `a dash after a key: ${QUOTES}, or write the list on the lines below`;
const COLON = `a value with a colon and a space in it: ${QUOTES}`;
const BACKSLASH = "a backslash in double quotes: put single quotes around the value instead";
const CURLY = "curly quotes: expected straight ones, \" or '";
const NO_SPACE = `a # without a space before it: ${QUOTES}, or write a space before a comment`;

/** Mistakes of people who do not know YAML, and the messages about them. */
const MISTAKES: [text: string, fault: string][] = [
  ["modules:\n  api:\n    port:8080\n    host: x\n", `line 3, column 5, at port: ${SPACE}`],
  ["bridge.port: 1\nlog.level:info\n", `line 2, column 1, at log.level: ${SPACE}`],
  ["bridge:\n  port:\u00a08080\n", `bridge: a string: expected keys below it${EACH}`],
  ["port:8080\n", `the file: a string: expected keys with values${EACH}`],
  ["bridge:\n  port = 8080\n  host: x\n", `line 2, column 3, at port: ${EQUALS}`],
  ["bridge:\n  port 8080\n  host: x\n", `line 2, column 3, at port: ${NO_KEY}`],
  ["// mine\nbridge:\n  port: 1\n", "line 1, column 1: expected a # in front of a comment"],
  ["bridge:\n  port: 1\n\n    host: x\n", `line 4, column 1, at host: ${COLUMN}`],
  ["bridge:\n  port: 1\n host: x\n", `line 3, column 1, at host: ${COLUMN}`],
  [
    "webhooks:\n- url: x\n  events: [a]\n secret: y\n",
    `line 4, column 1, at secret: ${COLUMN}, or a dash in front of a list item`,
  ],
  ["bridge:\n\tport: 1\n", "line 2, column 1, at port: a tab: expected spaces"],
  ["bridge:\n\u00a0\u00a0port: 1\n", `line 2, column 1, at port: ${PLAIN}`],
  ["bridge:\n  \u200bport: 1\n", `line 2, column 3: ${PLAIN}`],
  ["bridge:\n  port: 1\n  port: 2\n", "line 3, column 3, at port: a key that is given twice: expected once"],
  [
    "bridge.port: 1\n---\nlog.level: info\n",
    "line 2, column 1: a second document begins here (---): expected one",
  ],
  ...[..."@`%*&!"].map((sign): [string, string] => [
    `bridge:\n  token: ${sign}S3CRET\n`,
    `line 2, column ${sign === "&" || sign === "!" ? 17 : 10}, at token: a value that begins with ${sign}: ${QUOTES}`,
  ]),
  ["bridge.token: & S3CRET\n", `line 1, column 15, at bridge.token: a value that begins with &: ${QUOTES}`],
  [
    "modules.api.hosts: [*.example.com]\n",
    `line 1, column 21, at modules.api.hosts: a value that begins with *: ${QUOTES}`,
  ],
  ['bridge:\n  token: "S3CRET\nlog.level: info\n', `line 2, column 10, at token: ${CLOSED}`],
  ["bridge:\n  token: 'S3CRET\nlog:\n  level: 'info'\n", `line 2, column 10, at token: ${CLOSED}`],
  ["modules.api.hosts: [a, b\nlog.level: info\n", `line 2, column 1, at log.level: ${OPEN}`],
  ["bridge: {port: 1\nlog.level: info\n", `line 2, column 1, at log.level: ${OPEN}`],
  ["modules.api.hosts: []]\n", "line 1, column 22, at modules.api.hosts: a ] that closes nothing: remove it"],
  ['bridge.token: "S3" CRET\n', `line 1, column 20, at bridge.token: ${BEHIND}`],
  ["bridge.token: 'S3'CRET'\n", `line 1, column 19, at bridge.token: ${BEHIND}`],
  ["bridge.token: [S3] CRET\n", `line 1, column 20, at bridge.token: ${BEHIND}`],
  ["bridge.token: > S3CRET\n", `line 1, column 17, at bridge.token: ${BEHIND}`],
  ["bridge.token: - S3CRET\n", `line 1, column 15, at bridge.token: ${DASH}`],
  ["bridge.token: S3: CRET\n", `line 1, column 15, at bridge.token: ${COLON}`],
  ['storage.folder: "C:\\Users\\me"\n', `line 1, column 20, at storage.folder: ${BACKSLASH}`],
  ["modules.web.title: \u201cMine\u201d\n", `line 1, column 20, at modules.web.title: ${CURLY}`],
  ["storage.folder: \u2018data\u2019\n", `line 1, column 17, at storage.folder: ${CURLY}`],
  [
    "modules.web.accent: #38682f # green\r\n",
    `line 1, column 1, at modules.web.accent: ${COMMENT}, as in "#38682f"`,
  ],
  ["modules.api.hosts: [#a, b]\n", `line 1, column 21, at modules.api.hosts: ${NO_SPACE}`],
  ...["server: {name: a}\n", ""].map((next): [string, string] => [
    `bridge: {token: #S3CRET}\n${next}`,
    `line 1, column 17, at bridge: # starts a comment, which takes in the ] or }: ${QUOTES}`,
  ]),
  ["storage:\n  folder: #data\n", `line 2, column 3, at folder: ${COMMENT}, as in "#data"`],
  ["modules:\n  api:\n    admin-api-key:  #S3CRET\n", `line 3, column 5, at admin-api-key: ${COMMENT}`],
  ["servers:\n  - name: lobby\n    token: #S3CRET\n", `line 3, column 5, at token: ${COMMENT}`],
];

describe("a mistake in YAML", () => {
  it.each(MISTAKES)(
    "is reported with line, key and what to write, and without a value: %j",
    (text, fault) => {
      expect(faultsOf(text)).toEqual([fault]);
      expect(fault).not.toMatch(/S3|CRET/);
    },
  );

  it.each([
    "bridge.port: #8080\n",
    "bridge.token: # made on first start\n",
    "modules.api: #all of them\n  port: 9000\n",
    "modules.web.title: &title Mine\nserver.info.title: *title\n",
    "server.name: !!str 2\n",
    "modules.web.title: Ours! 100% & more\n",
    "\ufeffbridge:\r\n  port: 9000\r\n",
  ])("is not reported for %j", text => {
    expect(readConfig(text, {}, "/")).toMatchObject({ config: {}, warnings: [] });
  });

  it.each([
    ["modules.web.title: My server #1\n", 1],
    ["modules.api.admin-api-key: a-good-key #0123456789\n", 1],
    ["servers:\n  - {name: lobby, title: Lobby} #1\n  - name: b\n    title: Lobby #2\n", 4],
  ])("is reported if the end of a value is a comment: %j", (text, line) => {
    expect(readConfig(text, {}, "/")).toMatchObject({
      warnings: [
        expect.stringMatching(
          new RegExp(`^line ${line}, .*the value ends before the #, which starts a comment`),
        ),
      ],
    });
    for (const fine of ["modules.web.title: Mine # 1\n", "bridge.host: 0.0.0.0 #all\n"])
      expect(readConfig(fine, {}, "/")).toMatchObject({ warnings: [] });
  });
});
