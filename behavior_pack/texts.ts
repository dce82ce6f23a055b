import english from "../languages/en_US.json" with { type: "json" };
import type { HelloAnswer } from "../shared/frames.ts";
import type { GameTextKey, GameTexts } from "../shared/texts.ts";

export type Texts = ReturnType<typeof createTexts>;

/** Every text that a player sees, in the language of that player. */
export function createTexts() {
  let everybody: GameTexts = english.offline;
  let languages: HelloAnswer["languages"] = [];

  /** Texts of a language, or of the same one as it is spoken elsewhere; Chinese differs in how it is written. */
  function own(locale: string): GameTexts | undefined {
    const near = /^(?!zh)[a-z]+_/.exec(locale)?.[0];
    const found =
      languages.find(each => each.locale === locale) ??
      languages.find(each => near !== undefined && each.locale.startsWith(near));
    return found?.texts;
  }

  return {
    /** Takes over what the sidecar sent; until then there are some in English, which are needed without a sidecar. */
    take(answer: Pick<HelloAnswer, "texts" | "languages">) {
      everybody = { ...english.offline, ...answer.texts };
      languages = answer.languages;
    },
    /** The text with the values in the place of their `{names}`. */
    tell(locale: string | undefined, key: GameTextKey, values: Record<string, string | number> = {}): string {
      const text = own(locale ?? "")?.[key] ?? everybody[key] ?? key;
      return text.replace(/\{(\w+)\}/g, (name, word) => String(values[word] ?? name));
    },
  };
}
