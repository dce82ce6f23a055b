import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

/** Every text of a folder's file, with its key. */
function textsOf(path: string, name: string): [where: string, text: string][] {
  const file = new URL(`../../${path}/${name}.json`, import.meta.url);
  const under = (value: object, where: string): [string, string][] =>
    Object.entries(value).flatMap(([key, one]): [string, string][] =>
      typeof one === "string" ? [[`${where}/${key}`, one]] : under(one, `${where}/${key}`),
    );
  return under(JSON.parse(readFileSync(file, "utf8")), path);
}

const NAMES = readdirSync(new URL("../../languages/", import.meta.url)).map(file =>
  file.replace(".json", ""),
);
const page = (name: string) => textsOf("web/languages", name);
const both = (name: string) => [...page(name), ...textsOf("languages", name)];
const having = (texts: [string, string][], what: RegExp) => texts.filter(([, text]) => what.test(text));

const HAN = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]";
/** A half-width punctuation mark beside a full-width character or a placeholder. */
const NARROW = new RegExp(`(${HAN}|\\})[,;:?!()]|${HAN} \\(`, "u");

describe("the texts of web console and game", () => {
  it.each(["ja_JP", "zh_CN", "zh_TW"])("have the punctuation of the script, in %s", name => {
    expect(having(both(name), NARROW)).toEqual([]);
  });

  it.each([
    ["fr_FR", /(?<!\p{L})(tu|te|toi|ton|ta|tes|t['’]\p{L}+)(?!\p{L})/iu],
    ["ru_RU", /(?<!\p{L})(ты|тебя|тебе|тобой|тво\p{L}+)(?!\p{L})/iu],
    ["de_DE", /(?<!\p{L})(Ihnen|Ihr|Ihre[mnrs]?)(?!\p{L})/u],
    ["es_ES", /(?<!\p{L})(usted|ustedes)(?!\p{L})/iu],
    ["it_IT", /(?<!\p{L})(Lei|voi|vostr\p{L})(?!\p{L})/u],
    ["pt_BR", /(?<!\p{L})(tu|teu|tua|ti|contigo)(?!\p{L})/iu],
    ["zh_CN", /您/],
    ["zh_TW", /您/],
  ])("address their reader in one way, in %s", (name, other) => {
    expect(having(both(name), other)).toEqual([]);
  });

  it.each(NAMES)("have neither straight quotation marks nor three dots, in %s", name => {
    expect(having(both(name), /"|\.\.\./)).toEqual([]);
  });

  it("have non-breaking spaces in French, on the web console", () => {
    expect(having(page("fr_FR"), / [;:!?»]|« |\p{L}[;:!?](?!\p{L})/u)).toEqual([]);
  });
});
