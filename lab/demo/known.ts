import { join } from "node:path";
import { SETTINGS } from "../../sidecar/config/settings.ts";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import { createKnownStore } from "../../sidecar/features/known-players/records.ts";
import { openKnownPlayers } from "../../sidecar/files.ts";
import { createConnection } from "../../sidecar/kernel/storage/redis/connection.ts";
import { createRedisRecords } from "../../sidecar/kernel/storage/redis/records.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { seededRandom } from "../simulator/random.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Players who are offline: days since they first joined, hours since they left, and their statistics. */
const BEFORE: readonly [
  name: string,
  days: number,
  hours: number,
  visits: number,
  played: number,
  deaths: number,
  kills: number,
][] = [
  ["Sami", 412, 3, 214, 391, 96, 41],
  ["Ilse Moor", 398, 20, 173, 402, 31, 4],
  ["Okoro", 371, 5, 160, 246, 122, 87],
  ["ゆき", 244, 27, 98, 171, 40, 9],
  ["Tomas", 230, 51, 77, 120, 58, 33],
  ["Lene", 190, 9, 61, 133, 12, 0],
  ["Rafa Sol", 121, 170, 40, 58, 44, 52],
  ["Mirja", 96, 30, 38, 71, 19, 6],
  ["Anjali", 60, 75, 22, 31, 9, 2],
  ["Bo", 41, 12, 20, 44, 27, 18],
  ["Thu", 16, 33, 9, 12, 5, 1],
  ["Wim", 2, 26, 1, 1, 3, 0],
];
const MOST = BEFORE.length;

const uuidOf = (number: number): string => `de300000-0000-5000-8000-${number.toString(16).padStart(12, "0")}`;

/** Stores them as known players, with visits of the last weeks. */
async function remember(store: KnownStore): Promise<void> {
  const now = systemClock.now();
  for (const [i, [name, days, hours, visits, played, deaths, kills]] of BEFORE.entries()) {
    const random = seededRandom(i);
    const [first, last] = [now - days * DAY_MS, now - hours * HOUR_MS];
    const lengthMs = (played * HOUR_MS) / visits;
    const apartMs = (last - first) / visits;
    const ended = Array.from({ length: Math.min(visits, 30) }, (_, back) => {
      const to = Math.round(last - back * apartMs);
      return { from: Math.round(to - lengthMs * (0.5 + random() / 2)), to };
    });
    const record = { name, first, last, visits, servers: { "": { last: [deaths, kills, played * 3600] } } };
    await store.change([uuidOf(i + 1)], () => ({ record, ended }), { most: MOST });
  }
}

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Stores the known players of the demo in the folder of a sidecar that has not started yet. */
export async function rememberIn(folder: string): Promise<void> {
  const players = openKnownPlayers(join(folder, `${SETTINGS.storage.folder.default}`), log);
  await remember(players);
  await players.close();
}

/** Stores the known players of the demo in a running Redis. */
export async function rememberInRedis(url: string): Promise<void> {
  const prefix = `${SETTINGS.storage.prefix.default}`;
  const redis = createConnection({
    settings: { url, prefix, sentinel: "", ca: "" },
    clock: systemClock,
    log,
  });
  await redis.start();
  await remember(createKnownStore(createRedisRecords(redis, () => undefined)));
  redis.close();
}
