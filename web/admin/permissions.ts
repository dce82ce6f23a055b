import type { Ban, Client, ErrorCode, Result, ServiceSettings } from "../../client/index.ts";
import { client, clientOf } from "../service/service.ts";

/** Where somebody is banned: on all game servers, or on the chosen one alone, where there are others. */
export type Where = "all" | "here";

/** The calls by which players are banned there. */
export type BanCalls = Readonly<Partial<Record<Where, Client>>> & { readonly all: Client };

/** `of`: name of a game server beside the first one. */
export function banCallsOf({ servers }: ServiceSettings, of: string | undefined): BanCalls {
  const name = of ?? servers?.[0]?.name;
  return { all: client, ...(servers && name !== undefined && { here: clientOf(name) }) };
}

/** Who is banned on the chosen game server. */
export const readBans = ({ all, here = all }: BanCalls, key: string): Promise<Result<readonly Ban[]>> =>
  here.bans(key);

/** What a key may do beside the whitelist. */
export interface Moderates {
  kick: boolean;
  announce: boolean;
  /** where players may be banned */
  ban: readonly Where[];
  /** who is banned; undefined: the key does not read that */
  bans: readonly Ban[] | undefined;
}

const NOTHING: Moderates = { kick: false, announce: false, ban: [], bans: undefined };

/** Whether it is for anything of that. */
export const isForAny = ({ kick, announce, ban, bans }: Moderates): boolean =>
  kick || announce || ban.length > 0 || bans !== undefined;

/** What a key may do there. Nothing is done by asking: what names nobody and says nothing is refused, for that or for the key. */
export async function moderates(
  game: Client,
  calls: BanCalls,
  { moderation }: ServiceSettings,
  key: string,
): Promise<Moderates> {
  if (!moderation) return NOTHING;
  const nobody = { playerName: "" };
  const [kick, announce, bans, all, here] = await Promise.all([
    game.kick(key, ""),
    game.announce(key, ""),
    readBans(calls, key),
    calls.all.ban(key, nobody),
    calls.here?.ban(key, nobody),
  ]);
  const where: (Where | false | undefined)[] = [
    failsWith(all, "invalid_name") && "all",
    here && failsWith(here, "invalid_name") && "here",
  ];
  return {
    kick: failsWith(kick, "invalid_name"),
    announce: failsWith(announce, "invalid_body"),
    ban: where.filter(one => one === "all" || one === "here"),
    bans: bans.ok ? bans.value : undefined,
  };
}

const failsWith = (answer: Result<unknown>, code: ErrorCode): boolean => !answer.ok && answer.code === code;
