import { useEffect, useRef, useState } from "preact/hooks";
import type { Client, Failure } from "../../client/index.ts";
import type { ServiceSettings } from "../../client/types.ts";
import { useLatest } from "../platform/hooks.ts";
import { hashOf } from "../platform/route.ts";
import { explain, texts } from "../platform/texts.ts";
import type { Game } from "../servers/game-server.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import { titleOf } from "../servers/servers.ts";
import { clientOf } from "../service/service.ts";
import { announce } from "../ui/announce.tsx";
import { Question } from "../ui/confirm-dialog.tsx";
import { Moderate } from "./moderation.tsx";
import { banCallsOf, isForAny, type Moderates, moderates, readBans } from "./permissions.ts";
import { readsKnown, WhoReads } from "./who-reads.tsx";

interface Props {
  data: ServiceSettings;
  game: Game;
  /** name of a game server beside the first one */
  of: string | undefined;
  /** Called with a key that reads of everybody who has been here, and without one when it is forgotten. */
  onReader(key: string | undefined): void;
}

/** What came of the key, at the game server that was asked last. */
interface Read {
  of: Client;
  names: readonly string[] | undefined;
  /** false: the key is for something else */
  isForList: boolean;
  may: Moderates;
}

/** The whitelist of a game server, and moderation. The key lives in the memory of the page only, and is gone with the tab. */
export function Admin({ data, game, of, onReader }: Props) {
  const client = clientOf(of);
  const latest = useLatest(client);
  const calls = banCallsOf(data, of);
  const server = data.servers?.find(({ name }, at) => (of === undefined ? at === 0 : name === of));
  const [typed, setTyped] = useState("");
  const [key, setKey] = useState("");
  const [read, setRead] = useState<Read | undefined>(undefined);
  /** whether the key reads of everybody who has been here */
  const [reads, setReads] = useState(false);
  const [name, setName] = useState("");
  const [fault, setFault] = useState("");
  const [done, setDone] = useState("");
  const [asking, setAsking] = useState<Client | undefined>(undefined);
  /** name that it is asked about whether it is to be taken off */
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const isOpen = read !== undefined;
  const names = read?.of === client ? read.names : undefined;
  const hasList = read?.of !== client || read.isForList;
  const busy = asking === client;
  const wasOpen = useRef(isOpen);
  // What had the focus is gone with the form that it was in.
  useEffect(() => {
    if (wasOpen.current !== isOpen && document.activeElement === document.body) box.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  function forget(): void {
    setKey("");
    setTyped("");
    setRead(undefined);
    setReads(false);
    onReader(undefined);
    setAsked(undefined);
    setDone("");
    setFault("");
  }

  function refused({ code, retryAfter }: Failure, subject = ""): void {
    if (code === "wrong_key") forget();
    setFault(explain(code, retryAfter, subject));
  }

  /** The answer to a call, or nothing where another game server was chosen meanwhile. */
  async function answerTo<T>(call: Promise<T>): Promise<T | undefined> {
    setAsking(client);
    setFault("");
    const answer = await call;
    setAsking(now => (now === client ? undefined : now));
    return latest.current === client ? answer : undefined;
  }

  /** What the key may do, with the bans of now where they can be had. */
  async function bansAnew(may: Moderates): Promise<Moderates> {
    const bans = may.bans && (await readBans(calls, key));
    return bans?.ok ? { ...may, bans: bans.value } : may;
  }

  async function showBans(): Promise<void> {
    if (!read) return;
    const may = await bansAnew(read.may);
    setRead(now => now && (now.of === client ? { ...now, may } : now));
  }

  async function show(withKey: string): Promise<void> {
    if (busy) return;
    const answer = await answerTo(
      client.whitelist(withKey).then(async list => {
        const isKey = list.ok || list.code !== "wrong_key";
        if (!isKey) return { list };
        const may =
          read?.of === client ? await bansAnew(read.may) : await moderates(client, calls, data, withKey);
        return { list, may, isReader: withKey === key ? reads : await readsKnown(data, withKey) };
      }),
    );
    if (!answer) return;
    const { list, may, isReader = false } = answer;
    const isForList = list.ok || list.code !== "forbidden";
    const isForMore = isReader || (may !== undefined && isForAny(may));
    if (!list.ok && (isForList || !isForMore)) refused(list);
    if (may === undefined || (!list.ok && !isForMore)) return;
    setKey(withKey);
    setTyped("");
    setReads(isReader);
    onReader(isReader ? withKey : undefined);
    setRead({ of: client, names: list.ok ? list.value : undefined, isForList, may });
  }

  // Names of one game server are never shown as if they were another one's.
  const before = useRef(client);
  useEffect(() => {
    if (before.current === client) return;
    before.current = client;
    setAsked(undefined);
    setDone("");
    setFault("");
    if (isOpen) void show(key);
  }, [client]);

  async function add(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setDone("");
    if (name.trim() === "") return setFault(texts.addMissing);
    const answer = await answerTo(client.addToWhitelist(key, name));
    if (!answer) return;
    if (!answer.ok) return refused(answer, name);
    setDone(texts.added(name));
    announce(texts.added(name));
    setName("");
    await show(key);
  }

  async function remove(one: string, isWanted: boolean): Promise<void> {
    setAsked(undefined);
    if (!isWanted) return;
    // The button that had the focus goes with its name.
    list.current?.focus();
    setDone("");
    const answer = await answerTo(client.removeFromWhitelist(key, one));
    if (!answer) return;
    if (!answer.ok) {
      if (answer.code === "not_whitelisted")
        setRead(now => now && { ...now, names: now.names?.filter(each => each !== one) });
      return refused(answer, one);
    }
    setDone(texts.removed(one));
    announce(texts.removed(one));
    await show(key);
  }

  if (!data.whitelist && !data.moderation && data.staysForMs === undefined)
    return (
      <section class="narrow" aria-labelledby="whitelist-title">
        <h2 id="whitelist-title">{texts.whitelist}</h2>
        <p>{texts.adminOff}</p>
        <WhoReads data={data} />
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
      <h2 id="whitelist-title">{hasList ? texts.whitelist : texts.administration}</h2>
      <p>{texts.adminIntro}</p>
      {!isOpen ? (
        <form
          onSubmit={event => {
            event.preventDefault();
            void show(typed);
          }}
        >
          <label for="key">{texts.key}</label>
          <div class="row">
            <input
              ref={box}
              id="key"
              type="password"
              autocomplete="off"
              value={typed}
              onInput={event => setTyped(event.currentTarget.value)}
            />
            <button type="submit" aria-disabled={busy} disabled={typed === ""}>
              {data.whitelist ? texts.unlock : texts.useKey}
            </button>
          </div>
          {problem}
        </form>
      ) : (
        <>
          {hasList && (
            <form onSubmit={add} noValidate>
              <label for="add">{texts.addName}</label>
              <div class="row">
                <input
                  ref={box}
                  id="add"
                  value={name}
                  maxLength={64}
                  autocomplete="off"
                  autocapitalize="none"
                  spellcheck={false}
                  aria-describedby="add-hint"
                  onInput={event => setName(event.currentTarget.value)}
                />
                <button type="submit" aria-disabled={busy}>
                  {texts.add}
                </button>
              </div>
              <p id="add-hint" class="soft">
                {texts.addHint[data.whitelistNames]}
              </p>
              {problem}
            </form>
          )}
          {reads && (
            <p>
              {texts.keyReads} <a href={hashOf("everybody")}>{texts.views.everybody}</a>
            </p>
          )}
          <p class="done">{done}</p>
          {names === undefined && busy && <p class="soft">{texts.loading}</p>}
          {names !== undefined && <h3>{texts.listed(names.length)}</h3>}
          {names?.length === 0 && <p class="soft">{texts.emptyList}</p>}
          {names !== undefined && names.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list
            <ul class="names" tabIndex={0} aria-label={texts.whitelist} ref={list}>
              {names.map(one => (
                <li key={one}>
                  <bdi>{one}</bdi>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={texts.removeName(one)}
                    aria-disabled={busy}
                    onClick={() => busy || setAsked(one)}
                  >
                    {texts.remove}
                  </button>
                </li>
              ))}
            </ul>
          )}
          <div class="row">
            <button type="button" class="quiet" aria-disabled={busy} onClick={() => show(key)}>
              {texts.refresh}
            </button>
            <button type="button" class="quiet" onClick={forget}>
              {texts.forget}
            </button>
          </div>
          {asked === undefined ? null : (
            <Question
              title={texts.removeQuestion}
              about={asked}
              hint={texts.removeHint}
              yes={texts.remove}
              no={texts.keep}
              answer={isWanted => void remove(asked, isWanted)}
            />
          )}
          {read.of === client && (
            <Moderate
              key={of}
              client={client}
              calls={calls}
              title={server ? titleOf(server) : ""}
              pass={key}
              may={read.may}
              game={game}
              onChanged={() => void showBans()}
              onWrongKey={code => refused({ ok: false, status: 401, code })}
            />
          )}
        </>
      )}
      <WhoReads data={data} />
      <OfflineNotice game={game} />
    </section>
  );
}
