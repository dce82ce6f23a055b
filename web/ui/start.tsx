import { type ComponentChild, render } from "preact";
import type { ServiceSettings } from "../../client/types.ts";
import { keepLanguage, ownLanguage, speak } from "../platform/language.ts";
import type { Language } from "../platform/languages.ts";
import { texts } from "../platform/texts.ts";
import { fetchJson } from "../service/fetch-json.ts";
import { BASE } from "../service/service.ts";
import { paintAccent } from "./accent.ts";

const RETRY_MS = 2_000;
/** After that whoever waits for the page is told so, in milliseconds. */
const TELL_AFTER_MS = 1_000;

/** What every page of the console is drawn with. */
export interface Shown {
  data: ServiceSettings;
  language: Language;
  onLanguage(language: Language): void;
}

/** Draws a page once its settings and its language are there, and says meanwhile that there is none yet. */
export async function start(page: (shown: Shown) => ComponentChild): Promise<void> {
  const place = document.getElementById("app");
  let language = ownLanguage();

  /** Says why there is no page yet. */
  function say(...sentences: string[]): void {
    if (place) render(<p class="not-yet">{sentences.join(" ")}</p>, place);
  }

  const telling = setTimeout(() => say(texts.loading), TELL_AFTER_MS);
  const [data] = await Promise.all([
    fetchJson<ServiceSettings>(`${BASE}console.json`, RETRY_MS, () => {
      clearTimeout(telling);
      say(`${texts.server.unreachable}.`, texts.unreachableHint);
    }),
    speak(language),
  ]);
  clearTimeout(telling);

  if (data.accent !== undefined) paintAccent(data.accent);

  function draw(): void {
    if (place) render(page({ data, language, onLanguage }), place);
  }

  async function onLanguage(next: Language): Promise<void> {
    await speak(next);
    language = next;
    keepLanguage(next);
    draw();
  }
  draw();
}
