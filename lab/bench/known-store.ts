import { randomUUID } from "node:crypto";
import { KNOWN as PLAYERS, VISITS } from "../../sidecar/features/known-players/records.ts";
import type { KnownRecord } from "../../sidecar/features/known-players/rules/known-players.ts";
import { openFile, PLAYERS_FILE } from "../../sidecar/files.ts";

/** Known players in benchmarks whose cost depends on their number. */
export const KNOWN = 100_000;

const AT_ONCE = 10_000;
const STAYS_OF_EACH = 3;
const DAY_MS = 86_400_000;
/** Start of the world, in milliseconds since 1970. */
const BEGAN = Date.UTC(2026, 0, 1);
const LETTERS = "aaabcdeeefghiiijklmnnooopqrrsssttuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

const below = (most: number): number => Math.floor(Math.random() * most);

/** Fills a storage folder with players who were online on some days of a year. */
export async function fillKnown(folder: string): Promise<void> {
  const file = openFile(folder, PLAYERS_FILE, {
    warn: (_, message) => {
      throw new Error(message);
    },
  });
  for (let stored = 0; stored < KNOWN; stored += AT_ONCE)
    await file.transact(transaction => {
      for (let i = 0; i < AT_ONCE; i++) {
        const [uuid, { record, ended }] = [randomUUID(), player()];
        transaction.put(PLAYERS, uuid, record);
        transaction.put(VISITS, uuid, ended);
      }
    });
  file.close();
}

function player() {
  const first = BEGAN + below(365 * DAY_MS);
  const last = [below(500), below(2) * below(50), below(2_000_000)];
  const record: KnownRecord = {
    name: Array.from({ length: 12 }, () => LETTERS.charAt(below(LETTERS.length))).join(""),
    ...{ first, last: first + below(365 * DAY_MS), visits: 1 + below(300), servers: { "": { last } } },
  };
  const ended = Array.from({ length: STAYS_OF_EACH }, (_, i) => {
    const from = record.last - i * DAY_MS - below(DAY_MS / 2);
    return { from, to: from + below(DAY_MS / 2) };
  });
  return { record, ended };
}
