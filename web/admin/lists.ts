import type {
  AuditEntry,
  Ban,
  Client,
  Failure,
  Mute,
  Result,
  Scope,
  ServiceSettings,
} from "../../client/index.ts";
import { client, clientOf } from "../service/service.ts";
import type { BanScope, Key } from "./permissions.ts";

export type BanClients = Readonly<Partial<Record<BanScope, Client>>> & { readonly all: Client };

/** `otherServer`: name of a game server other than the first one. */
export function banClientsOf({ servers }: ServiceSettings, otherServer: string | undefined): BanClients {
  const name = otherServer ?? servers?.[0]?.name;
  return { all: client, ...(servers && name !== undefined && { here: clientOf(name) }) };
}

/** What the administration shows; undefined where the visitor may not read it, or it could not be read. */
export interface Lists {
  /** on the whitelist of the chosen game server */
  readonly names: readonly string[] | undefined;
  /** that apply to the chosen game server */
  readonly bans: readonly Ban[] | undefined;
  readonly mutes: readonly Mute[] | undefined;
  /** the newest actions */
  readonly audit: readonly AuditEntry[] | undefined;
}

/** How many of the newest actions are shown. */
const RECENT = 20;

/** Reads the lists that these scopes allow. `failure`: of the first one that could not be read. */
export async function readLists(
  { all, here = all }: BanClients,
  game: Client,
  key: Key,
  scopes: readonly Scope[],
): Promise<Lists & { failure: Failure | undefined }> {
  const read = <T>(scope: Scope, call: () => Promise<Result<T>>) =>
    scopes.includes(scope) ? call() : undefined;
  // Moderators without a key have no scopes for the whitelist and the audit log.
  const held = key ?? "";
  const answers = await Promise.all([
    read("whitelist:read", () => game.whitelist(held)),
    read("bans:read", () => here.bans(key)),
    read("chat:mute", () => all.mutes(key)),
    read("audit:read", () => all.audit(held, { limit: RECENT })),
  ]);
  const [names, bans, mutes, audit] = answers;
  return {
    names: valueIn(names),
    bans: valueIn(bans),
    mutes: valueIn(mutes),
    audit: valueIn(audit),
    failure: answers.find(answer => answer?.ok === false),
  };
}

const valueIn = <T>(answer: Result<T> | undefined): T | undefined => (answer?.ok ? answer.value : undefined);
