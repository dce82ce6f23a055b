import { useRef, useState } from "preact/hooks";
import type { Client, Failure, ServiceSettings } from "../../client/index.ts";
import { isFocusLost, useChange, useLatest } from "../platform/hooks.ts";
import { hashOf } from "../platform/route.ts";
import { explain, texts } from "../platform/texts.ts";
import type { GameState } from "../servers/game-state.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import { titleOf } from "../servers/server-titles.ts";
import { clientOf } from "../service/service.ts";
import { announce } from "../ui/announce.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import { NameForm, TextForm } from "../ui/text-form.tsx";
import { KnownPlayersAccess, readsKnownPlayers } from "./known-players-access.tsx";
import { Moderation } from "./moderation.tsx";
import { banClientsOf, hasAny, type Permissions, readBans, readPermissions } from "./permissions.ts";

interface Props {
  data: ServiceSettings;
  game: GameState;
  /** name of a game server other than the first one */
  otherServer: string | undefined;
  /** Called with a key that reads known players, and without one when it is forgotten. */
  onReaderKey(key: string | undefined): void;
}

/** What the key gives access to, on the game server where it was tried last. */
interface KeyAccess {
  client: Client;
  names: readonly string[] | undefined;
  readsWhitelist: boolean;
  permissions: Permissions;
}

/** The whitelist of a game server, and moderation. The key stays in memory, and is gone with the tab. */
export function Admin({ data, game, otherServer, onReaderKey }: Props) {
  const client = clientOf(otherServer);
  const latest = useLatest(client);
  const clients = banClientsOf(data, otherServer);
  const server = data.servers?.find(({ name }, i) =>
    otherServer === undefined ? i === 0 : name === otherServer,
  );
  const [typedKey, setTypedKey] = useState("");
  const [key, setKey] = useState("");
  const [access, setAccess] = useState<KeyAccess | undefined>(undefined);
  const [readsPlayers, setReadsPlayers] = useState(false);
  const [name, setName] = useState("");
  const [fault, setFault] = useState("");
  const [done, setDone] = useState("");
  /** the client whose answer is awaited */
  const [calling, setCalling] = useState<Client | undefined>(undefined);
  const [nameToRemove, setNameToRemove] = useState<string | undefined>(undefined);
  const list = useRef<HTMLUListElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const isOpen = access !== undefined;
  const names = access?.client === client ? access.names : undefined;
  const hasList = access?.client !== client || access.readsWhitelist;
  const busy = calling === client;
  useChange(isOpen, () => {
    if (isFocusLost()) box.current?.focus();
  });

  function forget(): void {
    setKey("");
    setTypedKey("");
    setAccess(undefined);
    setReadsPlayers(false);
    onReaderKey(undefined);
    setNameToRemove(undefined);
    setDone("");
    setFault("");
  }

  function fail(failure: Failure, subject = ""): void {
    if (failure.code === "wrong_key") forget();
    setFault(explain(failure, subject));
  }

  /** The answer to a call; undefined where another game server has been chosen meanwhile. */
  async function answerTo<T>(call: Promise<T>): Promise<T | undefined> {
    setCalling(client);
    setFault("");
    const answer = await call;
    setCalling(now => (now === client ? undefined : now));
    return latest.current === client ? answer : undefined;
  }

  /** The permissions with the current bans, where they can be read. */
  async function withBans(permissions: Permissions): Promise<Permissions> {
    const bans = permissions.bans && (await readBans(clients, key));
    return bans?.ok ? { ...permissions, bans: bans.value } : permissions;
  }

  async function refreshBans(): Promise<void> {
    if (!access) return;
    const permissions = await withBans(access.permissions);
    setAccess(now => now && (now.client === client ? { ...now, permissions } : now));
  }

  async function open(withKey: string): Promise<void> {
    if (busy) return;
    const answer = await answerTo(
      client.whitelist(withKey).then(async whitelist => {
        if (!whitelist.ok && whitelist.code === "wrong_key") return { whitelist };
        const permissions =
          access?.client === client
            ? await withBans(access.permissions)
            : await readPermissions(client, clients, data, withKey);
        const isReader = withKey === key ? readsPlayers : await readsKnownPlayers(data, withKey);
        return { whitelist, permissions, isReader };
      }),
    );
    if (!answer) return;
    const { whitelist, permissions, isReader = false } = answer;
    const readsWhitelist = whitelist.ok || whitelist.code !== "forbidden";
    const isForMore = isReader || (permissions !== undefined && hasAny(permissions));
    if (!whitelist.ok && (readsWhitelist || !isForMore)) fail(whitelist);
    if (permissions === undefined || (!whitelist.ok && !isForMore)) return;
    setKey(withKey);
    setTypedKey("");
    setReadsPlayers(isReader);
    onReaderKey(isReader ? withKey : undefined);
    setAccess({ client, names: whitelist.ok ? whitelist.value : undefined, readsWhitelist, permissions });
  }

  // Names of one game server are never shown as another one's.
  useChange(client, () => {
    setNameToRemove(undefined);
    setDone("");
    setFault("");
    if (isOpen) void open(key);
  });

  async function succeed(message: string): Promise<void> {
    setDone(message);
    announce(message);
    await open(key);
  }

  async function add(): Promise<void> {
    setDone("");
    if (name.trim() === "") return setFault(texts.addMissing);
    const answer = await answerTo(client.addToWhitelist(key, name));
    if (!answer) return;
    if (!answer.ok) return fail(answer, name);
    setName("");
    await succeed(texts.added(name));
  }

  async function remove(one: string): Promise<void> {
    // The button that had the focus goes with its name.
    list.current?.focus();
    setDone("");
    const answer = await answerTo(client.removeFromWhitelist(key, one));
    if (!answer) return;
    if (answer.ok) return succeed(texts.removed(one));
    if (answer.code === "not_whitelisted")
      setAccess(now => now && { ...now, names: now.names?.filter(each => each !== one) });
    fail(answer, one);
  }

  if (!data.whitelist && !data.moderation && data.staysForMs === undefined)
    return (
      <section class="narrow" aria-labelledby="whitelist-title">
        <h2 id="whitelist-title">{texts.whitelist}</h2>
        <p>{texts.adminOff}</p>
        <KnownPlayersAccess data={data} />
      </section>
    );
  return (
    <section class="narrow" aria-labelledby="whitelist-title">
      <h2 id="whitelist-title">{hasList ? texts.whitelist : texts.administration}</h2>
      <p>{texts.adminIntro}</p>
      {!isOpen ? (
        <TextForm
          id="key"
          label={texts.key}
          submit={data.whitelist ? texts.unlock : texts.useKey}
          value={typedKey}
          fault={fault}
          busy={busy}
          field={{ ref: box, type: "password", autocomplete: "off" }}
          button={{ disabled: typedKey === "" }}
          onValue={setTypedKey}
          onSubmit={() => void open(typedKey)}
        />
      ) : (
        <>
          {hasList && (
            <NameForm
              id="add"
              label={texts.addName}
              hint={texts.addHint[data.whitelistNames]}
              submit={texts.add}
              value={name}
              fault={fault}
              busy={busy}
              field={{ ref: box }}
              onValue={setName}
              onSubmit={() => void add()}
            />
          )}
          {readsPlayers && (
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
                  <QuietButton label={texts.removeName(one)} busy={busy} onClick={() => setNameToRemove(one)}>
                    {texts.remove}
                  </QuietButton>
                </li>
              ))}
            </ul>
          )}
          <div class="row">
            <QuietButton busy={busy} onClick={() => void open(key)}>
              {texts.refresh}
            </QuietButton>
            <QuietButton onClick={forget}>{texts.forget}</QuietButton>
          </div>
          {nameToRemove !== undefined && (
            <ConfirmDialog
              title={texts.removeQuestion}
              about={nameToRemove}
              hint={texts.removeHint}
              yes={texts.remove}
              no={texts.keep}
              onAnswer={isConfirmed => {
                setNameToRemove(undefined);
                if (isConfirmed) void remove(nameToRemove);
              }}
            />
          )}
          {access.client === client && (
            <Moderation
              key={otherServer}
              client={client}
              clients={clients}
              serverTitle={server ? titleOf(server) : ""}
              adminKey={key}
              permissions={access.permissions}
              game={game}
              onChanged={() => void refreshBans()}
              onWrongKey={() => fail({ ok: false, status: 401, code: "wrong_key" })}
            />
          )}
        </>
      )}
      <KnownPlayersAccess data={data} />
      <OfflineNotice game={game} />
    </section>
  );
}
