import { BY_LINK } from "../../../shared/authors.ts";
import type { ModeratorEntry } from "../../config/admin-keys.ts";
import type { Moderator, Moderators } from "../../kernel/http/moderators.ts";
import type { Bans } from "../bans/bans.ts";
import type { Links } from "../linking/links.ts";
import type { Link } from "../linking/rules/links.ts";
import type { Sites } from "../sites/sites.ts";
import { entryOf } from "./rules.ts";

/** The players who moderate by the link of their browser. */
interface LinkedModerators extends Moderators {
  /** Replaces the moderators. */
  set(entries: readonly ModeratorEntry[]): void;
  /** The player of a link, if they may moderate: not while they are banned on any game server. */
  ofLink(link: Link): Promise<Moderator | undefined>;
}

export function createModerators(deps: {
  first: readonly ModeratorEntry[];
  links: Pick<Links, "link">;
  bans: Pick<Bans, "fresh" | "isBanned">;
  /** finds the player's most recent name: another player may have an earlier one now */
  sites: Pick<Sites, "nameOf">;
  servers: { all: readonly { name: string }[] };
}): LinkedModerators {
  const { links, bans, sites, servers } = deps;
  let entries = deps.first;

  const ofLink: LinkedModerators["ofLink"] = async link => {
    if (entries.length === 0 || link.status !== "accepted") return undefined;
    const { player } = link;
    const [name] = await Promise.all([sites.nameOf(player), bans.fresh()]);
    const entry = entryOf(entries, { uuid: player.uuid, name });
    if (entry === undefined || servers.all.some(one => bans.isBanned(player, one.name))) return undefined;
    return { name: `${BY_LINK}${name}`, uuid: player.uuid, scopes: entry.scopes, servers: entry.servers };
  };

  return {
    set(next) {
      entries = next;
    },
    any: () => entries.length > 0,
    of: async session => ofLink(await links.link(session)),
    ofLink,
  };
}
