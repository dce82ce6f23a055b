import type { PlayerRef } from "../../../shared/actions.ts";
import { earlierNames, isSameName } from "../../../shared/names.ts";
import type { Bus } from "../../kernel/storage/ports/game.ts";
import type { KnownStore } from "../known-players/records.ts";
import type { LinkStore } from "../linking/records.ts";
import type { Snapshots } from "../status/snapshots.ts";
import type { BannedPlayer } from "./rules/bans.ts";

/** Players who were there lately and are found also where nobody is remembered, or not any more. */
const MAX_RECENT = 1_000;

/** A game server, as far as players are looked up there. */
export interface LookupServer {
  readonly bus: Pick<Bus, "lastSnapshot">;
  readonly snapshots: Pick<Snapshots, "fresh">;
  uuidOf(player: PlayerRef): string;
}

export type PlayerLookup = ReturnType<typeof createPlayerLookup>;

/** Who a name or a uuid is, as far as the service has seen them. All of it rejects as the storage does. */
export function createPlayerLookup(deps: {
  worlds: { readonly all: readonly LookupServer[] };
  /** undefined: nobody is remembered */
  known: Pick<KnownStore, "read" | "named"> | undefined;
  links: Pick<LinkStore, "linkedTo" | "read">;
}) {
  const { worlds, known, links } = deps;
  /** by uuid, who was there last at the end; gone with this process */
  const recent = new Map<string, BannedPlayer>();

  /** Everybody who is online, by uuid. */
  async function online(): Promise<Map<string, BannedPlayer>> {
    const there = new Map<string, BannedPlayer>();
    for (const { bus, snapshots, uuidOf } of worlds.all)
      for (const { player } of (snapshots.fresh() && (await bus.lastSnapshot())?.rows) ?? []) {
        const uuid = uuidOf(player);
        there.set(uuid, { name: player.name, uuid, persistentId: player.persistentId });
      }
    return there;
  }

  /** The persistent id of a player, where a browser is linked to her or the service has seen it. */
  async function withId(player: BannedPlayer): Promise<BannedPlayer> {
    if (player.persistentId) return player;
    const [session] = await links.linkedTo(player.uuid, 1);
    const link = session === undefined ? undefined : (await links.read(session)).link;
    if (link?.status !== "accepted") return player;
    return { ...player, name: player.name || link.player.name, persistentId: link.player.persistentId };
  }

  return {
    /** A player is there. */
    saw(player: BannedPlayer) {
      recent.delete(player.uuid);
      recent.set(player.uuid, player);
      const [oldest] = recent.size > MAX_RECENT ? recent.keys() : [];
      if (oldest !== undefined) recent.delete(oldest);
    },
    /** Players who have had a name, under the newest one that is known. */
    async named(name: string): Promise<BannedPlayer[]> {
      const there = await online();
      const found = new Map([...recent, ...there].filter(([, player]) => isSameName(player.name, name)));
      for (const [uuid, record] of (await known?.named(name)) ?? []) {
        const player = there.get(uuid) ?? { ...record, uuid };
        const names = earlierNames(player.name, [record.name, ...(record.names ?? [])]);
        found.set(uuid, { ...player, names });
      }
      return Promise.all([...found.values()].map(withId));
    },
    /** The player of a uuid; her name is blank where nobody has seen her. */
    async of(uuid: string): Promise<BannedPlayer> {
      const there = (await online()).get(uuid);
      if (there) return withId(there);
      const record = (await known?.read([uuid]))?.get(uuid);
      const { name = "", names = [], persistentId = "" } = record?.name ? record : (recent.get(uuid) ?? {});
      return withId({ name, names, uuid, persistentId });
    },
  };
}
