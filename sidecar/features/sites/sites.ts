import type { Clock } from "../../platform/clock.ts";
import type { Bans } from "../bans/bans.ts";
import type { KnownStore } from "../known-players/records.ts";
import { type LinkWorld, whereIs } from "../linking/link-worlds.ts";
import type { Links } from "../linking/links.ts";
import type { LinkedPlayer } from "../linking/rules/links.ts";
import { endSite, sitesOf } from "./rules.ts";

/**
 * How long the player of a browser is cached, in milliseconds, and for how many browsers: a proxy asks once for each file of a page.
 */
const HELD_MS = 1_000;
const MOST_HELD = 1_000;

export type Sites = ReturnType<typeof createSites>;

export interface SitesDeps {
  clock: Pick<Clock, "monotonic">;
  links: Pick<Links, "read" | "change">;
  worlds: { all: readonly LinkWorld[] };
  /** who has been here, where that is remembered */
  known: Pick<KnownStore, "read">;
  bans: Pick<Bans, "fresh" | "isBanned">;
  /** what a site is called by players */
  siteName(site: string): string;
}

/** Who the player of a browser is, and which sites know: what there is to ask though no site can ask, or none any more. */
export function createSites(deps: SitesDeps) {
  const { clock, links, worlds, known, bans, siteName } = deps;
  const held = new Map<string, { until: number; found: ReturnType<typeof find> }>();

  /** The name of the player of a link at the last sight of her. */
  async function nameOf({ uuid, name }: LinkedPlayer): Promise<string> {
    const online = whereIs(uuid, worlds.all)?.player.name;
    return online ?? (await known.read([uuid])).get(uuid)?.name ?? name;
  }

  async function find(session: string): Promise<{ player: LinkedPlayer; name: string } | undefined> {
    const [{ link }] = await Promise.all([links.read(session), bans.fresh()]);
    return link.status === "accepted" ? { player: link.player, name: await nameOf(link.player) } : undefined;
  }

  /** What was found of a session within the last second, or is found now. */
  function lately(session: string): ReturnType<typeof find> {
    const now = clock.monotonic();
    const last = held.get(session);
    if (last && now < last.until) return last.found;
    const found = find(session);
    held.delete(session);
    held.set(session, { until: now + HELD_MS, found });
    const [oldest] = held.size > MOST_HELD ? held.keys() : [];
    if (oldest !== undefined) held.delete(oldest);
    // Whoever is linked now is let in at once.
    const drop = (): unknown => held.get(session)?.found === found && held.delete(session);
    found.then(known => known ?? drop(), drop);
    return found;
  }

  return {
    siteName,
    nameOf,
    /** Whether the player of a link is banned on all game servers: nobody is told who she is. */
    async isBanned(player: LinkedPlayer): Promise<boolean> {
      await bans.fresh();
      return bans.isBanned(player);
    },
    /** The player who was linked to the browser of this session within the last second, if any; not one who is banned. */
    async linked(session: string): Promise<{ uuid: string; name: string } | undefined> {
      const found = await lately(session);
      return found && !bans.isBanned(found.player)
        ? { uuid: found.player.uuid, name: found.name }
        : undefined;
    },
    /** Sites that the browser's player said yes to, oldest first; those that may ask no more are called by their ids. */
    async sites(session: string): Promise<{ id: string; name: string; at: number }[]> {
      const { link } = await links.read(session);
      return sitesOf(link).map(({ id, at }) => ({ id, name: siteName(id), at }));
    },
    /** Ends what one of them was told. False: it is none of them. */
    endSite: async (session: string, site: string): Promise<boolean> =>
      (await links.change(session, record => endSite(record, site))) === "ended",
  };
}
