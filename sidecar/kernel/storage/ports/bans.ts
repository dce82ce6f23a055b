import type { Ban } from "../../../features/bans/rules/bans.ts";
import type { Turn } from "../ports.ts";

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
   * Keeps these entries, each in the place of the one that has its key, with the numbers that follow, or those after `from` where that
   * is larger, and drops those of the keys in `past`; all of it in one step. False: the list stands elsewhere than at `head`, and nothing was done. When the promise settles
   * it survives the process being killed.
   */
  put(
    head: BanHead | undefined,
    bans: readonly Ban[],
    past: readonly string[],
    turn?: Turn,
    from?: number,
  ): Promise<boolean>;
  close(): Promise<void>;
}
