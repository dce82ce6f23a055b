import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KnownStore } from "../../../sidecar/features/known-players/records.ts";
import type { KnownRecord, Visit } from "../../../sidecar/features/known-players/rules/known-players.ts";
import { away, there, uuidOf } from "../../../sidecar/features/known-players/testing/known-records.ts";
import { openKnownPlayers } from "../../../sidecar/files.ts";
import { folder } from "../../../test/helpers/folder.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { runTool, type ToolResult } from "../../../test/helpers/tools.ts";

export const at = (name: string): string => join(folder, name);
export const read = (name: string): string => readFileSync(at(name), "utf8");

export const run = (...args: string[]): Promise<ToolResult> => {
  const env = { ...process.env, TZ: "UTC", WEB_BRIDGE_CONFIG: at("config.yml") };
  return runTool("players", args, { cwd: folder, env });
};

export const FIRST = Date.UTC(2026, 0, 2, 3, 4, 5);
export const LATER = FIRST + 60_000;
const seen = { first: FIRST, last: LATER, visits: 2 };
export const PLAYERS: readonly (readonly [record: KnownRecord, ended: readonly Visit[]])[] = [
  [
    away("Steve", {
      ...seen,
      persistentId: "5EED",
      servers: { "": { last: [1, 2, 3] }, lobby: { last: [10, 20, 30], base: [0, 0, 5] } },
    }),
    [],
  ],
  [away('=HYPERLINK("x")', { ...seen, hidden: true }), [{ from: FIRST, to: LATER }]],
  [there("ステーブ", seen), []],
  [away("Steve", seen), []],
  [away("", { first: 0, last: LATER, visits: 0, servers: { "": { last: [0, 0, 0], untold: true } } }), []],
];

export async function fill(store: KnownStore): Promise<void> {
  for (const [i, [record, ended]] of PLAYERS.entries())
    await store.change([uuidOf(i)], () => ({ record, ended }), { most: 100 });
}

/** Stored players, in a file of the folder. */
export async function stored<T>(act: (store: KnownStore) => Promise<T>): Promise<T> {
  const store = openKnownPlayers(at("data"), new RecordingLog());
  try {
    return await act(store);
  } finally {
    await store.close();
  }
}

export const recordOf = (i: number) => stored(async store => (await store.read([uuidOf(i)])).get(uuidOf(i)));
