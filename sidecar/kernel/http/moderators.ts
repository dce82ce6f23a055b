import type { ModeratorScope } from "../../../shared/public/words.ts";
import type { Trust } from "./client-address.ts";
import type { ApiSettings } from "./description.ts";
import { errorAnswer } from "./errors.ts";
import { ADMIN_KEY_HEADER, type Caller, type Holder, type KeyDeps, lacking, withKey } from "./keys.ts";
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

/**
 * As `withKey`, and for players whose link gives them this scope, where the request has no key. They need the cookie of their
 * browser, and a page that may use it.
 */
export const withKeyOrLink = (
  scope: ModeratorScope,
): Auth<Caller, KeyDeps & { api: ApiSettings; moderators: Moderators; trust: Trust }> => ({
  scheme: () => "moderator",
  scope,
  isCheckedAgain: true,
  admit(deps, servers) {
    const { api, log, moderators, trust } = deps;
    const byKey = withKey(scope).admit(deps, servers);
    const originOf = createOriginCheck(api.corsOrigins, trust, () => false);
    return async (req, res) => {
      if (!moderators.any() || req.get(ADMIN_KEY_HEADER) !== undefined) return byKey(req, res);
      const session = readSession(req, api.sessionCookie.name);
      const player = "value" in session ? await moderators.of(session.value) : undefined;
      if (player === undefined) return byKey(req, res);
      if (!isFromAllowedPage(req.method, originOf(req), req.get("Sec-Fetch-Site")))
        return { fault: errorAnswer("origin_not_allowed") };
      const refusal = lacking(player, scope, servers, log, req);
      return refusal ? { fault: refusal } : { value: { key: player.name, uuid: player.uuid } };
    };
  },
});
