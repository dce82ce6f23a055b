import { existsSync } from "node:fs";
import { join } from "node:path";
import { BAN_HEAD, BANS } from "./features/bans/records.ts";
import { CHOICES } from "./features/choices/records.ts";
import { FEED, PRESENCE, REPORTED } from "./features/feed/records.ts";
import { createKnownStore, KNOWN, type KnownStore, VISITS } from "./features/known-players/records.ts";
import { LINKS } from "./features/linking/records.ts";
import { CONNECTIONS } from "./features/servers/records.ts";
import { type SecretStore, SIGN_INS } from "./features/sign-in/records.ts";
import { secretsFile } from "./features/sign-in/secrets-file.ts";
import { COUNTED, POINTS, pointTexts, ROLLUPS } from "./features/status/records.ts";
import { HOOKS } from "./features/webhooks/records.ts";
import type { embedded } from "./kernel/embedded.ts";
import { createDamage } from "./kernel/storage/damage.ts";
import { createRecordsFile, type RecordsFile } from "./kernel/storage/files/records-file.ts";
import { createWriteBehind } from "./kernel/storage/files/write-behind.ts";
import { createMemoryRecords } from "./kernel/storage/memory-records.ts";
import type { RecordsWithStreams } from "./kernel/storage/records.ts";
import { changeOf } from "./kernel/storage/transaction.ts";
import { bridgeIdIn, META } from "./meta.ts";
import { bansOfTables, feedOfTables, linksOfTables, playersOfTables } from "./migrations/files.ts";
import { takeOverPlots } from "./migrations/plots.ts";
import { type Clock, createSteadyTime, type SharedTime, systemClock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";

type FileDeps = Parameters<typeof createRecordsFile>[0];

/** The files of a storage folder, each with its collections. If one fails, the others continue. */
const FILES = {
  "links.db": {
    collections: [LINKS, CHOICES, CONNECTIONS, SIGN_INS, META],
    version: 3,
    migrate: linksOfTables,
    checkScope: "whole",
  },
  "players.db": { collections: [KNOWN, VISITS], version: 2, migrate: playersOfTables, checkScope: "head" },
  "feed.db": {
    collections: [PRESENCE, REPORTED, HOOKS, POINTS, ROLLUPS, COUNTED],
    streams: [FEED.name],
    version: 2,
    migrate: feedOfTables,
    checkScope: "whole",
  },
  "bans.db": { collections: [BANS, BAN_HEAD], version: 2, migrate: bansOfTables, checkScope: "head" },
} satisfies Record<string, Omit<FileDeps, "path" | "now" | "damaged">>;

export const PLAYERS_FILE = "players.db";

/** A file of records in a folder; it is opened, and created, when it is needed. */
export function openFile(
  folder: string,
  name: keyof typeof FILES,
  log: Pick<Log, "warn">,
  now: SharedTime = systemClock.now,
): RecordsFile {
  const path = join(folder, name);
  const damaged = createDamage(log, { file: path });
  return createRecordsFile({
    path,
    now,
    ...FILES[name],
    damaged: (of, key) => damaged(`${of.name} ${key}`, of.damaged),
  });
}

/** The storage of a bridge with one sidecar process. */
type Folder = Parameters<typeof embedded>[1] & { secrets: SecretStore };

/**
 * The feed of a folder and its other data, in memory and written to a file.
 * @throws StoreError when the file cannot be used
 */
export function openFeed(
  folder: string,
  log: Pick<Log, "error" | "info" | "warn">,
  clock: Clock = systemClock,
): RecordsWithStreams & { close(): void } {
  const file = openFile(folder, "feed.db", log);
  file.open();
  takeOverPlots(folder, log, points => {
    const texts = points.map(point => JSON.stringify(point));
    const changes = pointTexts("", texts).map(([key, after]) =>
      changeOf(POINTS, key, { before: undefined, after }),
    );
    file.write({ changes, streams: new Map() }, true);
  });
  const behind = createWriteBehind({ clock, log, file });
  const damaged = createDamage(log, { file: join(folder, "feed.db") });
  const records = createMemoryRecords(
    clock.monotonic,
    (of, key) => damaged(`${of.name} ${key}`, of.damaged),
    behind,
  );
  return {
    ...records,
    close() {
      records.flush();
      behind.close();
    },
  };
}

/** Opens an existing file: migrating the data of an earlier version may take seconds, which no caller should wait for. */
function openEarly(path: string, file: RecordsFile): void {
  if (!existsSync(path)) return;
  try {
    file.open();
  } catch {
    // Its user opens it again, and reports the error.
  }
}

/**
 * Opens the storage of a folder.
 * @throws StoreError when the file of links, or that of the feed, cannot be used
 */
export function openFolder(folder: string, log: Pick<Log, "error" | "info" | "warn">): Folder {
  const time = createSteadyTime(systemClock);
  const links = openFile(folder, "links.db", log, time);
  const players = openFile(folder, PLAYERS_FILE, log, time);
  const bans = openFile(folder, "bans.db", log, time);
  const feed = openFeed(folder, log);
  links.open();
  openEarly(join(folder, PLAYERS_FILE), players);
  openEarly(join(folder, "bans.db"), bans);
  return {
    records: { links, players, bans, feed },
    secrets: secretsFile(folder),
    bridgeId: () => bridgeIdIn(links),
    async close() {
      for (const file of [feed, players, bans, links]) file.close();
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
