import { randomUUID } from "node:crypto";
import { ident } from "../../../shared/actions.ts";
import { checkJson, object } from "../../../shared/guard.ts";
import type { SharedTime } from "../../platform/clock.ts";
import type { Links } from "../linking/links.ts";
import type { KnownSite, Link, LinkedPlayer } from "../linking/rules/links.ts";
import type { Audit } from "../moderation/audit.ts";
import { siteOf } from "../sites/rules.ts";
import type { Sites } from "../sites/sites.ts";
import type { SignInStore } from "./records.ts";
import * as signIn from "./rules/sign-in.ts";

/** How long an access token lasts, in milliseconds. */
export const TOKEN_MS = 60 * 60_000;
/** How long a code may be exchanged, in milliseconds. */
export const CODE_MS = 60_000;
/** How long a grant is stored, in milliseconds: as long as its code or token may be used. */
const GRANT_MS = TOKEN_MS + 2 * CODE_MS;

const grantRecord = object({ session: ident, site: ident, yes: ident });

/** A grant for a site: its id, the player's uuid, and when the player accepted, in milliseconds since 1970. */
export interface IssuedGrant {
  grant: string;
  uuid: string;
  acceptedAt: number;
}

/** Sign-ins to other sites, as the rules of the service decide them. */
export interface SignIn {
  /** Milliseconds from now until a time. */
  until(at: number): number;
  /** State of a sign-in for the browser of this session, with the player that it may continue as. */
  state(
    session: string,
    request: signIn.SignInRequest,
  ): Promise<signIn.SignInState & { player: { name: string; uuid: string } | null }>;
  /** Continues as the player of this uuid, who may be banned; undefined: that was not offered. */
  agree(
    session: string,
    request: signIn.SignInRequest,
    uuid: string,
    address: string,
  ): Promise<IssuedGrant | "access_denied" | undefined>;
  /** Signs in without showing anything, or says why that cannot be. */
  silently(
    session: string | undefined,
    request: signIn.SignInRequest,
    address: string,
  ): Promise<IssuedGrant | "login_required" | "consent_required" | "access_denied">;
  /** Cancels a sign-in and its request, and closes the form. */
  cancel(session: string | undefined, request: signIn.SignInRequest, address: string): Promise<void>;
  /** The player of a grant; undefined: link or consent have ended, the player is banned, or the grant is another site's. */
  holder(grant: string, site: string): Promise<{ player: LinkedPlayer; name: string } | undefined>;
}

export interface SignInDeps {
  time: SharedTime;
  store: Pick<SignInStore, "put" | "get">;
  links: Pick<Links, "read" | "change" | "cancelRequest">;
  sites: Pick<Sites, "nameOf" | "isBanned">;
  audit: Audit;
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { time, store, links, audit } = deps;
  const { nameOf, isBanned } = deps.sites;

  const auditSignIn = (site: string, address: string, name: string, outcome: string): Promise<void> =>
    audit.write({ at: Math.round(time()), client: site, address, action: "sign-in", name, outcome });

  /** Issues a grant for the player of a link, unless the player is banned. */
  async function issueGrant(
    session: string,
    link: Link,
    site: KnownSite,
    address: string,
  ): Promise<IssuedGrant | "access_denied" | undefined> {
    const acceptedAt = signIn.acceptedAt(link);
    if (link.status !== "accepted" || acceptedAt === undefined) return undefined;
    if (await isBanned(link.player)) {
      await auditSignIn(site.id, address, await nameOf(link.player), "access_denied");
      return "access_denied";
    }
    const grant = randomUUID();
    await store.put(`given:${grant}`, JSON.stringify({ session, site: site.id, yes: site.yes }), GRANT_MS);
    await auditSignIn(site.id, address, await nameOf(link.player), "signed_in");
    return { grant, uuid: link.player.uuid, acceptedAt };
  }

  return {
    until: at => Math.max(0, Math.round(at - time())),
    async state(session, request) {
      const state = signIn.stateOf(await links.read(session), request, time());
      const { offered } = state;
      return { ...state, player: offered ? { name: await nameOf(offered), uuid: offered.uuid } : null };
    },
    async agree(session, request, uuid, address) {
      const by = { uuid, yes: randomUUID(), now: time() };
      let link: Link = { status: "not_linked" };
      const site = await links.change(session, record => {
        const step = signIn.agree(record, request, by);
        link = step.record.link;
        return step;
      });
      return site === "not_offered" ? undefined : issueGrant(session, link, site, address);
    },
    async silently(session, request, address) {
      if (session === undefined) return "login_required";
      const { link } = await links.read(session);
      const outcome = signIn.silently(link, request, time());
      if (typeof outcome === "string") return outcome;
      const site = siteOf(link, request.site);
      return (site && (await issueGrant(session, link, site, address))) ?? "consent_required";
    },
    async cancel(session, { site, ask }, address) {
      const cancelled = session === undefined ? undefined : await links.cancelRequest(session, ask);
      // Sign-ins without a request would push others out of the audit log.
      if (cancelled) await auditSignIn(site, address, cancelled.name, "access_denied");
    },
    async holder(grant, site) {
      const row = await store.get(`given:${grant}`);
      const known = row && checkJson(grantRecord, row.text);
      if (known === undefined || "fault" in known || known.value.site !== site) return undefined;
      const { link } = await links.read(known.value.session);
      if (link.status !== "accepted" || siteOf(link, site)?.yes !== known.value.yes) return undefined;
      if (await isBanned(link.player)) return undefined;
      return { player: link.player, name: await nameOf(link.player) };
    },
  };
}
