import english from "../languages/en_US.json" with { type: "json" };
import { setFormats } from "./format.ts";
import { isLanguage, type Language, nearest } from "./languages.ts";
import { setWords, type Words } from "./texts.ts";

const STORED = "language";
/** Longer than that nobody waits for a language, in milliseconds: the page is English then. */
const PATIENCE_MS = 4_000;

/** The language that was chosen in this browser, else the one that it prefers. */
export function ownLanguage(): Language {
  try {
    const stored = localStorage.getItem(STORED);
    if (isLanguage(stored)) return stored;
  } catch {
    // Without storage the browser's preference counts.
  }
  return nearest(navigator.languages);
}

export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Where the texts of a language lie: the build has written it into the page. */
function addressOf(language: Language): string | undefined {
  const all = document.querySelector<HTMLMetaElement>('meta[name="languages"]')?.content ?? "";
  return all.split(" ").find(path => path.includes(`assets/${language}.`));
}

/** Has the page speak a language from the next drawing on; the one of now, where it cannot be had. */
export async function speak(language: Language): Promise<void> {
  const words = language === "en_US" ? english : await load(addressOf(language));
  if (!words) return;
  const tag = language.replace("_", "-");
  setWords(words, tag);
  setFormats(tag);
  document.documentElement.lang = tag;
}

async function load(path: string | undefined): Promise<Words | undefined> {
  if (path === undefined) return undefined;
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}
