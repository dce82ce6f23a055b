import english from "../languages/en_US.json" with { type: "json" };
import type { HelloAnswer } from "../shared/frames.ts";
import type { GameTextKey, GameTexts } from "../shared/game-texts.ts";

export type TextValues = Record<string, string | number>;

export type Texts = ReturnType<typeof createTexts>;

/** Every text that a player sees, in the language of that player. */
export function createTexts() {
  let defaults: GameTexts = english.offline;
  let languages: HelloAnswer["languages"] = [];
  let textsId: string | undefined;

  /** Texts of a locale, or of the same language in another country; not for Chinese, whose scripts differ. */
  function textsOf(locale = ""): GameTexts | undefined {
    const language = /^(?!zh)[a-z]+_/.exec(locale)?.[0];
    const found =
      languages.find(each => each.locale === locale) ??
      languages.find(each => language && each.locale.startsWith(language));
    return found?.texts;
  }

  return {
    /** Identifies the texts of the sidecar; undefined: there are none, or an older sidecar sent them. */
    id: (): string | undefined => textsId,
    /** Sets the texts of the sidecar. Until then, only the English texts needed offline are available. */
    update(answer: Pick<HelloAnswer, "texts" | "languages" | "textsId">) {
      if (answer.textsId !== undefined && answer.textsId === textsId) return;
      textsId = answer.textsId;
      defaults = { ...english.offline, ...answer.texts };
      languages = answer.languages;
    },
    /** The text with its `{names}` replaced by the values. */
    text(locale: string | undefined, key: GameTextKey, values: TextValues = {}): string {
      const text = textsOf(locale)?.[key] ?? defaults[key] ?? key;
      return text.replace(/\{(\w+)\}/g, (name, word) => String(values[word] ?? name));
    },
  };
}
