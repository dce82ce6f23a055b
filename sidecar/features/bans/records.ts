import { randomUUID } from "node:crypto";
import { count, object, text } from "../../../shared/guard.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import {
  BEHIND_ALL,
  collection,
  lookUp,
  ordered,
  parseJson,
  type Records,
} from "../../kernel/storage/records.ts";
import { type Ban, ban, keyOf } from "./rules/ban-list.ts";

/** State of the ban list: its id, made once, and the number of its newest change. */
export interface BanHead {
  list: string;
  upTo: number;
}

/** An entry, with the number of its last change. */
interface BanEntry {
  n: number;
  ban: Ban;
}

/** The list of bans. Several sidecar processes may share one. */
export interface BanStore {
  /** undefined: nothing was ever stored */
  head(): Promise<BanHead | undefined>;
  /** Entries with larger numbers than `after`, in their order, at most `limit`. */
  read(after: number, limit: number): Promise<BanEntry[]>;
  /**
   * Replaces the entries of these bans, with numbers after the newest, or after `from` where that is larger, and drops those of the
   * keys in `past`, in one step. False: the list has changed since `head`, and nothing was done. Once it settles it survives a
   * power loss.
   */
  put(
    head: BanHead | undefined,
    bans: readonly Ban[],
    past: readonly string[],
    lease?: Lease,
    from?: number,
  ): Promise<boolean>;
}

export const BANS = collection<BanEntry>({
  name: "ban-entries",
  damaged: "A stored ban is damaged and ignored",
  parse: parseJson(object({ n: count, ban })),
  indexes: { number: ({ n }) => [ordered(n)] },
});

/** The head of the list, under one key. */
export const BAN_HEAD = collection<BanHead>({
  name: "ban-list",
  parse: parseJson(object({ list: text(64, 1), upTo: count })),
});
export const HEAD_KEY = "head";

export const createBanStore = (records: Records): BanStore => ({
  head: () => records.get(BAN_HEAD, HEAD_KEY),
  async read(after, limit) {
    const behind = { value: ordered(after), key: BEHIND_ALL };
    const { found } = await lookUp(records, BANS, "number", { after: behind, limit });
    return found.map(([, entry]) => entry);
  },
  put(head, bans, past, lease, from = 0) {
    const made = randomUUID();
    return records.transact(
      transaction => {
        const stored = transaction.get(BAN_HEAD, HEAD_KEY);
        if (stored?.list !== head?.list || stored?.upTo !== head?.upTo) return false;
        // Reads all changed entries together.
        transaction.getMany(BANS, [...past, ...bans.map(keyOf)]);
        let upTo = Math.max(stored?.upTo ?? 0, from);
        for (const key of past) transaction.delete(BANS, key);
        for (const ban of bans) transaction.put(BANS, keyOf(ban), { n: ++upTo, ban });
        transaction.put(BAN_HEAD, HEAD_KEY, { list: stored?.list ?? made, upTo });
        transaction.makeDurable();
        return true;
      },
      { lease },
    );
  },
});
