import { createHash, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import type { AdminKey, Scope } from "../../config/admin-keys.ts";
import type { Log } from "../storage/ports.ts";
import { sendAnswer } from "./answer.ts";
import type { Handler } from "./body.ts";
import { addressKey } from "./client-address.ts";
import { sendError } from "./errors.ts";

export const ADMIN_KEY_HEADER = "X-Service-Api-Key";

export type Keys = ReturnType<typeof createKeys>;

/** The keys of administrators as they are at the moment. */
export function createKeys(first: readonly AdminKey[]) {
  let held: { key: AdminKey; expected: Buffer }[] = [];

  /** Takes these in the place of those before. */
  function set(keys: readonly AdminKey[]): void {
    held = keys.map(key => ({ key, expected: Buffer.from(key.sha256, "hex") }));
  }
  set(first);

  return {
    set,
    /** Whether there is any at all, or any with this scope. */
    any: (scope?: Scope): boolean =>
      held.some(({ key: { scopes } }) => scope === undefined || scopes.includes(scope)),
    /** The key that a header holds, if it is one. It takes the same time whatever the header is. */
    find(value: string): AdminKey | undefined {
      // Node reads a header as Latin-1, whose bytes are UTF-8 from most programs; from browsers they are Latin-1.
      const asked = [digest(Buffer.from(value, "latin1")), digest(Buffer.from(value, "utf8"))];
      const fits = held.filter(
        ({ expected }) => asked.filter(one => timingSafeEqual(one, expected)).length > 0,
      );
      return fits[0]?.key;
    },
  };
}

const digest = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();

/** The key that a request carries, whatever it is for. */
const keyOf = (keys: Keys, req: Request): AdminKey | undefined => keys.find(req.get(ADMIN_KEY_HEADER) ?? "");

/** Hands a request on by whether it carries a key of this scope; one without is as good as none. */
export const byKey =
  <B>(keys: Keys, scope: Scope, handlerOf: (hasKey: boolean) => Handler<B>): Handler<B> =>
  (req, res, next) =>
    handlerOf(keyOf(keys, req)?.scopes.includes(scope) ?? false)(req, res, next);

/**
 * Makes what hands a request on, with the name of its key, that carries a key of this scope, for all of the game servers that it is
 * about, and refuses others before their body is read.
 */
export function createWithKey({ keys, log }: { keys: Keys; log: Log }) {
  return <B>(scope: Scope, servers: readonly string[], handlerOf: (key: string) => Handler<B>): Handler<B> =>
    (req, res, next) => {
      if (!keys.any()) return sendError(res, "admin_api_disabled");
      const address = addressKey(req.ip ?? "");
      const key = keyOf(keys, req);
      if (key === undefined) {
        log.warn({ address }, "refused a request with a missing or wrong admin key");
        return sendAnswer(res, { status: 401, headers: {}, body: "" });
      }
      const server = servers.find(name => !(key.servers?.includes(name) ?? true));
      if (server === undefined && key.scopes.includes(scope)) return handlerOf(key.name)(req, res, next);
      const lacks = server === undefined ? { scope } : { server };
      log.warn({ holder: key.name, ...lacks, address }, "refused a request that an admin key is not for");
      return sendError(res, "forbidden");
    };
}
