import type { Request } from "express";
import type { ModeratorScope } from "../../../shared/public/words.ts";
import type { Result } from "../../../shared/result.ts";
import type { Answer } from "./answer.ts";
import type { Trust } from "./client-address.ts";
import type { ApiSettings } from "./description.ts";
import { errorAnswer } from "./errors.ts";
import { ADMIN_KEY_HEADER, admitKey, type Caller, type Holder, type KeyDeps, lacking } from "./keys.ts";
import { createOriginCheck, type OriginStatus } from "./origin.ts";
import type { Auth } from "./route.ts";
import { readSession } from "./session.ts";

/** A player who moderates by the link of a browser. */
export interface Moderator extends Holder {
  uuid: string;
}

/** Players who moderate by the link of their browser, without a key. */
export interface Moderators {
  /** Whether there is any. */
  any(): boolean;
  /** The player of the session's link, if they may moderate. */
  of(session: string): Promise<Moderator | undefined>;
}

/**
 * Whether a request that a browser sends with its cookie comes from a page that may use it: one of this service or of a listed
 * origin. `SameSite=Strict` alone would let in pages of neighbouring host names and ports.
 */
export function isFromAllowedPage(
  method: string,
  origin: OriginStatus,
  fetchSite: string | undefined,
): boolean {
  if (origin !== "none") return origin === "own" || origin === "listed";
  if (fetchSite === "same-origin") return true;
  // Browsers send an origin with every change. A read without one is of the page itself, or typed into the address bar.
  return ["GET", "HEAD"].includes(method) && (fetchSite === undefined || fetchSite === "none");
}

type ModeratorDeps = KeyDeps & { api: ApiSettings; moderators: Moderators; trust: Trust };

/**
 * Finds the key of a request, or without one the moderator whose link its cookie has, or its refusal. The cookie needs a page that
 * may use it.
 */
function createFindHolder(
  deps: ModeratorDeps,
): (req: Request) => Promise<Result<Holder & { uuid?: string }, Answer>> {
  const { api, moderators, trust } = deps;
  const originOf = createOriginCheck(api.corsOrigins, trust, () => false);
  return async req => {
    if (!moderators.any() || req.get(ADMIN_KEY_HEADER) !== undefined) return admitKey(deps, req);
    const session = readSession(req, api.sessionCookie.name);
    const player = "value" in session ? await moderators.of(session.value) : undefined;
    if (player === undefined) return admitKey(deps, req);
    return isFromAllowedPage(req.method, originOf(req), req.get("Sec-Fetch-Site"))
      ? { value: player }
      : { fault: errorAnswer("origin_not_allowed") };
  };
}

/** As `withKey`, and for players whose link gives them this scope, where the request has no key. */
export const withKeyOrLink = (scope: ModeratorScope): Auth<Caller, ModeratorDeps> => ({
  scheme: () => "moderator",
  scope,
  isCheckedAgain: true,
  admit(deps, servers) {
    const find = createFindHolder(deps);
    return async req => {
      const found = await find(req);
      if ("fault" in found) return found;
      const { name, uuid } = found.value;
      const refusal = lacking(found.value, scope, servers, deps.log, req);
      return refusal ? { fault: refusal } : { value: { key: name, uuid } };
    };
  },
});

/** Requires any key, or a moderator, regardless of their scopes. */
export const withAnyKeyOrLink: Auth<{ holder: Holder }, ModeratorDeps> = {
  scheme: () => "moderator",
  admit(deps) {
    const find = createFindHolder(deps);
    return async req => {
      const found = await find(req);
      return "fault" in found ? found : { value: { holder: found.value } };
    };
  },
};
