import type { Failure, Permissions, Scope, ServiceSettings } from "../../client/types.ts";

/** The key that the visitor has signed in with; undefined: they may moderate by the link of this browser. */
export type Key = string | undefined;

/** Where a ban applies: on all game servers, or on the chosen one alone, where there are several. */
export type BanScope = "all" | "here";

/** What the visitor may do on the chosen game server. */
export interface AllowedHere {
  /** those that the page uses */
  readonly scopes: readonly Scope[];
  /** where they may ban and unban players */
  readonly ban: readonly BanScope[];
}

export const NOTHING: AllowedHere = { scopes: [], ban: [] };

/** Scopes of calls about the whole service: no list of game servers limits them. */
const OF_SERVICE: readonly Scope[] = ["players:read", "chat:mute", "audit:read"];

/** @param otherServer name of the chosen game server, if it is not the first one */
export function allowedHere(
  { scopes, servers: limit }: Permissions,
  { servers, staysForMs }: Pick<ServiceSettings, "servers" | "staysForMs">,
  otherServer: string | undefined,
): AllowedHere {
  const name = otherServer ?? servers?.[0]?.name;
  const isHere = limit === null || (name !== undefined && limit.includes(name));
  const isUsed = (scope: Scope): boolean =>
    scope === "players:read" ? staysForMs !== undefined : scope !== "links:read";
  const bans: BanScope[] = [
    ...(limit === null ? (["all"] as const) : []),
    ...(isHere && servers ? (["here"] as const) : []),
  ];
  return {
    scopes: scopes.filter(scope => isUsed(scope) && (isHere || OF_SERVICE.includes(scope))),
    ban: scopes.includes("bans:write") ? bans : [],
  };
}

/** Whether a key, or without one the link of the browser, is no longer valid. Without any key the service says so by another code. */
export const isRefusal = ({ code }: Failure): boolean =>
  code === "wrong_key" || code === "admin_api_disabled";
