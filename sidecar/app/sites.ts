import type { LinkedPlayer } from "../domain/links.ts";
import { endSite, sitesOf } from "../domain/sites.ts";
import type { KnownStore } from "../ports/known.ts";
import type { Bans } from "./bans.ts";
import { type LinkWorld, whereIs } from "./link-worlds.ts";
import type { Links } from "./links.ts";

export type Sites = ReturnType<typeof createSites>;

/** Who the player of a browser is, and which sites know: what there is to ask though no site can ask, or none any more. */
export function createSites(deps: {
  links: Pick<Links, "read" | "change">;
  worlds: { all: readonly LinkWorld[] };
  /** who has been here, where that is remembered */
  known: Pick<KnownStore, "read">;
  bans: Pick<Bans, "fresh" | "isBanned">;
  /** what a site is called by players */
  siteName(site: string): string;
}) {
  const { links, worlds, known, bans, siteName } = deps;

  /** The name of the player of a link at the last sight of her. */
  async function nameOf({ uuid, name }: LinkedPlayer): Promise<string> {
    const online = whereIs(uuid, worlds.all)?.player.name;
    return online ?? (await known.read([uuid])).get(uuid)?.name ?? name;
  }

  return {
    siteName,
    nameOf,
    /** Whether the player of a link is banned on all game servers: nobody is told who she is. */
    async isBanned(player: LinkedPlayer): Promise<boolean> {
      await bans.fresh();
      return bans.isBanned(player);
    },
    /** The player who is linked to the browser of this session, if any; not one who is banned. */
    async linked(session: string): Promise<{ uuid: string; name: string } | undefined> {
      const [{ link }] = await Promise.all([links.read(session), bans.fresh()]);
      if (link.status !== "accepted" || bans.isBanned(link.player)) return undefined;
      return { uuid: link.player.uuid, name: await nameOf(link.player) };
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
