import {
  type KnownPlayer,
  type KnownPlayerData,
  type KnownPlayers,
  MOST_STAYS,
} from "../../../shared/public/known.ts";
import type { Snapshots } from "../status/snapshots.ts";
import { isAnother, type KnownWorld, sightOf, storedName } from "./known-players.ts";
import type { KnownStore } from "./records.ts";
import {
  compare,
  type KnownSort,
  keyOf,
  lowered,
  type Place,
  playerOf,
  visitsOf,
} from "./rules/known-list.ts";
import { isListed, type KnownRecord, seen } from "./rules/known-players.ts";

/** What is asked for of those who have been here. */
export interface KnownAsked {
  sort: KnownSort;
  limit: number;
  after?: Place | undefined;
  /** as in `KnownQuery` */
  prefix?: string | undefined;
}

/** A page of those who have been here; `next`: where the next one goes on, undefined where there is none. */
export type KnownPage = Omit<KnownPlayers, "next"> & { next: Place | undefined };

/** What is known of a player with the last report, and on which game servers the player is online. */
interface Reported {
  record: KnownRecord;
  online: readonly string[];
}

type World = Pick<KnownWorld, "name" | "bus" | "uuidOf"> & { snapshots: Pick<Snapshots, "fresh"> };

export type KnownList = ReturnType<typeof createKnownList>;

/** Those who have been here, as anybody may see them: with what the last report says of those who are. */
export function createKnownList(deps: {
  store: KnownStore;
  worlds: { first: World; all: readonly World[] };
}) {
  const { store, worlds } = deps;

  /** Records with what was reported since they were stored, and who of them is online. */
  async function asReported(records: ReadonlyMap<string, KnownRecord>): Promise<Map<string, Reported>> {
    const all = new Map<string, Reported>(
      [...records].map(([uuid, record]) => [uuid, { record, online: [] }]),
    );
    const reports = await Promise.all(
      worlds.all.map(async world => ({
        world,
        last: await world.bus.lastSnapshot(),
        isFresh: world.snapshots.fresh() !== undefined,
      })),
    );
    // Whoever is online was seen with the newest report, of whichever game server.
    const newest = Math.max(0, ...reports.map(({ last, isFresh }) => (isFresh && last ? last.at : 0)));
    for (const { world, last, isFresh } of reports) {
      if (last === undefined) continue;
      const { uuidOf } = world;
      const server = storedName(world, worlds);
      for (const row of last.rows) {
        const uuid = uuidOf(row.player);
        const known = all.get(uuid);
        const stay = known?.record.servers[server]?.stay;
        // The report is of before the visit, or of after it.
        if (known === undefined || stay === undefined || isAnother(row, stay)) continue;
        const at = isFresh ? newest : Math.max(last.at, stay.heard);
        const { record } = seen(known.record, sightOf(row, { server, at }));
        all.set(uuid, { record, online: isFresh ? [...known.online, server] : known.online });
      }
    }
    return all;
  }

  return {
    /** How many there are, of those who have not hidden. */
    async total(): Promise<number> {
      const present = [...(await store.present()).values()];
      return (await store.count()) + present.filter(isListed).length;
    },
    /** A page, of those who have not hidden. */
    async page({ sort, limit, after, prefix }: KnownAsked): Promise<KnownPage> {
      // Asked for at once: a store in this process answers all of it as of one moment, in the turn of the request.
      const [stored, away, listed] = await Promise.all([
        store.present(),
        store.page({ sort, after, prefix, limit: limit + 1 }),
        store.count(prefix),
      ]);
      const present = await asReported(stored);
      const here: KnownPlayer[] = [...present]
        .filter(([, { record }]) => isListed(record) && lowered(record.name).startsWith(prefix ?? ""))
        .map(([uuid, { record, online }]) => playerOf(uuid, record, online.length > 0));
      const placedOf = (player: KnownPlayer): { player: KnownPlayer; place: Place } => ({
        player,
        place: { key: keyOf(player, sort), uuid: player.uuid },
      });
      const others = away.map(([uuid, record]) => placedOf(playerOf(uuid, record, false)));
      // Behind the last of them there are others away, who may stand ahead of somebody here.
      const last = others[limit]?.place;
      const placed = [
        ...here.map(placedOf),
        // One who has come since is told once.
        ...others.filter(({ player }) => !present.has(player.uuid)),
      ]
        .filter(({ place }) => after === undefined || compare(place, after) > 0)
        .filter(({ place }) => last === undefined || compare(place, last) <= 0)
        .sort((one, other) => compare(one.place, other.place));
      const total = listed + here.length;
      const players = placed.slice(0, limit).map(({ player }) => player);
      return { players, total, next: placed.length > limit ? placed[limit - 1]?.place : last };
    },
    /** One of them, where `withStays` with visits, newest first; undefined: nobody who is known and has not hidden. */
    async one(uuid: string, withStays: boolean): Promise<KnownPlayerData | undefined> {
      const found = (await asReported(await store.read([uuid]))).get(uuid);
      if (found === undefined || !isListed(found.record)) return undefined;
      const { record, online } = found;
      const player = playerOf(uuid, record, online.length > 0);
      if (!withStays) return player;
      const ended = await store.stays(uuid, MOST_STAYS);
      return { ...player, stays: visitsOf(record, ended, server => online.includes(server)) };
    },
  };
}
