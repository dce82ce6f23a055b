import english from "../languages/en_US.json" with { type: "json" };
import { setFormats } from "./format.ts";
import { type Language, regionalTag } from "./languages.ts";
import { partAddress } from "./parts.ts";
import { setWords, type Words } from "./texts.ts";

/** How long a language may take to load, in milliseconds: the page is English then. */
const LOAD_TIMEOUT_MS = 4_000;

/** Switches the texts to a language, to be drawn next; keeps the current ones where it cannot be loaded. */
export async function loadLanguage(language: Language): Promise<void> {
  const words = language === "en_US" ? english : await fetchWords(partAddress(language));
  if (!words) return;
  const tag = language.replace("_", "-");
  setWords(words, tag);
  setFormats(regionalTag(language, navigator.languages));
  document.documentElement.lang = tag;
}

async function fetchWords(path: string | undefined): Promise<Words | undefined> {
  if (path === undefined) return undefined;
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}
