import type { KnownChange, KnownQuery, KnownStore } from "../records.ts";
import { keyOf, type Place, playerOf } from "../rules/known-list.ts";
import type { KnownRecord } from "../rules/known-players.ts";

export const MANY = { most: 1_000 };

/** A uuid for a number, sorted like the number. */
export const uuidOf = (number: number): string =>
  `${number.toString(16).padStart(8, "0")}-0000-5000-8000-00000000000${number % 10}`;

/** An offline player. */
export const away = (name: string, more: Partial<KnownRecord> = {}): KnownRecord => ({
  ...{ name, first: 10, last: 20, visits: 1, servers: { "": { last: [1, 2, 3] } } },
  ...more,
});
/** An online player. */
export const there = (name: string, more: Partial<KnownRecord> = {}): KnownRecord =>
  away(name, { servers: { "": { last: [1, 2, 3], stay: { since: 5, from: 10, heard: 20 } } }, ...more });

/** Overwrites a record. */
export const put = (
  store: KnownStore,
  uuid: string,
  record: KnownRecord,
  more: Partial<KnownChange> = {},
): Promise<void> => store.change([uuid], () => ({ record, ...more }), MANY);

/** All players of a query, in pages of `limit`; `between` runs before each further page. */
export async function walk(
  store: KnownStore,
  query: Omit<KnownQuery, "limit" | "after">,
  limit = 2,
  between: () => Promise<unknown> = async () => undefined,
): Promise<(readonly [string, KnownRecord])[]> {
  const found: (readonly [string, KnownRecord])[] = [];
  let after: Place | undefined;
  for (;;) {
    const page = await store.page({ ...query, after, limit });
    found.push(...page);
    const [uuid, record] = page.at(-1) ?? [];
    if (uuid === undefined || record === undefined || page.length < limit) return found;
    after = { key: keyOf(playerOf(uuid, record, false), query.sort), uuid };
    await between();
  }
}

export const uuidsOf = (players: Iterable<readonly [string, KnownRecord]>): string[] =>
  [...players].map(([uuid]) => uuid);
