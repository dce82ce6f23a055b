import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KnownRecord } from "../../sidecar/domain/known-players.ts";
import type { KnownStore } from "../../sidecar/ports/known.ts";
import { openKnownFile } from "../../sidecar/store/known-file.ts";

/** Players who have been here in the benchmarks whose cost depends on them. */
export const KNOWN = 100_000;

const FILE = "players.db";
const AT_ONCE = 10_000;
const STAYS = 3;
const DAY_MS = 86_400_000;
/** When the benchmark's world began, in milliseconds since 1970. */
const BEGAN = Date.UTC(2026, 0, 1);
const LETTERS = "aaabcdeeefghiiijklmnnooopqrrsssttuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

const below = (most: number): number => Math.floor(Math.random() * most);

/** Somebody who was here some days of the last year, with a name of 12 characters. */
function somebody(): KnownRecord {
  const first = BEGAN + below(365 * DAY_MS);
  const last = [below(500), below(2) * below(50), below(2_000_000)];
  return {
    name: Array.from({ length: 12 }, () => LETTERS.charAt(below(LETTERS.length))).join(""),
    ...{ first, last: first + below(365 * DAY_MS), visits: 1 + below(300), servers: { "": { last } } },
  };
}

const randomUuid = (): string =>
  randomBytes(16)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

let filled: Promise<{ folder: string; uuids: readonly string[]; bytes: number }> | undefined;

/** A storage folder with everybody, made once for all benchmarks, in no order; it goes with the process. */
export function everybody(say: (words: string) => void): NonNullable<typeof filled> {
  filled ??= fill(say);
  return filled;
}

async function fill(say: (words: string) => void): NonNullable<typeof filled> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const known = openKnown(folder);
  const uuids = Array.from({ length: KNOWN }, randomUuid);
  for (let at = 0; at < KNOWN; at += AT_ONCE) {
    await known.change(
      uuids.slice(at, at + AT_ONCE),
      () => {
        const record = somebody();
        const ended = Array.from({ length: STAYS }, (_, i) => {
          const from = record.last - i * DAY_MS - below(DAY_MS / 2);
          return { from, to: from + below(DAY_MS / 2) };
        });
        return { record, ended };
      },
      { most: KNOWN },
    );
    say(`${at + AT_ONCE} of ${KNOWN} players`);
  }
  await known.close();
  return { folder, uuids, bytes: statSync(join(folder, FILE)).size };
}

/** The same in another storage folder, which is made. */
export async function copyEverybody(into: string, say: (words: string) => void): Promise<void> {
  const { folder } = await everybody(say);
  mkdirSync(into, { recursive: true });
  copyFileSync(join(folder, FILE), join(into, FILE));
}

export const openKnown = (folder: string): KnownStore =>
  openKnownFile(folder, {
    warn: (_, message) => {
      throw new Error(message);
    },
  });
