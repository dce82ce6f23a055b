import { existsSync } from "node:fs";
import { join } from "node:path";
import { BAN_HEAD, BANS } from "./features/bans/records.ts";
import { createKnownStore, KNOWN, type KnownStore, STAYS } from "./features/known-players/records.ts";
import { LINKS } from "./features/linking/records.ts";
import { CHOICES, GAME_SERVERS } from "./features/servers/records.ts";
import { SIGN_INS } from "./features/sign-in/records.ts";
import { secretsFile } from "./features/sign-in/secrets-file.ts";
import { createDamage } from "./kernel/storage/damage.ts";
import type { embedded } from "./kernel/storage/embedded.ts";
import { createRecordsFile, type RecordsFile } from "./kernel/storage/files/records-file.ts";
import { bridgeIdIn, META } from "./meta.ts";
import { bansOfTables, linksOfTables, playersOfTables } from "./migrations/files.ts";
import type { SharedTime } from "./platform/clock.ts";
import { createSteadyTime, systemClock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";

type FileDeps = Parameters<typeof createRecordsFile>[0];

/** The files of a folder with records, each with what is in it. Where one of them fails, the others go on. */
const FILES = {
  "links.db": {
    collections: [LINKS, CHOICES, GAME_SERVERS, SIGN_INS, META],
    ...{ version: 3, migrate: linksOfTables, look: "whole" },
  },
  "players.db": { collections: [KNOWN, STAYS], version: 2, migrate: playersOfTables, look: "head" },
  "bans.db": { collections: [BANS, BAN_HEAD], version: 2, migrate: bansOfTables, look: "head" },
} satisfies Record<string, Omit<FileDeps, "path" | "now" | "damaged">>;

export const PLAYERS_FILE = "players.db";

/** A file of records in a folder; it is opened, and made, once it is needed. */
export function openFile(
  folder: string,
  name: keyof typeof FILES,
  log: Pick<Log, "warn">,
  now: SharedTime = systemClock.now,
): RecordsFile {
  const path = join(folder, name);
  const damaged = createDamage(log, { file: path });
  return createRecordsFile({
    ...{ path, now },
    ...FILES[name],
    damaged: (of, key) => damaged(`${of.name} ${key}`, of.damaged),
  });
}

/** What a bridge with one sidecar process keeps in a folder. */
type Folder = Omit<Parameters<typeof embedded>[1], "feedLog">;

/** Opens a file that is there: to take over what an earlier version has stored may take seconds, which nobody waits for now. */
function openEarly(path: string, file: RecordsFile): void {
  if (!existsSync(path)) return;
  try {
    file.open();
  } catch {
    // Whoever needs it opens it again, and says what is wrong.
  }
}

/**
 * Opens what is kept in a folder.
 * @throws StoreError when the file of links cannot be used
 */
export function openFolder(folder: string, log: Pick<Log, "warn">): Folder {
  const time = createSteadyTime(systemClock);
  const links = openFile(folder, "links.db", log, time);
  const players = openFile(folder, PLAYERS_FILE, log, time);
  const bans = openFile(folder, "bans.db", log, time);
  links.open();
  openEarly(join(folder, PLAYERS_FILE), players);
  openEarly(join(folder, "bans.db"), bans);
  return {
    records: { links, players, bans },
    secrets: secretsFile(folder),
    bridgeId: () => bridgeIdIn(links),
    async close() {
      for (const file of [players, bans, links]) file.close();
    },
  };
}

/**
 * The known players of a folder, whether a sidecar runs there or not.
 * @param mostSorted as in `createKnownStore`
 */
export function openKnownPlayers(
  folder: string,
  log: Pick<Log, "warn">,
  mostSorted?: number,
): KnownStore & { close(): Promise<void> } {
  const file = openFile(folder, PLAYERS_FILE, log);
  return { ...createKnownStore(file, mostSorted), close: async () => file.close() };
}
