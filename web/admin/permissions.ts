import type { AuditEntry, Ban, Client, ErrorCode, Result, ServiceSettings } from "../../client/index.ts";
import { client, clientOf } from "../service/service.ts";

/** The key that the visitor has signed in with; undefined: they may moderate by the link of this browser. */
export type Key = string | undefined;

/** Where a ban applies: on all game servers, or on the chosen one alone, where there are several. */
export type BanScope = "all" | "here";

export type BanClients = Readonly<Partial<Record<BanScope, Client>>> & { readonly all: Client };

/** `otherServer`: name of a game server other than the first one. */
export function banClientsOf({ servers }: ServiceSettings, otherServer: string | undefined): BanClients {
  const name = otherServer ?? servers?.[0]?.name;
  return { all: client, ...(servers && name !== undefined && { here: clientOf(name) }) };
}

/** What the administration shows of the service; undefined where the visitor may not read it. */
export interface Lists {
  bans: readonly Ban[] | undefined;
  audit: readonly AuditEntry[] | undefined;
}

export const NO_LISTS: Lists = { bans: undefined, audit: undefined };

/** How many of the newest actions are shown. */
const RECENT = 20;

/**
 * The bans that apply to the chosen game server, and what was done lately. `before`: as they were read before, where they were; what
 * was not allowed then is not requested again. `isRefused`: the key, or the link, is no longer valid.
 */
export async function readLists(
  { all, here = all }: BanClients,
  key: Key,
  before: Lists | undefined,
): Promise<Lists & { isRefused: boolean }> {
  const [bans, audit] = await Promise.all([
    before && !before.bans ? undefined : here.bans(key),
    key === undefined || (before && !before.audit) ? undefined : all.audit(key, { limit: RECENT }),
  ]);
  return {
    bans: bans?.ok ? bans.value : undefined,
    audit: audit?.ok ? audit.value : undefined,
    isRefused: [bans, audit].some(answer => answer?.ok === false && answer.code === "wrong_key"),
  };
}

/** What the visitor may do besides editing the whitelist. */
export interface Permissions {
  kick: boolean;
  announce: boolean;
  mute: boolean;
  ban: readonly BanScope[];
}

export const NOTHING: Permissions = { kick: false, announce: false, mute: false, ban: [] };

export const hasAny = ({ kick, announce, mute, ban }: Permissions, { bans, audit }: Lists): boolean =>
  kick || announce || mute || ban.length > 0 || bans !== undefined || audit !== undefined;

/** Finds the permissions with calls that change nothing: with an empty name or text, the error says whether a real call is allowed. */
export async function readPermissions(game: Client, clients: BanClients, key: Key): Promise<Permissions> {
  const nobody = { playerName: "" };
  const [kick, announce, mute, all, here] = await Promise.all([
    game.kick(key, ""),
    game.announce(key, ""),
    clients.all.mute(key, ""),
    clients.all.ban(key, nobody),
    clients.here?.ban(key, nobody),
  ]);
  const ban: BanScope[] = failsWith(all, "invalid_name") ? ["all"] : [];
  if (here && failsWith(here, "invalid_name")) ban.push("here");
  return {
    kick: failsWith(kick, "invalid_name"),
    announce: failsWith(announce, "invalid_body"),
    mute: failsWith(mute, "invalid_label"),
    ban,
  };
}

const failsWith = (answer: Result<unknown>, code: ErrorCode): boolean => !answer.ok && answer.code === code;
