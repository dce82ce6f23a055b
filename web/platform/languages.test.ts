import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { ERROR_CODES } from "../../client/index.ts";
import { isLanguage, LANGUAGES, nearest, regionalTag } from "./languages.ts";

const NAMES = Object.keys(LANGUAGES);
const folder = (path: string): URL => new URL(`../../${path}/`, import.meta.url);
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder("web/languages")), "utf8"));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const isForms = (value: Record<string, unknown>): boolean =>
  "other" in value && Object.keys(value).every(form => /^(zero|one|two|few|many|other)$/.test(form));
const inserts = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

/** The texts by their path; forms of a number count as one, with the kinds of number that they are for. */
function texts(value: unknown, path = ""): [string, string[], string][] {
  if (!isObject(value)) return [[path, inserts(String(value)), String(value)]];
  if (!isForms(value)) return Object.entries(value).flatMap(([key, one]) => texts(one, `${path}.${key}`));
  return [[path, inserts(String(value.other)), `${Object.values(value).join("")}`]];
}
/** Each text that is about a number, by the kinds of number. */
function eachForms(value: unknown): Record<string, unknown>[] {
  if (!isObject(value)) return [];
  return isForms(value) ? [value] : Object.values(value).flatMap(eachForms);
}

/** Buttons by the path of their label, and what screen readers and voice control call them. */
const NAMED = {
  ".remove": ".removeName",
  ".kick": ".kickName",
  ".ban": ".banName",
  ".unban": ".unbanName",
  ".sites.end": ".sites.endOf",
};

describe("the languages of the web console", () => {
  const english = texts(read("en_US"));

  it("are those of the game texts", () => {
    const files = (path: string): string[] =>
      readdirSync(folder(path)).map(name => name.replace(".json", ""));
    expect(files("web/languages").sort()).toEqual(NAMES);
    expect(
      files("languages")
        .filter(name => /^[a-z]{2}_[A-Z]{2}$/.test(name))
        .sort(),
    ).toEqual(NAMES);
  });

  it.each(NAMES)("have every text with its placeholders, in %s", name => {
    const own = texts(read(name));
    expect(own.map(([path, put]) => [path, put])).toEqual(english.map(([path, put]) => [path, put]));
    const empty = own.filter(([, , text]) => text.trim() === "").map(([path]) => path);
    expect(empty).toEqual([".from.game", ".fromHint.game"]);
  });

  it.each(NAMES)(
    "have a text for each plural form, with the number where the form fits several, in %s",
    name => {
      const rules = new Intl.PluralRules(name.replace("_", "-"));
      const numbers = Array.from({ length: 200 }, (_, i) => rules.select(i + 1));
      const several = new Set(numbers.filter((kind, i) => numbers.indexOf(kind) !== i));
      for (const one of eachForms(read(name)))
        for (const kind of numbers)
          expect([kind, one[kind]]).toEqual([
            kind,
            expect.stringContaining(several.has(kind) ? "{count}" : ""),
          ]);
    },
  );

  it.each(NAMES)("have the label of a button in its spoken name, in %s", name => {
    const own = new Map(texts(read(name)).map(([path, , text]) => [path, text.toLowerCase()]));
    for (const [label, spoken] of Object.entries(NAMED))
      expect(own.get(spoken)).toContain(own.get(label) ?? label);
  });

  it("explain every error code that a visitor can cause", () => {
    const known = new Set(english.map(([path]) => path));
    expect(ERROR_CODES.filter(code => !known.has(`.faults.${code}`)).sort()).toEqual([
      "bad_request",
      "idempotency_key_in_use",
      "idempotency_key_reused",
      "invalid_idempotency_key",
      "invalid_label",
      "invalid_query",
      "method_not_allowed",
      "not_found",
      "unknown_server",
      "unknown_session",
      "upgrade_required",
    ]);
  });

  it("follow the browser's preference, and fall back to English", () => {
    expect(nearest(["de-AT", "en"])).toBe("de_DE");
    expect(nearest(["ko", "pt-PT"])).toBe("pt_BR");
    expect(["zh", "zh-SG", "zh-HK", "zh-Hant", "zh-TW"].map(tag => nearest([tag]))).toEqual([
      ...["zh_CN", "zh_CN", "zh_TW", "zh_TW", "zh_TW"],
    ]);
    expect([nearest(["ko"]), nearest([])]).toEqual(["en_US", "en_US"]);
    expect(nearest(["C", "en-US@posix", "*", "", "ja"])).toBe("ja_JP");
  });

  it("write times as in the reader's region, if it has the language of the page", () => {
    const preferred = ["C", "fr", "en-GB", "en-US", "zh-HK"];
    expect(regionalTag("en_US", preferred)).toBe("en-GB");
    expect(regionalTag("zh_TW", preferred)).toBe("zh-HK");
    expect(["zh_CN", "de_DE"].map(name => isLanguage(name) && regionalTag(name, preferred))).toEqual([
      ...["zh-CN", "de-DE"],
    ]);
  });
});
