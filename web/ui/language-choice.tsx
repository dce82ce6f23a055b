import { LANGUAGES, type Language } from "../platform/languages.ts";
import { texts } from "../platform/texts.ts";
import type { PageProps } from "./start.tsx";

const NAMES = Object.keys(LANGUAGES) as Language[];

export const LanguageChoice = ({ language, onLanguage }: Pick<PageProps, "language" | "onLanguage">) => (
  <label class="language">
    {texts.language}
    <select
      value={language}
      onChange={({ currentTarget }) => {
        const chosen = NAMES.find(name => name === currentTarget.value);
        if (chosen) onLanguage(chosen);
      }}
    >
      {NAMES.map(name => (
        <option key={name} value={name} lang={name.replace("_", "-")}>
          {LANGUAGES[name]}
        </option>
      ))}
    </select>
  </label>
);
