import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { checkJson } from "../../../../shared/guard.ts";
import { ban, keyOf } from "../../../features/bans/rules/bans.ts";
import type { BanHead, BanStore } from "../ports/bans.ts";
import type { Log } from "../ports.ts";
import { createDamage } from "./damage.ts";
import { closeDatabase, isDamaged, openDatabase, transaction } from "./schema.ts";
import { isOfDamage, TABLES } from "./tables.ts";

const BANS_FILE = "bans.db";

/**
 * The list of bans, in the file `bans.db` of a folder, which is made for the first of them. What was kept is on the disk when its
 * promise settles. Each promise rejects with a `StoreError` while the file cannot be used.
 */
export function openBansFile(folder: string, log: Pick<Log, "warn">): BanStore {
  const file = join(folder, BANS_FILE);
  const damaged = createDamage(log, { file });
  let opened: ReturnType<typeof prepare> | undefined;

  function use<T>(step: (bans: ReturnType<typeof prepare>) => T): T {
    try {
      opened ??= prepare(openDatabase(file, TABLES.bans, "head"));
      return step(opened);
    } catch (error) {
      throw isOfDamage(error) ? isDamaged(file) : error;
    }
  }
  const isThere = (): boolean => opened !== undefined || existsSync(file);

  return {
    head: async () => (isThere() ? use(headIn) : undefined),
    async read(after, limit) {
      if (!isThere()) return [];
      const rows = use(({ read }) => read.all(after, limit));
      return rows.flatMap(({ n, ban: text }) => {
        const read = checkJson(ban, String(text));
        if ("value" in read) return [{ n: Number(n), ban: read.value }];
        damaged(`${n}`, "a ban is damaged and counts as none");
        return [];
      });
    },
    put: async (head, bans, past, _turn, from = 0) =>
      use(prepared => {
        const { database, begin, move, put, drop } = prepared;
        return transaction(database, () => {
          const held = headIn(prepared);
          if (held?.list !== head?.list || held?.upTo !== head?.upTo) return false;
          if (held === undefined) begin.run(randomUUID());
          let upTo = Math.max(held?.upTo ?? 0, from);
          for (const key of past) drop.run(key);
          for (const ban of bans) put.run(keyOf(ban), ++upTo, JSON.stringify(ban));
          move.run(upTo);
          return true;
        });
      }),
    async close() {
      if (opened) closeDatabase(opened.database);
      opened = undefined;
    },
  };
}

function headIn({ head }: Pick<ReturnType<typeof prepare>, "head">): BanHead | undefined {
  const row = head.get();
  return row ? { list: String(row.list), upTo: Number(row.up_to) } : undefined;
}

function prepare(database: DatabaseSync) {
  return {
    database,
    head: database.prepare("SELECT list, up_to FROM head"),
    begin: database.prepare("INSERT INTO head (list, up_to) VALUES (?, 0)"),
    move: database.prepare("UPDATE head SET up_to = ?"),
    read: database.prepare("SELECT n, ban FROM bans WHERE n > ? ORDER BY n LIMIT ?"),
    put: database.prepare("INSERT OR REPLACE INTO bans (key, n, ban) VALUES (?, ?, ?)"),
    drop: database.prepare("DELETE FROM bans WHERE key = ?"),
  };
}
