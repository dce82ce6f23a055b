import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { helloAnswer } from "../../shared/frames.ts";
import { textsForGame } from "../../sidecar/config/languages.ts";
import { MESSAGES, type MessageKey } from "../../sidecar/config/messages.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";

const folder = new URL("../../languages/", import.meta.url);
type Language = Record<string, Record<string, string>>;
const read = (name: string): Language => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const files = readdirSync(folder);
const english = read("en_US.json");
const defaults = Object.fromEntries(
  Object.entries(MESSAGES).map(([key, message]) => [key, message.default]),
) as Record<MessageKey, string>;

const keys = (language: Language): string[] =>
  Object.entries(language).flatMap(([section, texts]) => Object.keys(texts).map(key => `${section}/${key}`));
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
const codes = (text: string): string[] => text.match(/§./gu) ?? [];

describe("the languages", () => {
  it("are English and at least five more, each named as in the game", () => {
    expect(files.length).toBeGreaterThanOrEqual(6);
    for (const file of files) expect(file).toMatch(/^[a-z]{2}_[A-Z]{2}\.json$/);
  });

  it("are all sent to the pack, except English, which is the default", () => {
    const sentFiles = textsForGame(defaults).languages.map(({ locale }) => `${locale}.json`);
    expect([...sentFiles, "en_US.json"].sort()).toEqual([...files].sort());
  });

  it("have the default of every text setting", () => {
    const { chat, game, offline } = english;
    expect(defaults).toEqual({ ...chat, ...game, ...offline });
    for (const [key, text] of Object.entries(defaults))
      expect(SETTINGS_BY_PATH.get(`messages.${key}`)?.default).toBe(text);
  });
});

describe.each(files)("%s", file => {
  const language = read(file);

  it("has every key, in the same order, and no other", () => {
    expect(keys(language)).toEqual(keys(english));
  });

  it("has the placeholders and colours of the English texts", () => {
    for (const [section, texts] of Object.entries(language))
      for (const [key, text] of Object.entries(texts)) {
        const model = english[section]?.[key] ?? "";
        expect([key, placeholders(text)]).toEqual([key, placeholders(model)]);
        expect([key, codes(text)]).toEqual([key, codes(model)]);
      }
  });

  it("has texts that the configuration would accept, within the limits of the protocol", () => {
    for (const section of ["chat", "game", "offline"])
      for (const [key, text] of Object.entries(language[section] ?? {}))
        expect([key, MESSAGES[key as MessageKey].read(text, "/")]).toEqual([key, { value: text }]);
  });

  it("has a name, a description and command texts on one line each", () => {
    for (const text of Object.values({ ...language.pack, ...language.commands }))
      expect(text).toMatch(/^[^\n=]{3,100}$/);
  });
});

describe("the texts for the pack", () => {
  const own = {
    product: "0.1.0",
    wire: 1,
    wireOldest: 1,
    session: "s",
    refreshMs: 5000,
    linkForm: "buttons",
    links: [],
  };

  it("pass the check of the protocol and take little space", () => {
    const answer = { ...own, ...textsForGame(defaults) };
    expect(helloAnswer(answer)).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(40 * 1024);
  });

  it("are the owner's in every language for which the owner has set one", () => {
    const { texts, languages } = textsForGame({ ...defaults, "api.link-accept": "Aye" });
    expect(texts["api.link-accept"]).toBe("Aye");
    for (const language of languages) {
      expect(language.texts["api.link-accept"]).toBeUndefined();
      expect(language.texts["api.link-decline"]).toBeTruthy();
    }
  });

  it("leave out messages for all players", () => {
    const { texts } = textsForGame(defaults);
    expect(Object.keys(texts).some(key => key.startsWith("api.chat"))).toBe(false);
  });
});

describe("the behavior pack", () => {
  it("is named as its texts say", () => {
    const manifest = JSON.parse(readFileSync(new URL("../manifest.json", folder), "utf8"));
    expect(manifest.header.name).toBe(english.pack?.name);
  });
});
