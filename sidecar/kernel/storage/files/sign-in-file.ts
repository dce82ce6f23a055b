import type { DatabaseSync } from "node:sqlite";
import type { SignInStore } from "../ports/sign-in.ts";
import type { SharedTime } from "../ports.ts";
import { quickTransaction, transaction } from "./schema.ts";
import { SIGN_IN_TABLE } from "./tables.ts";

/** What has ended is cleared away in passing, so many at a time. */
const CLEARED = 100;

/** Sign-ins in a table that is made for the first of them, and the secrets of their provider in a file of a folder. */
export function createSignInFile(
  database: DatabaseSync,
  now: SharedTime,
  secrets: Pick<SignInStore, "secrets" | "replaceSecrets">,
): SignInStore {
  let made: ReturnType<typeof prepare> | undefined;

  function statements(): ReturnType<typeof prepare> {
    if (made) return made;
    transaction(database, () => database.exec(SIGN_IN_TABLE));
    made = prepare(database);
    return made;
  }

  return {
    async put(key, text, forMs) {
      const { put, clear } = statements();
      quickTransaction(database, () => {
        clear.run(now(), CLEARED);
        put.run(key, text, Math.ceil(now() + forMs));
      });
    },
    async get(key) {
      const row = statements().get.get(key);
      if (row === undefined) return undefined;
      const leftMs = Number(row.until) - now();
      return leftMs > 0 ? { text: String(row.text), leftMs, isUsed: row.used === 1 } : undefined;
    },
    async use(key) {
      const { use } = statements();
      return quickTransaction(database, () => use.run(key, now()).changes === 1);
    },
    async drop(key) {
      const { drop } = statements();
      quickTransaction(database, () => void drop.run(key));
    },
    ...secrets,
  };
}

function prepare(database: DatabaseSync) {
  return {
    put: database.prepare("INSERT OR REPLACE INTO sign_ins (key, text, until, used) VALUES (?, ?, ?, 0)"),
    get: database.prepare("SELECT text, until, used FROM sign_ins WHERE key = ?"),
    use: database.prepare("UPDATE sign_ins SET used = 1 WHERE key = ? AND used = 0 AND until > ?"),
    drop: database.prepare("DELETE FROM sign_ins WHERE key = ?"),
    clear: database.prepare(
      "DELETE FROM sign_ins WHERE key IN (SELECT key FROM sign_ins WHERE until <= ? ORDER BY until LIMIT ?)",
    ),
  };
}
