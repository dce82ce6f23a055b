import {
  type KnownPlayer,
  type KnownPlayerData,
  type KnownPlayers,
  MAX_STAYS,
} from "../../../shared/public/known-players.ts";
import type { Snapshots } from "../status/snapshots.ts";
import type { KnownServer } from "./known-players.ts";
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
import { countReport, isListed, type KnownRecord } from "./rules/known-players.ts";
import { isOtherVisit, reportOf } from "./rules/player-rows.ts";

/** A request for a page of known players. */
export interface KnownPageRequest {
  sort: KnownSort;
  limit: number;
  after?: Place | undefined;
  /** as in `KnownQuery` */
  prefix?: string | undefined;
}

/** A page of known players; `next`: start of the next page, undefined if there is none. */
export type KnownPage = Omit<KnownPlayers, "next"> & { next: Place | undefined };

/** A player's record including the last report, and the game servers on which the player is online. */
interface ReportedPlayer {
  record: KnownRecord;
  online: readonly string[];
}

type KnownListServer = Pick<KnownServer, "name" | "storedName" | "bus" | "uuidOf"> & {
  snapshots: Pick<Snapshots, "fresh">;
};

/** The public list of known players, including the last report of those who are online. */
export interface KnownList {
  /** Number of players, without hidden ones. */
  total(): Promise<number>;
  /** A page of players, without hidden ones. */
  page(request: KnownPageRequest): Promise<KnownPage>;
  /** One player, with `withVisits` also their visits, newest first; undefined: unknown or hidden. */
  one(uuid: string, withVisits: boolean): Promise<KnownPlayerData | undefined>;
}

export function createKnownList(deps: {
  store: KnownStore;
  servers: { first: KnownListServer; all: readonly KnownListServer[] };
}): KnownList {
  const { store, servers } = deps;

  /** Records including reports that are not stored yet, and on which servers the players are online. */
  async function withReports(
    records: ReadonlyMap<string, KnownRecord>,
  ): Promise<Map<string, ReportedPlayer>> {
    const all = new Map<string, ReportedPlayer>(
      [...records].map(([uuid, record]) => [uuid, { record, online: [] }]),
    );
    const reports = await Promise.all(
      servers.all.map(async server => ({
        server,
        last: await server.bus.lastSnapshot(),
        isFresh: server.snapshots.fresh() !== undefined,
      })),
    );
    // Players online count as seen with the newest report of all game servers.
    const newest = Math.max(0, ...reports.map(({ last, isFresh }) => (isFresh && last ? last.at : 0)));
    for (const { server: gameServer, last, isFresh } of reports) {
      if (last === undefined) continue;
      const { uuidOf, storedName: server } = gameServer;
      for (const row of last.rows) {
        const uuid = uuidOf(row.player);
        const known = all.get(uuid);
        const stay = known?.record.servers[server]?.stay;
        // The report does not belong to the stored visit.
        if (known === undefined || stay === undefined || isOtherVisit(row, stay)) continue;
        const at = isFresh ? newest : Math.max(last.at, stay.heard);
        const { record } = countReport(known.record, reportOf(row, { server, at }));
        all.set(uuid, { record, online: isFresh ? [...known.online, server] : known.online });
      }
    }
    return all;
  }

  return {
    async total() {
      const present = [...(await store.present()).values()];
      return (await store.count()) + present.filter(isListed).length;
    },
    async page({ sort, limit, after, prefix }) {
      // Started together: a store in this process answers them consistently.
      const [stored, away, listed] = await Promise.all([
        store.present(),
        store.page({ sort, after, prefix, limit: limit + 1 }),
        store.count(prefix),
      ]);
      const present = await withReports(stored);
      const here: KnownPlayer[] = [...present]
        .filter(([, { record }]) => isListed(record) && lowered(record.name).startsWith(prefix ?? ""))
        .map(([uuid, { record, online }]) => playerOf(uuid, record, online.length > 0));
      const placedOf = (player: KnownPlayer): { player: KnownPlayer; place: Place } => ({
        player,
        place: { key: keyOf(player, sort), uuid: player.uuid },
      });
      const others = away.map(([uuid, record]) => placedOf(playerOf(uuid, record, false)));
      // After the last of them there are more offline players, who may come before an online one.
      const last = others[limit]?.place;
      const placed = [
        ...here.map(placedOf),
        // A player who has just joined is listed once.
        ...others.filter(({ player }) => !present.has(player.uuid)),
      ]
        .filter(({ place }) => after === undefined || compare(place, after) > 0)
        .filter(({ place }) => last === undefined || compare(place, last) <= 0)
        .sort((one, other) => compare(one.place, other.place));
      const total = listed + here.length;
      const players = placed.slice(0, limit).map(({ player }) => player);
      return { players, total, next: placed.length > limit ? placed[limit - 1]?.place : last };
    },
    async one(uuid, withVisits) {
      const found = (await withReports(await store.read([uuid]))).get(uuid);
      if (found === undefined || !isListed(found.record)) return undefined;
      const { record, online } = found;
      const player = playerOf(uuid, record, online.length > 0);
      if (!withVisits) return player;
      const ended = await store.visits(uuid, MAX_STAYS);
      return { ...player, stays: visitsOf(record, ended, server => online.includes(server)) };
    },
  };
}
