/** The languages of the page by the game's names for them, each in its own words. English is part of the script. */
export const LANGUAGES = {
  de_DE: "Deutsch",
  en_US: "English",
  es_ES: "Español",
  fr_FR: "Français",
  it_IT: "Italiano",
  ja_JP: "日本語",
  pt_BR: "Português (Brasil)",
  ru_RU: "Русский",
  zh_CN: "简体中文",
  zh_TW: "繁體中文",
} as const;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (name: string | null | undefined): name is Language =>
  name !== null && name !== undefined && name in LANGUAGES;

/** The parts of a tag. Some browsers prefer `C` or `en-US@posix`, as their system does, which are not valid. */
function localeOf(tag: string): Partial<Intl.Locale> {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return {};
  }
}

/**
 * The tag by which numbers and times of a page are written: the reader's own for its language, since `en-GB` has another clock than
 * `en-US`, else that of the language. `tags`: the reader's languages, best first.
 */
export function regionalTag(language: Language, tags: readonly string[]): string {
  const tag = language.replace("_", "-");
  const wanted = localeOf(tag);
  const own = tags.find(one => {
    const { language, script } = localeOf(one);
    return language === wanted.language && script === wanted.script;
  });
  return own ?? tag;
}

/** The page's language that is nearest to a reader's languages, BCP 47 tags, best first. */
export function nearest(tags: readonly string[]): Language {
  for (const tag of tags) {
    const { language, script, region } = localeOf(tag);
    if (language === "zh") return script === "Hant" || region === "TW" ? "zh_TW" : "zh_CN";
    const found = Object.keys(LANGUAGES).find(name => name.startsWith(`${language}_`));
    if (isLanguage(found)) return found;
  }
  return "en_US";
}
