import { isLanguage, type Language, nearest } from "./languages.ts";
import { readStored, store } from "./storage.ts";

const STORED = "language";

/** The language that was chosen in this browser, else the one that it prefers. */
export function ownLanguage(): Language {
  const stored = readStored(STORED);
  return isLanguage(stored) ? stored : nearest(navigator.languages);
}

export const storeLanguage = (language: Language): void => store(STORED, language);
