import { randomUUID } from "node:crypto";
import { ident } from "../../../shared/actions.ts";
import { checkJson, object } from "../../../shared/guard.ts";
import type { SharedTime } from "../../platform/clock.ts";
import type { Links } from "../linking/links.ts";
import { type KnownSite, type Link, type LinkedPlayer, requestedPlayer } from "../linking/rules/links.ts";
import type { Audit } from "../moderation/audit.ts";
import { siteOf } from "../sites/rules.ts";
import type { Sites } from "../sites/sites.ts";
import type { SignInStore } from "./records.ts";
import * as signIn from "./rules/sign-in.ts";

/** How long an access token lasts, in milliseconds. */
export const TOKEN_MS = 60 * 60_000;
/** How long a code may be exchanged, in milliseconds. */
export const CODE_MS = 60_000;
/** What was given out is looked up as long as any of it may be shown. */
const GIVEN_MS = TOKEN_MS + 2 * CODE_MS;

const given = object({ session: ident, site: ident, yes: ident });

/** What is given out to a site: the name that it goes by, whom it is about, and when she accepted, in milliseconds since 1970. */
export interface IssuedGrant {
  grant: string;
  uuid: string;
  acceptedAt: number;
}

export type SignIn = ReturnType<typeof createSignIn>;

export interface SignInDeps {
  time: SharedTime;
  store: Pick<SignInStore, "put" | "get">;
  links: Pick<Links, "read" | "change" | "close">;
  sites: Pick<Sites, "nameOf" | "isBanned">;
  audit: Audit;
}

/** What players tell other sites: who they are. Loaded where sites can ask. */
export function createSignIn(deps: SignInDeps) {
  const { time, store, links, audit } = deps;
  const { nameOf, isBanned } = deps.sites;

  const written = (site: string, address: string, name: string, outcome: string): Promise<void> =>
    audit.write({ at: Math.round(time()), client: site, address, action: "sign-in", name, outcome });

  /** Gives out that the player of a link is who she is, unless she is banned. */
  async function give(
    session: string,
    link: Link,
    site: KnownSite,
    address: string,
  ): Promise<IssuedGrant | "access_denied" | undefined> {
    const acceptedAt = signIn.acceptedAt(link);
    if (link.status !== "accepted" || acceptedAt === undefined) return undefined;
    if (await isBanned(link.player)) {
      await written(site.id, address, await nameOf(link.player), "access_denied");
      return "access_denied";
    }
    const grant = randomUUID();
    await store.put(`given:${grant}`, JSON.stringify({ session, site: site.id, yes: site.yes }), GIVEN_MS);
    await written(site.id, address, await nameOf(link.player), "signed_in");
    return { grant, uuid: link.player.uuid, acceptedAt };
  }

  return {
    /** How long until then, in milliseconds. */
    until: (at: number): number => Math.max(0, Math.round(at - time())),
    /** Where a sign-in stands for the browser of this session, and whom it may go on as. */
    async state(
      session: string,
      wish: signIn.SignInWish,
    ): Promise<signIn.SignInState & { player: { name: string; uuid: string } | null }> {
      const state = signIn.stateOf(await links.read(session), wish, time());
      const { offered } = state;
      return { ...state, player: offered ? { name: await nameOf(offered), uuid: offered.uuid } : null };
    },
    /** The browser goes on as the player of this uuid, who may be banned; undefined: it is not offered to. */
    async agree(
      session: string,
      wish: signIn.SignInWish,
      uuid: string,
      address: string,
    ): Promise<IssuedGrant | "access_denied" | undefined> {
      const by = { uuid, yes: randomUUID(), now: time() };
      let link: Link = { status: "not_linked" };
      const site = await links.change(session, record => {
        const step = signIn.agree(record, wish, by);
        link = step.record.link;
        return step;
      });
      return site === "not_offered" ? undefined : give(session, link, site, address);
    },
    /** The same without anything shown, or why that cannot be. */
    async silently(
      session: string | undefined,
      wish: signIn.SignInWish,
      address: string,
    ): Promise<IssuedGrant | "login_required" | "consent_required" | "access_denied"> {
      if (session === undefined) return "login_required";
      const { link } = await links.read(session);
      const outcome = signIn.silently(link, wish, time());
      if (typeof outcome === "string") return outcome;
      const site = siteOf(link, wish.site);
      return (site && (await give(session, link, site, address))) ?? "consent_required";
    },
    /** The sign-in is given up: its request is over, and the form of that is taken back. */
    async giveUp(
      session: string | undefined,
      { site, ask }: signIn.SignInWish,
      address: string,
    ): Promise<void> {
      if (session === undefined) return;
      let name = "";
      const left = await links.change(session, record => {
        name = requestedPlayer(record) ?? "";
        return signIn.withdraw(record, ask);
      });
      // What was asked of nobody would push what was asked of somebody out of the audit.
      if (left === "none") return;
      links.close(left);
      await written(site, address, name, "access_denied");
    },
    /** Whom what was given out is about; undefined: link or yes have ended, she is banned, or another site has it. */
    async holder(grant: string, site: string): Promise<{ player: LinkedPlayer; name: string } | undefined> {
      const row = await store.get(`given:${grant}`);
      const known = row && checkJson(given, row.text);
      if (known === undefined || "fault" in known || known.value.site !== site) return undefined;
      const { link } = await links.read(known.value.session);
      if (link.status !== "accepted" || siteOf(link, site)?.yes !== known.value.yes) return undefined;
      if (await isBanned(link.player)) return undefined;
      return { player: link.player, name: await nameOf(link.player) };
    },
  };
}
