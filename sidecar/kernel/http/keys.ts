import { createHash, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import type { Scope } from "../../../shared/public/words.ts";
import type { Result } from "../../../shared/result.ts";
import type { AdminKey } from "../../config/admin-keys.ts";
import type { Log } from "../../platform/log.ts";
import { type Answer, empty } from "./answer.ts";
import { addressKey } from "./client-address.ts";
import type { ApiSettings } from "./description.ts";
import { type ErrorAnswer, errorAnswer, errorWith } from "./errors.ts";
import { requestIdOf } from "./request-id.ts";
import type { Auth } from "./route.ts";

const digest = (value: string | Buffer): Buffer => createHash("sha256").update(value).digest();

/** Finds the holder of a secret in constant time. */
export function createSecretCheck<T extends { token: string }>(
  holders: readonly T[],
): (value: string) => T | undefined {
  const all = holders.map(holder => ({ holder, expected: digest(holder.token) }));
  return value => {
    const actual = digest(value);
    return all.filter(({ expected }) => timingSafeEqual(actual, expected))[0]?.holder;
  };
}

/** Compares a secret with a SHA-256 in hexadecimal digits, in constant time. */
export function isSecretOf(secret: string, sha256: string): boolean {
  const expected = Buffer.from(sha256, "hex");
  const actual = digest(secret);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

export const ADMIN_KEY_HEADER = "X-Service-Api-Key";

/** The current admin keys. */
export interface Keys {
  /** Replaces the keys. */
  set(keys: readonly AdminKey[]): void;
  /** Whether there is any key, or any with this scope. */
  any(scope?: Scope): boolean;
  /** The key of a header, if any, in constant time. */
  find(value: string): AdminKey | undefined;
}

export function createKeys(first: readonly AdminKey[]): Keys {
  let stored: { key: AdminKey; expected: Buffer }[] = [];

  function set(keys: readonly AdminKey[]): void {
    stored = keys.map(key => ({ key, expected: Buffer.from(key.sha256, "hex") }));
  }
  set(first);

  return {
    set,
    any: scope => stored.some(({ key: { scopes } }) => scope === undefined || scopes.includes(scope)),
    find(value) {
      // Node reads a header as Latin-1. Most programs send UTF-8 bytes, browsers Latin-1.
      const digests = [digest(Buffer.from(value, "latin1")), digest(Buffer.from(value, "utf8"))];
      const fits = stored.filter(
        ({ expected }) => digests.filter(one => timingSafeEqual(one, expected)).length > 0,
      );
      return fits[0]?.key;
    },
  };
}

/** The key of a request, regardless of its scopes. */
const keyOf = (keys: Keys, req: Request): AdminKey | undefined => keys.find(req.get(ADMIN_KEY_HEADER) ?? "");

/** Whether a request carries a key of this scope. */
export const hasKey = (keys: Keys, scope: Scope, req: Request): boolean =>
  keyOf(keys, req)?.scopes.includes(scope) ?? false;

/** A key, or a player who needs none: its name and its permissions. */
export interface Holder extends Pick<AdminKey, "name" | "servers"> {
  scopes: readonly Scope[];
}

/** Dependencies of key checks. */
export interface KeyDeps {
  keys: Keys;
  log: Log;
}

/** Who makes a call: the name of the key, or of the player with `player:` before it, and the player's uuid. */
export interface Caller {
  key: string;
  uuid?: string | undefined;
}

const addressOf = (req: Request): string => addressKey(req.ip ?? "");

/** The refusal of a holder who may not do this on these game servers, if it is refused. */
export function lacking(
  { name, scopes, servers }: Holder,
  scope: Scope,
  wanted: readonly string[],
  log: Log,
  req: Request,
): ErrorAnswer | undefined {
  const server = wanted.find(one => !(servers?.includes(one) ?? true));
  if (server === undefined && scopes.includes(scope)) return undefined;
  const lacks = server === undefined ? { scope } : { server };
  // No warning: the web console finds out in this way what a key allows.
  log.info(
    { requestId: requestIdOf(req), by: name, ...lacks, address: addressOf(req) },
    "Rejected a request: the key lacks the scope or the game server",
  );
  const message =
    server === undefined
      ? `This call needs the scope \`${scope}\`.`
      : `This key or player may not do this on the game server \`${server}\`.`;
  return errorWith("forbidden", { message });
}

/** The key of a request, whatever its scopes; the refusal of a request without a valid one. */
export function admitKey({ keys, log }: KeyDeps, req: Request): Result<AdminKey, Answer> {
  if (!keys.any()) return { fault: errorAnswer("admin_api_disabled") };
  const key = keyOf(keys, req);
  if (key !== undefined) return { value: key };
  log.warn(
    { requestId: requestIdOf(req), address: addressOf(req) },
    "Rejected a request with a missing or wrong key",
  );
  return { fault: empty(401) };
}

/** Requires a key with this scope for all game servers of a request. The handler gets the name of the key. */
export const withKey = (scope: Scope): Auth<Caller, KeyDeps> => ({
  scheme: () => "adminKey",
  scope,
  // The key may have been removed while the body arrived.
  isCheckedAgain: true,
  admit: (deps, servers) => req => {
    const found = admitKey(deps, req);
    if ("fault" in found) return found;
    const refusal = lacking(found.value, scope, servers, deps.log, req);
    return refusal ? { fault: refusal } : { value: { key: found.value.name } };
  },
});

/** Requires a key with this scope, unless `isForAll` returns true. */
export function withKeyUnless(
  isForAll: (api: ApiSettings) => boolean,
  scope: Scope,
): Auth<object, KeyDeps & { api: ApiSettings }> {
  const { admit } = withKey(scope);
  return {
    scheme: api => (isForAll(api) ? undefined : "adminKey"),
    scope,
    admit: (deps, servers) => (isForAll(deps.api) ? () => ({ value: {} }) : admit(deps, servers)),
  };
}
