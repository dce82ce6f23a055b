import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { type EditResult, withElement, withoutElement, withValue } from "./yaml-edit.ts";

const textOf = (made: EditResult): string => ("text" in made ? made.text : made.faults.join("\n"));
const fileValue = (text: string, key: string): unknown => readFileValues(text).values.get(key);

const PORT = "modules.api.port";
const SITES = "modules.api.cors-origins";
const [A, B, C] = ["https://a.example", "https://b.example", "https://c.example"];
const HOOK = { url: "https://discord.com/api/webhooks/1/x", format: "discord" };

describe("a value in the text of a configuration", () => {
  it.each([
    ["log:\n  level:   info # mine\n", "log.level", "warn", "log:\n  level: warn # mine\n"],
    ['log: {level: "info"} # mine\n', "log.level", "warn", "log: {level: warn} # mine\n"],
    ["modules.api:\r\n  port: 1\r\n# end\r\n", PORT, 2, "modules.api:\r\n  port: 2\r\n\r\n# end\r\n"],
    ["\uFEFFlog.level: info", "log.level", "true", '\uFEFFlog.level: "true"\n'],
    [
      `modules.api.cors-origins: # these\n  - ${A} # one\n  # two\n  - ${B}\nlog.level: info\n`,
      SITES,
      [C],
      `modules.api.cors-origins:\n  # these\n  ["${C}"]\nlog.level: info\n`,
    ],
  ])("is changed in place: %j, %s", (text, key, value, wanted) => {
    expect(textOf(withValue(text, key, value))).toBe(wanted);
  });

  it.each([
    ["", PORT, 2, "modules.api.port: 2\n"],
    ["# nothing", PORT, 2, "# nothing\n\nmodules.api.port: 2\n"],
    ["modules:\n", PORT, 2, "modules:\nmodules.api.port: 2\n"],
    [
      "modules:\n  api:\n    host: ::1 # here\n    # below\nlog.level: info\n",
      PORT,
      2,
      "modules:\n  api:\n    host: ::1 # here\n    port: 2\n    # below\nlog.level: info\n",
    ],
    ["modules:\n  api: {}\n", PORT, 2, "modules:\n  api: {port: 2}\n"],
    ['{"log": {"level": "info"}}\n', PORT, 2, '{"log": {"level": "info"}, modules.api.port: 2}\n'],
  ])("is added where it is missing: %j", (text, key, value, wanted) => {
    expect(textOf(withValue(text, key, value))).toBe(wanted);
    expect(fileValue(wanted, key)).toBe(value);
  });

  it.each([
    ["a: 1\na: 2\n", "line 2, column 1, at a: a key that is given twice"],
    ["log: [\n", "line 2, column 1: a [ or { above is not closed"],
    ["- a\n", `${PORT}: this file's formatting cannot be changed`],
    ["log: &l {level: info}\n---\nserver: *l\n", "line 2, column 1: a second document begins here"],
    ["x: &x\n  port: 1\nmodules:\n  api: *x\n", `${PORT}: this file's formatting cannot be changed`],
  ])("is rejected in a text that cannot contain it: %j", (text, why) => {
    expect(withValue(text, PORT, 2)).toEqual({ faults: [expect.stringContaining(why)] });
  });

  it("changes no other line of the default file, with either line end", () => {
    for (const text of [defaultConfigFile(), `\uFEFF${defaultConfigFile().replaceAll("\n", "\r\n")}`])
      for (const [key, { default: usual }] of SETTINGS_BY_PATH) {
        const value = Array.isArray(usual)
          ? [A, B]
          : typeof usual === "number"
            ? usual + 1
            : `${usual} other`;
        const after = textOf(withValue(text, key, value));
        expect(fileValue(after, key)).toEqual(value);
        const [was, is] = [text.split("\n"), after.split("\n")];
        expect(is.filter((line, i) => line !== was[i])).toHaveLength(1);
        expect(textOf(withValue(after, key, usual))).toBe(text);
      }
  });
});

describe("an element of a list", () => {
  it.each([
    [`[]`, `["${A}"]`],
    [`[ ${B} ] # mine`, `[${B}, "${A}"] # mine`],
    [`\n  - ${B} # b\n  # c\n  - ${C}`, `\n  - ${B} # b\n  # c\n  - ${C}\n  - "${A}"`],
    [`\n- ${B}\n# end`, `\n  - ${B}\n  - "${A}"\n\n# end`],
  ])("is added after the others: %j becomes %j", (list, wanted) => {
    const text = `${SITES}:${list.startsWith("[") ? " " : ""}${list}\n`;
    const before = fileValue(text, SITES);
    const after = textOf(withElement(text, SITES, Array.isArray(before) ? before : [], A));
    expect(after).toBe(`${SITES}:${wanted.startsWith("[") ? " " : ""}${wanted}\n`);
  });

  it("is written on several lines if it is an object, and like the other elements if there are some", () => {
    const lines = `webhooks:\n  - url: "${HOOK.url}"\n    format: discord\n`;
    expect(textOf(withElement("webhooks: []\n", "webhooks", [], HOOK))).toBe(lines);
    expect(textOf(withElement("log.level: info", "webhooks", [], HOOK))).toBe(`log.level: info\n${lines}`);
    expect(textOf(withElement(`${lines}# end\n`, "webhooks", [HOOK], { url: A, secret: "x" }))).toBe(
      `${lines}  - url: "${A}"\n    secret: x\n\n# end\n`,
    );
    expect(textOf(withElement(`webhooks: [{url: ${A}}]\n`, "webhooks", [{ url: A }], { url: B }))).toBe(
      `webhooks: [{url: ${A}}, {url: "${B}"}]\n`,
    );
    expect(textOf(withElement("{webhooks: []}\n", "webhooks", [], { url: B }))).toBe(
      `{webhooks: [{url: "${B}"}]}\n`,
    );
  });

  it.each([
    [`[ ${A}, ${B}, ${C} ] # mine`, 0, `[${B}, ${C}] # mine`],
    [`[ ${A}, ${B}, ${C} ]`, 2, `[${A}, ${B}]`],
    [`[ ${A} ] # mine`, 0, "[] # mine"],
    [`\n  - ${A} # a\n  # b\n  - ${B}\n  - ${C}\n\n# end`, 0, `\n  # b\n  - ${B}\n  - ${C}\n\n# end`],
    [`\n  - ${A}\n# end`, 0, " []\n\n# end"],
  ])("is removed, and the others stay: %j without number %s", (list, index, wanted) => {
    const text = `${SITES}:${list.startsWith("[") ? " " : ""}${list}\n`;
    const before = fileValue(text, SITES);
    const after = textOf(withoutElement(text, SITES, Array.isArray(before) ? before : [], index));
    expect(after).toBe(`${SITES}:${wanted.startsWith("[") ? " " : ""}${wanted}\n`);
  });

  it("can be added and removed among any others", () => {
    const word = fc.stringMatching(/^[a-z:#{}" -]{1,12}$/);
    const others = fc.dictionary(fc.constantFrom("url", "secret"), word, {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(fc.array(others, { minLength: 1 }), fc.boolean(), (list, inLines) => {
        const start = "webhooks: []\r\nlog.level: info # end\r\n";
        const written = { text: start.replace("[]", JSON.stringify(list)) };
        const filled = textOf(inLines ? withValue(start, "webhooks", list) : written);
        const more = textOf(withElement(filled, "webhooks", list, HOOK));
        expect(fileValue(more, "webhooks")).toEqual([...list, HOOK]);
        const less = textOf(withoutElement(more, "webhooks", [...list, HOOK], list.length));
        expect(fileValue(less, "webhooks")).toEqual(list);
        expect(less.endsWith("log.level: info # end\r\n")).toBe(true);
      }),
    );
  });
});
