import { useCallback, useEffect, useState } from "preact/hooks";
import type { Client, ErrorCode, Failure, ServiceSettings } from "../../client/index.ts";
import { useChange, useLatest } from "../platform/hooks.ts";
import { explain, texts } from "../platform/texts.ts";
import type { GameState } from "../servers/game-state.ts";
import { clientOf } from "../service/service.ts";
import { readsKnownPlayers } from "./known-players-access.tsx";
import {
  type BanClients,
  banClientsOf,
  hasAny,
  type Key,
  type Lists,
  NO_LISTS,
  NOTHING,
  type Permissions,
  readLists,
  readPermissions,
} from "./permissions.ts";
import { forgetKey, readKey, storeKey } from "./stored-key.ts";

/** What the visitor may see and do on a game server. */
export interface Access extends Lists {
  readonly client: Client;
  readonly key: Key;
  /** names on the whitelist; undefined where they could not be read */
  readonly names: readonly string[] | undefined;
  readonly readsWhitelist: boolean;
  readonly permissions: Permissions;
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
  onRefused(): string;
  reload(): Promise<void>;
  clearFault(): void;
}

/** For what shows or uses an access. */
export interface AccessProps {
  access: Access;
  control: AccessControl;
}

interface SignedIn {
  key: string;
  readsPlayers: boolean;
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
  const [signedIn, setSignedIn] = useState<SignedIn | undefined>(undefined);
  const [access, setAccess] = useState<Access | undefined>(undefined);
  const [fault, setFault] = useState("");
  /** the client whose answer is awaited */
  const [calling, setCalling] = useState<Client | undefined>(undefined);

  const signOut = useCallback((): void => {
    forgetKey();
    setSignedIn(undefined);
    setAccess(undefined);
    setFault("");
  }, []);

  /** Returns what is shown. */
  function fail(failure: Failure, key = signedIn?.key): string {
    const isRefused = failure.code === "wrong_key";
    // Without a key it was the link that counted.
    if (isRefused && key === undefined) {
      setAccess(undefined);
      onModeratorGone();
    } else if (isRefused) {
      signOut();
      if (moderator !== undefined) void open(undefined);
    }
    const shown = isRefused && key === undefined ? texts.moderatorGone : explain(failure);
    setFault(shown);
    return shown;
  }

  /** Reads what a key, or the moderator without one, may see and do. Resolves with whether that is anything. */
  async function open(key: Key): Promise<boolean> {
    setCalling(client);
    setFault("");
    const isSame = access?.client === client && access.key === key;
    const found = await read(client, clients, data, key, isSame ? access : undefined);
    setCalling(now => (now === client ? undefined : now));
    if (latest.current !== client) return false;
    if ("failure" in found) {
      fail(found.failure, key);
      return false;
    }
    if (found.whitelistFailure) setFault(explain(found.whitelistFailure));
    setAccess(found.access);
    if (key !== undefined) setSignedIn({ key, readsPlayers: found.readsPlayers });
    return true;
  }

  const reload = async (): Promise<void> => {
    if (signedIn || moderator !== undefined) await open(signedIn?.key);
  };

  useEffect(() => {
    const stored = readKey();
    if (stored !== undefined) void open(stored);
  }, []);
  useChange(moderator, () => {
    if (signedIn || readKey() !== undefined) return;
    setAccess(undefined);
    if (moderator !== undefined) void open(undefined);
  });
  // Names of one game server are never shown as another one's.
  useChange(client, () => {
    setFault("");
    void reload();
  });
  // Data that could not be read while it was offline.
  useChange(game.is, () => {
    if (game.is === "online" && access?.readsWhitelist && access.names === undefined) void reload();
  });

  return {
    data,
    access: access?.client === client ? access : undefined,
    clients,
    serverTitle,
    moderator,
    readerKey: signedIn?.readsPlayers ? signedIn.key : undefined,
    hasKey: signedIn !== undefined,
    isBusy: calling === client,
    fault,
    async signIn(key, isLasting) {
      if (calling !== client && (await open(key))) storeKey(key, isLasting);
    },
    signOut() {
      signOut();
      if (moderator !== undefined) void open(undefined);
    },
    onRefused: () => fail({ ok: false, status: 401, code: "wrong_key" }),
    reload,
    clearFault: () => setFault(""),
  };
}

/** Errors of a call whose key was found valid. */
const AFTER_KEY: readonly ErrorCode[] = ["forbidden", "server_unavailable", "unexpected_result"];

type Found = { failure: Failure } | { access: Access; readsPlayers: boolean; whitelistFailure?: Failure };

/**
 * Reads everything that a key, or a moderator without one, gives access to. `before`: what was read before with it; what was not
 * allowed then is not requested again.
 */
async function read(
  client: Client,
  clients: BanClients,
  data: ServiceSettings,
  key: Key,
  before: Access | undefined,
): Promise<Found> {
  const asksWhitelist = key !== undefined && before?.readsWhitelist !== false;
  const whitelist = asksWhitelist ? await client.whitelist(key) : undefined;
  if (whitelist?.ok === false && !AFTER_KEY.includes(whitelist.code)) return { failure: whitelist };
  const [permissions, { isRefused, ...lists }, readsPlayers] = await Promise.all([
    before?.permissions ?? (data.moderation ? readPermissions(client, clients, key) : NOTHING),
    data.moderation ? readLists(clients, key, before) : { ...NO_LISTS, isRefused: false },
    key !== undefined && readsKnownPlayers(data, key),
  ]);
  if (isRefused) return { failure: { ok: false, status: 401, code: "wrong_key" } };
  const readsWhitelist = whitelist !== undefined && (whitelist.ok || whitelist.code !== "forbidden");
  if (whitelist?.ok === false && !readsWhitelist && !readsPlayers && !hasAny(permissions, lists))
    return { failure: whitelist };
  const names = whitelist?.ok ? whitelist.value : undefined;
  return {
    access: { client, key, names, readsWhitelist, permissions, ...lists },
    readsPlayers,
    ...(whitelist?.ok === false && readsWhitelist && { whitelistFailure: whitelist }),
  };
}
