import { type Ban, keyOf } from "../../sidecar/features/bans/rules/bans.ts";
import type { BanStore } from "../../sidecar/kernel/storage/ports/bans.ts";

/** The list of bans, as long as the process lasts. */
export function createMemoryBans(list = "list"): BanStore {
  let entries: { n: number; ban: Ban }[] = [];
  let upTo: number | undefined;
  return {
    head: async () => (upTo === undefined ? undefined : { list, upTo }),
    read: async (after, limit) => entries.filter(({ n }) => n > after).slice(0, limit),
    async put(head, bans, past, _turn, from = 0) {
      if (head?.upTo !== upTo || (head && head.list !== list)) return false;
      const keys = new Set([...past, ...bans.map(keyOf)]);
      let n = Math.max(upTo ?? 0, from);
      entries = [
        ...entries.filter(({ ban }) => !keys.has(keyOf(ban))),
        ...bans.map(ban => ({ n: ++n, ban })),
      ];
      upTo = n;
      return true;
    },
    close: async () => undefined,
  };
}
