import { useState } from "preact/hooks";
import type { Failure } from "../client/index.ts";
import type { ServiceSettings } from "../client/types.ts";
import { announce } from "./announce.tsx";
import type { Game } from "./game.ts";
import { OfflineNotice } from "./offline-notice.tsx";
import { client } from "./service.ts";
import { explain, texts } from "./texts.ts";

/** The whitelist. The key lives in this component only, and is gone with the tab. */
export function Admin({ data, game }: { data: ServiceSettings; game: Game }) {
  const [typed, setTyped] = useState("");
  const [key, setKey] = useState("");
  const [names, setNames] = useState<string[] | undefined>(undefined);
  const [name, setName] = useState("");
  const [fault, setFault] = useState("");
  const [done, setDone] = useState("");
  const [busy, setBusy] = useState(false);

  function forget(): void {
    setKey("");
    setTyped("");
    setNames(undefined);
    setDone("");
    setFault("");
  }

  function refused({ code, retryAfter }: Failure): void {
    if (code === "wrong_key") forget();
    setFault(explain(code, retryAfter, name));
  }

  async function read(withKey: string): Promise<void> {
    setBusy(true);
    setFault("");
    const answer = await client.whitelist(withKey);
    setBusy(false);
    if (!answer.ok) return refused(answer);
    setKey(withKey);
    setTyped("");
    setNames(answer.value);
  }

  async function add(event: Event): Promise<void> {
    event.preventDefault();
    setDone("");
    if (name.trim() === "") return setFault(texts.addMissing);
    setBusy(true);
    setFault("");
    const answer = await client.addToWhitelist(key, name);
    setBusy(false);
    if (!answer.ok) return refused(answer);
    setDone(texts.added(name));
    announce(texts.added(name));
    setName("");
    await read(key);
  }

  if (!data.whitelist)
    return (
      <section class="narrow" aria-labelledby="whitelist-title">
        <h2 id="whitelist-title">{texts.whitelist}</h2>
        <p>{texts.adminOff}</p>
      </section>
    );
  // Under the field that it is about: below a long list nobody would see it.
  const problem = (
    <p class="fault" role="alert">
      {fault}
    </p>
  );
  return (
    <section class="narrow" aria-labelledby="whitelist-title">
      <h2 id="whitelist-title">{texts.whitelist}</h2>
      <p>{texts.adminIntro}</p>
      <OfflineNotice game={game} />
      {names === undefined ? (
        <form
          onSubmit={event => {
            event.preventDefault();
            void read(typed);
          }}
        >
          <label for="key">{texts.key}</label>
          <div class="row">
            <input
              id="key"
              type="password"
              autocomplete="off"
              value={typed}
              onInput={event => setTyped(event.currentTarget.value)}
            />
            <button type="submit" disabled={busy || typed === ""}>
              {texts.unlock}
            </button>
          </div>
          {problem}
        </form>
      ) : (
        <>
          <form onSubmit={add} noValidate>
            <label for="add">{texts.addName}</label>
            <div class="row">
              <input
                id="add"
                value={name}
                maxLength={64}
                autocomplete="off"
                spellcheck={false}
                aria-describedby="add-hint"
                onInput={event => setName(event.currentTarget.value)}
              />
              <button type="submit" disabled={busy}>
                {texts.add}
              </button>
            </div>
            <p id="add-hint" class="soft">
              {texts.addHint}
            </p>
            {problem}
          </form>
          <p class="done">{done}</p>
          <h3>{texts.listed(names.length)}</h3>
          {names.length === 0 ? (
            <p class="soft">{texts.emptyList}</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list
            <ul class="names" tabIndex={0} aria-label={texts.whitelist}>
              {names.map(one => (
                <li key={one}>
                  <bdi>{one}</bdi>
                </li>
              ))}
            </ul>
          )}
          <div class="row">
            <button type="button" class="quiet" disabled={busy} onClick={() => read(key)}>
              {texts.refresh}
            </button>
            <button type="button" class="quiet" onClick={forget}>
              {texts.forget}
            </button>
          </div>
        </>
      )}
    </section>
  );
}
