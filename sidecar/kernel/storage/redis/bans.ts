import { randomUUID } from "node:crypto";
import { checkJson } from "../../../../shared/guard.ts";
import { ban, keyOf } from "../../../features/bans/rules/bans.ts";
import { createDamage } from "../files/damage.ts";
import type { BanHead, BanStore } from "../ports/bans.ts";
import type { Log } from "../ports.ts";
import type { Connection } from "./connection.ts";
import keepBans from "./lua/keep-bans.lua";
import readBans from "./lua/read-bans.lua";
import { maybeText, pairsOf } from "./reply.ts";
import { script } from "./script.ts";

const READ = script(readBans, { mayOverfill: true });
const KEEP = script(keepBans, { isFenced: true });
/** What the game has told has room in a storage that is full. */
const KEEP_TOLD = script(keepBans, { isFenced: true, mayOverfill: true });

const HEAD = "ban-head";
const ALL = [HEAD, "bans", "ban-numbers"];
const headText = (head: BanHead | undefined): string => (head ? `${head.upTo} ${head.list}` : "");

/** The list of bans in Redis: entries by their keys, numbers of those, and where the list stands. */
export function createRedisBans(redis: Connection, log: Pick<Log, "warn">): BanStore {
  const damaged = createDamage(log, {});
  return {
    async head() {
      const [upTo, list] = (maybeText(await redis.ask("GET", redis.key(HEAD))) ?? "").split(" ");
      return list === undefined ? undefined : { list, upTo: Number(upTo) };
    },
    async read(after, limit) {
      const found = pairsOf(await redis.run(READ, ["bans", "ban-numbers"], [after, limit]));
      return found.flatMap(([n, text]) => {
        const read = checkJson(ban, text);
        if ("value" in read) return [{ n: Number(n), ban: read.value }];
        damaged(n, "a ban is damaged and counts as none");
        return [];
      });
    },
    async put(head, bans, past, turn, from = 0) {
      const after = Math.max(head?.upTo ?? 0, from);
      const upTo = after + bans.length;
      const next = headText({ list: head?.list ?? randomUUID(), upTo });
      const entries = bans.flatMap(ban => [keyOf(ban), JSON.stringify(ban)]);
      const values = [headText(head), next, after, past.length, ...past, ...entries];
      return (await redis.run(turn ? KEEP_TOLD : KEEP, ALL, values, turn)) === 1;
    },
    close: async () => undefined,
  };
}
