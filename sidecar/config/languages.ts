import german from "../../languages/de_DE.json" with { type: "json" };
import english from "../../languages/en_US.json" with { type: "json" };
import spanish from "../../languages/es_ES.json" with { type: "json" };
import french from "../../languages/fr_FR.json" with { type: "json" };
import italian from "../../languages/it_IT.json" with { type: "json" };
import japanese from "../../languages/ja_JP.json" with { type: "json" };
import portuguese from "../../languages/pt_BR.json" with { type: "json" };
import russian from "../../languages/ru_RU.json" with { type: "json" };
import chinese from "../../languages/zh_CN.json" with { type: "json" };
import taiwanese from "../../languages/zh_TW.json" with { type: "json" };
import type { HelloAnswer, LanguageTexts } from "../../shared/frames.ts";
import type { GameTextKey, GameTexts } from "../../shared/game-texts.ts";
import type { MessageKey } from "./messages.ts";

/** Sections of a language whose texts the pack shows; it has those of `offline` in English itself. */
type Sections = Record<"game" | "offline", Record<string, string>>;
const ofGame = ({ game, offline }: Sections): Record<string, string> => ({ ...game, ...offline });

const ENGLISH = ofGame(english);
const LANGUAGES: Record<string, Sections> = {
  de_DE: german,
  es_ES: spanish,
  fr_FR: french,
  it_IT: italian,
  ja_JP: japanese,
  pt_BR: portuguese,
  ru_RU: russian,
  zh_CN: chinese,
  zh_TW: taiwanese,
};

const KEYS = Object.keys(ENGLISH) as GameTextKey[];

/**
 * The texts that the pack needs. A text that an owner has changed is used in every language; all others are sent in each
 * language.
 */
export function textsForGame(messages: Record<MessageKey, string>): Pick<HelloAnswer, "texts" | "languages"> {
  const texts: GameTexts = Object.fromEntries(KEYS.map(key => [key, messages[key]]));
  const standard = new Set<string>(KEYS.filter(key => messages[key] === ENGLISH[key]));
  const languages = Object.entries(LANGUAGES).map(
    ([locale, sections]): LanguageTexts => ({
      locale,
      texts: Object.fromEntries(Object.entries(ofGame(sections)).filter(([key]) => standard.has(key))),
    }),
  );
  return { texts, languages };
}
