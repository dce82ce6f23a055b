import { dropOldest } from "../../../shared/drop-oldest.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Bans } from "../bans/bans.ts";
import type { KnownStore } from "../known-players/records.ts";
import { type LinkServer, whereIs } from "../linking/link-servers.ts";
import type { Links } from "../linking/links.ts";
import type { LinkedPlayer } from "../linking/rules/links.ts";
import { endSite, sitesOf } from "./rules.ts";

/**
 * How long the player of a browser is cached, in milliseconds, and for how many browsers: a proxy sends a request for each file of a
 * page.
 */
const CACHE_MS = 1_000;
const MAX_CACHED = 1_000;

/** The player of a browser, and the sites that know the player. Works without sign-in, too. */
export interface Sites {
  siteName(site: string): string;
  /** The player's most recent name. */
  nameOf(player: LinkedPlayer): Promise<string>;
  /** Whether the player of a link is banned on all game servers: then sites get no information. */
  isBanned(player: LinkedPlayer): Promise<boolean>;
  /** The player linked to the browser of this session, at most a second ago, if any; not one who is banned. */
  linked(session: string): Promise<{ uuid: string; name: string } | undefined>;
  /** Sites that the player has accepted, oldest first; those that are not configured any more are named by their ids. */
  sites(session: string): Promise<{ id: string; name: string; at: number }[]>;
  /** Ends the player's consent to a site. False: there is none. */
  endSite(session: string, site: string): Promise<boolean>;
}

export interface SitesDeps {
  clock: Pick<Clock, "monotonic">;
  links: Pick<Links, "read" | "change">;
  servers: { all: readonly LinkServer[] };
  /** known players, where they are stored */
  known: Pick<KnownStore, "read">;
  bans: Pick<Bans, "fresh" | "isBanned">;
  /** name of a site */
  siteName(site: string): string;
}

export function createSites(deps: SitesDeps): Sites {
  const { clock, links, servers, known, bans, siteName } = deps;
  const cache = new Map<string, { until: number; found: ReturnType<typeof find> }>();

  async function nameOf({ uuid, name }: LinkedPlayer): Promise<string> {
    const online = whereIs(uuid, servers.all)?.player.name;
    // The record of a player who was forgotten may remain, without a name.
    return online ?? ((await known.read([uuid])).get(uuid)?.name || name);
  }

  async function find(session: string): Promise<{ player: LinkedPlayer; name: string } | undefined> {
    const [{ link }] = await Promise.all([links.read(session), bans.fresh()]);
    return link.status === "accepted" ? { player: link.player, name: await nameOf(link.player) } : undefined;
  }

  /** Caches the result of `find` for a second. */
  function findCached(session: string): ReturnType<typeof find> {
    const now = clock.monotonic();
    const last = cache.get(session);
    if (last && now < last.until) return last.found;
    const found = find(session);
    cache.delete(session);
    cache.set(session, { until: now + CACHE_MS, found });
    dropOldest(cache, MAX_CACHED);
    // Without a link nothing is cached: the next request may have one.
    const drop = (): unknown => cache.get(session)?.found === found && cache.delete(session);
    found.then(known => known ?? drop(), drop);
    return found;
  }

  return {
    siteName,
    nameOf,
    async isBanned(player) {
      await bans.fresh();
      return bans.isBanned(player);
    },
    async linked(session) {
      const found = await findCached(session);
      return found && !bans.isBanned(found.player)
        ? { uuid: found.player.uuid, name: found.name }
        : undefined;
    },
    async sites(session) {
      const { link } = await links.read(session);
      return sitesOf(link).map(({ id, at }) => ({ id, name: siteName(id), at }));
    },
    endSite: async (session, site) =>
      (await links.change(session, record => endSite(record, site))) === "ended",
  };
}
