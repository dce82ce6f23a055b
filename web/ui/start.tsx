import { type ComponentChild, render } from "preact";
import type { ServiceSettings } from "../../client/types.ts";
import { loadLanguage } from "../platform/language.ts";
import type { Language } from "../platform/languages.ts";
import { ownLanguage, storeLanguage } from "../platform/own-language.ts";
import { texts } from "../platform/texts.ts";
import { withDistinctTitles } from "../servers/server-titles.ts";
import { fetchJson } from "../service/fetch-json.ts";
import { BASE } from "../service/service.ts";
import { paintAccent } from "./accent.ts";

const RETRY_MS = 2_000;
/** How long the page stays empty before it says that it is loading, in milliseconds. */
const LOADING_AFTER_MS = 1_000;

/** What every page of the console needs. */
export interface PageProps {
  data: ServiceSettings;
  language: Language;
  onLanguage(language: Language): void;
}

/** Draws a page once its settings and its language have loaded, and a line of text until then. */
export async function start(page: (props: PageProps) => ComponentChild): Promise<void> {
  const root = document.getElementById("app");
  let language = ownLanguage();

  const show = (content: ComponentChild): void => {
    if (root) render(content, root);
  };
  const say = (...sentences: string[]): void => show(<p class="not-yet">{sentences.join(" ")}</p>);

  const loading = setTimeout(() => say(texts.loading), LOADING_AFTER_MS);
  const [settings] = await Promise.all([
    fetchJson<ServiceSettings>(`${BASE}console.json`, RETRY_MS, () => {
      clearTimeout(loading);
      const state = navigator.onLine ? "unreachable" : "disconnected";
      say(`${texts.server[state]}.`, texts.offlineHint[state]);
    }),
    loadLanguage(language),
  ]);
  clearTimeout(loading);

  const { servers } = settings;
  const data = { ...settings, ...(servers && { servers: withDistinctTitles(servers) }) };
  if (data.accent !== undefined) paintAccent(data.accent);
  const draw = (): void => show(page({ data, language, onLanguage }));

  async function onLanguage(next: Language): Promise<void> {
    await loadLanguage(next);
    language = next;
    storeLanguage(next);
    draw();
  }
  draw();
}
