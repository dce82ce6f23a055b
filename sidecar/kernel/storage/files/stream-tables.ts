import type { DatabaseSync } from "node:sqlite";
import type { StoredEntry } from "../memory-streams.ts";
import { idOf, later, parseId } from "../stream-ids.ts";

/** The stored state of a stream. */
export interface StoredStream {
  /** epoch of the last start; 0: it was never started */
  epoch: number;
  /** the newest dropped id; blank: none */
  floor: string;
  /** oldest first */
  entries: StoredEntry[];
}

/** Changes to write to a stream. */
export interface StreamChange {
  /** set when it was started again */
  begun?: { epoch: number; floor: string } | undefined;
  entries: readonly StoredEntry[];
  /** ids of dropped entries */
  dropped: readonly string[];
}

/** Table of a stream's entries. */
export const streamTable = (name: string): string => `"${name} stream"`;

/** SQL that creates missing tables of streams. */
export const streamTables = (names: readonly string[]): string =>
  names
    .map(
      name =>
        `CREATE TABLE IF NOT EXISTS ${streamTable(name)} (epoch INTEGER NOT NULL, seq INTEGER NOT NULL, entry TEXT NOT NULL,
           PRIMARY KEY (epoch, seq)) WITHOUT ROWID;`,
    )
    .concat(
      "CREATE TABLE IF NOT EXISTS streams (name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, floor TEXT NOT NULL);",
    )
    .join("\n");

const partsOf = (id: string): [number, number] => parseId(id) ?? [0, 0];

/** A stream in a database with its tables. */
export function openStreamTable(database: DatabaseSync, name: string) {
  const table = streamTable(name);
  const all = database.prepare(`SELECT epoch, seq, entry FROM ${table} ORDER BY epoch, seq`);
  const head = database.prepare("SELECT epoch, floor FROM streams WHERE name = ?");
  const putHead = database.prepare("INSERT OR REPLACE INTO streams (name, epoch, floor) VALUES (?, ?, ?)");
  const setFloor = database.prepare("UPDATE streams SET floor = ? WHERE name = ?");
  const put = database.prepare(`INSERT OR REPLACE INTO ${table} (epoch, seq, entry) VALUES (?, ?, ?)`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE epoch = ? AND seq = ?`);
  const floor = (): string => String(head.get(name)?.floor ?? "");
  return {
    read: (): StoredStream => ({
      epoch: Number(head.get(name)?.epoch ?? 0),
      floor: floor(),
      entries: all
        .all()
        .map(row => ({ id: idOf(Number(row.epoch), Number(row.seq)), text: String(row.entry) })),
    }),
    write({ begun, entries, dropped }: StreamChange): void {
      if (begun) putHead.run(name, begun.epoch, begun.floor);
      for (const { id, text } of entries) put.run(...partsOf(id), text);
      if (dropped.length === 0) return;
      for (const id of dropped) remove.run(...partsOf(id));
      setFloor.run(dropped.reduce(later, floor()), name);
    },
  };
}
