import type { Ban, Client, ErrorCode, Result, ServiceSettings } from "../../client/index.ts";
import { client, clientOf } from "../service/service.ts";

/** Where a ban applies: on all game servers, or on the chosen one alone, where there are several. */
export type BanScope = "all" | "here";

export type BanClients = Readonly<Partial<Record<BanScope, Client>>> & { readonly all: Client };

/** `otherServer`: name of a game server other than the first one. */
export function banClientsOf({ servers }: ServiceSettings, otherServer: string | undefined): BanClients {
  const name = otherServer ?? servers?.[0]?.name;
  return { all: client, ...(servers && name !== undefined && { here: clientOf(name) }) };
}

/** The bans that apply to the chosen game server. */
export const readBans = ({ all, here = all }: BanClients, key: string): Promise<Result<readonly Ban[]>> =>
  here.bans(key);

/** What a key may do besides editing the whitelist. */
export interface Permissions {
  kick: boolean;
  announce: boolean;
  ban: readonly BanScope[];
  /** current bans; undefined where the key may not read them */
  bans: readonly Ban[] | undefined;
}

const NOTHING: Permissions = { kick: false, announce: false, ban: [], bans: undefined };

export const hasAny = ({ kick, announce, ban, bans }: Permissions): boolean =>
  kick || announce || ban.length > 0 || bans !== undefined;

/** Tests a key by calls that change nothing: with an empty name or text, the error says whether the key would be allowed. */
export async function readPermissions(
  game: Client,
  clients: BanClients,
  { moderation }: ServiceSettings,
  key: string,
): Promise<Permissions> {
  if (!moderation) return NOTHING;
  const nobody = { playerName: "" };
  const [kick, announce, bans, all, here] = await Promise.all([
    game.kick(key, ""),
    game.announce(key, ""),
    readBans(clients, key),
    clients.all.ban(key, nobody),
    clients.here?.ban(key, nobody),
  ]);
  const ban: BanScope[] = failsWith(all, "invalid_name") ? ["all"] : [];
  if (here && failsWith(here, "invalid_name")) ban.push("here");
  return {
    kick: failsWith(kick, "invalid_name"),
    announce: failsWith(announce, "invalid_body"),
    ban,
    bans: bans.ok ? bans.value : undefined,
  };
}

const failsWith = (answer: Result<unknown>, code: ErrorCode): boolean => !answer.ok && answer.code === code;
