import { useEffect, useRef, useState } from "preact/hooks";
import type { Client, Failure, ServiceSettings } from "../../client/index.ts";
import { useChange, useLatest } from "../platform/hooks.ts";
import { explain, texts } from "../platform/texts.ts";
import type { GameState } from "../servers/game-state.ts";
import { clientOf } from "../service/service.ts";
import { type BanClients, banClientsOf, type Lists, readLists } from "./lists.ts";
import { type AllowedHere, allowedHere, isRefusal, type Key, NOTHING } from "./permissions.ts";
import { forgetKey, readKey, storeKey } from "./stored-key.ts";

/** What the visitor may see and do on a game server. */
export interface Access extends AllowedHere, Lists {
  readonly client: Client;
  readonly key: Key;
}

export interface AccessControl {
  data: ServiceSettings;
  /** undefined: the visitor may do nothing, or that is not known yet */
  access: Access | undefined;
  clients: BanClients;
  /** title of the chosen game server; blank where there is one */
  serverTitle: string;
  /** name of the player who moderates by the link of this browser */
  moderator: string | undefined;
  /** the key, where it reads known players */
  readerKey: string | undefined;
  /** whether the visitor has signed in with a key */
  hasKey: boolean;
  isBusy: boolean;
  /** why signing in, or reading again, has failed */
  fault: string;
  signIn(key: string, isLasting: boolean): Promise<void>;
  signOut(): void;
  /** The key is no longer valid, or the link gives nothing any more. Returns what to show. */
  onRefused(failure: Failure): string;
  reload(): Promise<void>;
  clearFault(): void;
}

/** For what shows or uses an access. */
export interface AccessProps {
  access: Access;
  control: AccessControl;
}

/**
 * What the visitor may do on the chosen game server, by a key or as a moderator. `moderator`: the name of the player whose link
 * lets them moderate; a key that is entered counts instead.
 */
export function useAccess(
  data: ServiceSettings,
  game: GameState,
  otherServer: string | undefined,
  serverTitle: string,
  moderator: string | undefined,
  onModeratorGone: () => void,
): AccessControl {
  const client = clientOf(otherServer);
  const latest = useLatest(client);
  const clients = banClientsOf(data, otherServer);
  const [access, setAccess] = useState<Access | undefined>(undefined);
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  /** how often `open` was called or cancelled: it counts if it was the last */
  const opened = useRef(0);
  const key = access?.key;

  function cancel(): void {
    opened.current++;
    setBusy(false);
    setFault("");
  }

  function signOut(): void {
    cancel();
    forgetKey();
    setAccess(undefined);
    if (moderator !== undefined) void open(undefined);
  }

  /** Returns what is shown. */
  function fail(failure: Failure, failed: Key): string {
    const isRefused = isRefusal(failure);
    // Without a key it was the link that counted.
    const isLinkGone = isRefused && failed === undefined;
    if (isLinkGone) {
      setAccess(undefined);
      onModeratorGone();
    } else if (isRefused) signOut();
    const shown = isLinkGone ? texts.moderatorGone : explain(failure);
    setFault(shown);
    return shown;
  }

  /** Reads what a key, or the moderator without one, may see and do. Resolves with whether the key, or the link, is valid. */
  async function open(entered: Key): Promise<boolean> {
    const own = ++opened.current;
    setBusy(true);
    setFault("");
    const answer = await client.permissions(entered);
    const allowed = answer.ok ? allowedHere(answer.value, data, otherServer) : NOTHING;
    const { failure, ...lists } = await readLists(clients, client, entered, allowed.scopes);
    if (opened.current !== own) return false;
    setBusy(false);
    if (latest.current !== client) return false;
    if (!answer.ok) {
      fail(answer, entered);
      return false;
    }
    setAccess({ client, key: entered, ...allowed, ...lists });
    if (failure) setFault(explain(failure));
    else if (entered !== undefined && allowed.scopes.length === 0) setFault(texts.faults.forbidden);
    return true;
  }

  const reload = async (): Promise<void> => {
    // While the stored key is read for the first time, there is no access yet.
    const own = key ?? readKey();
    if (own !== undefined || moderator !== undefined) await open(own);
  };

  useEffect(() => {
    const stored = readKey();
    if (stored !== undefined) void open(stored);
  }, []);
  useChange(moderator, () => {
    if (key !== undefined || readKey() !== undefined) return;
    setAccess(undefined);
    if (moderator !== undefined) void open(undefined);
  });
  // Names of one game server are never shown as another one's.
  useChange(client, () => {
    cancel();
    void reload();
  });
  // Data that could not be read while it was offline.
  useChange(game.is, () => {
    if (game.is === "online" && access?.scopes.includes("whitelist:read") && !access.names) void reload();
  });

  return {
    data,
    access: access?.client === client ? access : undefined,
    clients,
    serverTitle,
    moderator,
    readerKey: access?.scopes.includes("players:read") ? key : undefined,
    hasKey: key !== undefined,
    isBusy,
    fault,
    async signIn(entered, isLasting) {
      if (!isBusy && (await open(entered))) storeKey(entered, isLasting);
    },
    signOut,
    onRefused: failure => fail(failure, key),
    reload,
    clearFault: () => setFault(""),
  };
}
