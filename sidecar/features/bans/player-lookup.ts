import type { PlayerRef } from "../../../shared/actions.ts";
import { dropOldest } from "../../../shared/drop-oldest.ts";
import { earlierNames, isSameName } from "../../../shared/names.ts";
import type { Bus } from "../../kernel/bridge/ports.ts";
import type { KnownStore } from "../known-players/records.ts";
import type { LinkStore } from "../linking/records.ts";
import type { Snapshots } from "../status/snapshots.ts";
import type { BannedPlayer } from "./rules/ban-list.ts";

/** Number of recent players, who are found even without a list of known players. */
const MAX_RECENT = 1_000;

/** The part of a game server that player lookups need. */
export interface LookupServer {
  readonly bus: Pick<Bus, "lastSnapshot">;
  readonly snapshots: Pick<Snapshots, "fresh">;
  uuidOf(player: PlayerRef): string;
}

/** Finds players by name or uuid. All of it rejects as the storage does. */
export interface PlayerLookup {
  /** Records a player who is online. */
  remember(player: BannedPlayer): void;
  /** Players who have or had a name, with their newest one. */
  named(name: string): Promise<BannedPlayer[]>;
  /** The player of a uuid; the name is blank where the service has not seen the player. */
  of(uuid: string): Promise<BannedPlayer>;
}

export function createPlayerLookup(deps: {
  servers: { readonly all: readonly LookupServer[] };
  /** undefined: there is no list of known players */
  known: Pick<KnownStore, "read" | "named"> | undefined;
  links: Pick<LinkStore, "linkedTo" | "read">;
}): PlayerLookup {
  const { servers, known, links } = deps;
  /** by uuid, the latest at the end; only in this process */
  const recent = new Map<string, BannedPlayer>();

  /** All online players, by uuid. */
  async function online(): Promise<Map<string, BannedPlayer>> {
    const there = new Map<string, BannedPlayer>();
    for (const { bus, snapshots, uuidOf } of servers.all)
      for (const { player } of (snapshots.fresh() && (await bus.lastSnapshot())?.rows) ?? []) {
        const uuid = uuidOf(player);
        there.set(uuid, { name: player.name, uuid, persistentId: player.persistentId });
      }
    return there;
  }

  /** A player with the persistent id, where a browser is linked to the player or the service has seen it. */
  async function withPersistentId(player: BannedPlayer): Promise<BannedPlayer> {
    if (player.persistentId) return player;
    const [session] = await links.linkedTo(player.uuid, 1);
    const link = session === undefined ? undefined : (await links.read(session)).link;
    if (link?.status !== "accepted") return player;
    return { ...player, name: player.name || link.player.name, persistentId: link.player.persistentId };
  }

  return {
    remember(player) {
      recent.delete(player.uuid);
      recent.set(player.uuid, player);
      dropOldest(recent, MAX_RECENT);
    },
    async named(name) {
      const there = await online();
      const found = new Map([...recent, ...there].filter(([, player]) => isSameName(player.name, name)));
      for (const [uuid, record] of (await known?.named(name)) ?? []) {
        const player = there.get(uuid) ?? { ...record, uuid };
        const names = earlierNames(player.name, [record.name, ...(record.names ?? [])]);
        found.set(uuid, { ...player, names });
      }
      return Promise.all([...found.values()].map(withPersistentId));
    },
    async of(uuid) {
      const there = (await online()).get(uuid);
      if (there) return withPersistentId(there);
      const record = (await known?.read([uuid]))?.get(uuid);
      const { name = "", names = [], persistentId = "" } = record?.name ? record : (recent.get(uuid) ?? {});
      return withPersistentId({ name, names, uuid, persistentId });
    },
  };
}
