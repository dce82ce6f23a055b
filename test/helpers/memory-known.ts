import { MAX_STAYS } from "../../shared/public/known-players.ts";
import type { KnownQuery, KnownStore } from "../../sidecar/features/known-players/records.ts";
import {
  compare,
  keyOf,
  lowered,
  type Place,
  playerOf,
} from "../../sidecar/features/known-players/rules/known-list.ts";
import {
  hasHadName,
  isListed,
  isPresent,
  type KnownRecord,
  newestFirst,
  type Visit,
} from "../../sidecar/features/known-players/rules/known-players.ts";

/** Known players in memory; each query reads all of them. */
export function createMemoryKnown(): KnownStore {
  const records = new Map<string, KnownRecord>();
  const stays = new Map<string, Visit[]>();

  const away = (prefix = ""): [string, KnownRecord][] =>
    [...records].filter(
      ([, record]) => !isPresent(record) && isListed(record) && lowered(record.name).startsWith(prefix),
    );
  const placeOf = (uuid: string, record: KnownRecord, sort: KnownQuery["sort"]): Place => ({
    key: keyOf(playerOf(uuid, record, false), sort),
    uuid,
  });
  function erase(uuid: string): void {
    records.delete(uuid);
    stays.delete(uuid);
  }

  return {
    read: async uuids =>
      new Map(
        uuids.flatMap(uuid => {
          const record = records.get(uuid);
          return record ? [[uuid, record]] : [];
        }),
      ),
    present: async () => new Map([...records].filter(([, record]) => isPresent(record))),
    async change(uuids, decide, { most }) {
      for (const uuid of uuids) {
        const change = decide(uuid, records.get(uuid));
        if (change === undefined) continue;
        const before = change.forgets ? [] : (stays.get(uuid) ?? []);
        stays.set(uuid, newestFirst([...(change.ended ?? []), ...before]).slice(0, MAX_STAYS));
        if (change.record) records.set(uuid, change.record);
        else erase(uuid);
      }
      const oldest = [...records]
        .filter(([, record]) => !isPresent(record))
        .sort(([, one], [, other]) => one.last - other.last);
      for (const [uuid] of oldest.slice(0, Math.max(0, records.size - most))) erase(uuid);
    },
    named: async name => [...records].filter(([, record]) => hasHadName(record, name)),
    page: async ({ sort, after, prefix, limit }) =>
      away(prefix)
        .filter(([uuid, record]) => after === undefined || compare(placeOf(uuid, record, sort), after) > 0)
        .sort(([one, a], [other, b]) => compare(placeOf(one, a, sort), placeOf(other, b, sort)))
        .slice(0, limit),
    async *all() {
      const all = [...records];
      for (let at = 0; at < all.length; at += 500) yield all.slice(at, at + 500);
    },
    count: async prefix => away(prefix).length,
    visits: async (uuid, limit) => (stays.get(uuid) ?? []).slice(0, limit),
    async cleanUp({ unseenSince, endedBefore }) {
      for (const [uuid, record] of records) if (!isPresent(record) && record.last < unseenSince) erase(uuid);
      for (const [uuid, all] of stays)
        stays.set(
          uuid,
          all.filter(({ to }) => to >= endedBefore),
        );
      return true;
    },
    async clear() {
      records.clear();
      stays.clear();
    },
  };
}
