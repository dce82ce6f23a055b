import { render } from "preact";
import type { ServiceSettings } from "../../client/types.ts";
import { paintAccent } from "../accent.ts";
import { fetchJson } from "../fetch-json.ts";
import { ownLanguage, speak } from "../language.ts";
import { BASE } from "../service.ts";
import { beginSession } from "../session.ts";
import { explain } from "../texts.ts";
import { SignInPage } from "./page.tsx";

const RETRY_MS = 2_000;
/** Characters of the session that the form in the game shows. */
const CODE_LENGTH = 8;

const place = document.getElementById("app");
// The first request came from another site, and without cookies: from here on the page asks its own.
const [{ value: settings, session }] = await Promise.all([begin(), speak(ownLanguage())]);

async function begin() {
  const [value, session] = await Promise.all([
    fetchJson<ServiceSettings>(`${BASE}console.json`, RETRY_MS),
    beginSession().begun,
  ]);
  return { value, session };
}

if (settings.accent !== undefined) paintAccent(settings.accent);
if (place)
  render(
    session.ok ? (
      <SignInPage data={settings} code={session.value.userId.slice(0, CODE_LENGTH)} />
    ) : (
      <p class="not-yet">{explain(session.code, session.retryAfter)}</p>
    ),
    place,
  );
