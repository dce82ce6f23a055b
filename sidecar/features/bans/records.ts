import { randomUUID } from "node:crypto";
import { int, object, text } from "../../../shared/guard.ts";
import { collection, parseJson } from "../../kernel/storage/collection.ts";
import { BEHIND_ALL, ordered } from "../../kernel/storage/index-range.ts";
import type { Turn } from "../../kernel/storage/ports.ts";
import { lookUp, type Records } from "../../kernel/storage/records.ts";
import { type Ban, ban, keyOf } from "./rules/bans.ts";

const number = int(0, Number.MAX_SAFE_INTEGER);

/** Where the list of bans stands: what it goes by, made up once, and the number of its newest change. */
export interface BanHead {
  list: string;
  upTo: number;
}

/** A change of the list: its number, and what it left of the entry. */
export interface BanEntry {
  n: number;
  ban: Ban;
}

/** The list of bans. Several sidecar processes may share one. */
export interface BanStore {
  /** undefined: nothing was ever kept */
  head(): Promise<BanHead | undefined>;
  /** Entries with larger numbers than `after`, in their order, at most `limit`. */
  read(after: number, limit: number): Promise<BanEntry[]>;
  /**
   * Replaces the entries of these keys, with the numbers that follow, or those after `from` where that is larger, and drops those
   * of the keys in `past`; all of it in one step. False: the list stands elsewhere than at `head`, and nothing was done. When the
   * promise settles it survives a loss of power.
   */
  put(
    head: BanHead | undefined,
    bans: readonly Ban[],
    past: readonly string[],
    turn?: Turn,
    from?: number,
  ): Promise<boolean>;
}

/** Entries of the list by their keys. */
export const BANS = collection<BanEntry>({
  name: "ban-entries",
  damaged: "a ban is damaged and counts as none",
  parse: parseJson(object({ n: number, ban })),
  indexes: { number: ({ n }) => [ordered(n)] },
});

/** Where the list stands, under one key. */
export const BAN_HEAD = collection<BanHead>({
  name: "ban-list",
  parse: parseJson(object({ list: text(64, 1), upTo: number })),
});
export const HEAD_KEY = "head";

/** The list of bans in these records. */
export const createBanStore = (records: Records): BanStore => ({
  head: () => records.get(BAN_HEAD, HEAD_KEY),
  async read(after, limit) {
    const behind = { value: ordered(after), key: BEHIND_ALL };
    const { found } = await lookUp(records, BANS, "number", { after: behind, limit });
    return found.map(([, entry]) => entry);
  },
  put(head, bans, past, turn, from = 0) {
    const made = randomUUID();
    return records.transact(
      transaction => {
        const held = transaction.get(BAN_HEAD, HEAD_KEY);
        if (held?.list !== head?.list || held?.upTo !== head?.upTo) return false;
        // Read at once what is changed.
        transaction.getMany(BANS, [...past, ...bans.map(keyOf)]);
        let upTo = Math.max(held?.upTo ?? 0, from);
        for (const key of past) transaction.delete(BANS, key);
        for (const ban of bans) transaction.put(BANS, keyOf(ban), { n: ++upTo, ban });
        transaction.put(BAN_HEAD, HEAD_KEY, { list: held?.list ?? made, upTo });
        transaction.makeDurable();
        return true;
      },
      { turn },
    );
  },
});
