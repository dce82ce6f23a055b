import { type FactOf, type PlayerRow, playerRow } from "../../../shared/facts.ts";
import { type Infer, int, list, num, object } from "../../../shared/guard.ts";
import { MAX_SNAPSHOT_PARTS, PLAYERS_PER_SNAPSHOT_PART } from "../../../shared/limits.ts";

/** Most players in all parts of a snapshot. */
export const MOST_ROWS = MAX_SNAPSHOT_PARTS * PLAYERS_PER_SNAPSHOT_PART;

/** The game as the pack last reported it. */
export const snapshot = object({
  /** wall time in milliseconds when the sidecar got it */
  at: num(0, Number.MAX_SAFE_INTEGER),
  /** ticks per second over the last minute */
  tps: num(0, 20),
  /** online players, in the order of the game */
  rows: list(playerRow, MOST_ROWS),
});
export type Snapshot = Infer<typeof snapshot>;

/** A snapshot that is still coming in, part by part and in order. */
export const partialSnapshot = object({
  parts: int(1, MAX_SNAPSHOT_PARTS),
  rows: list(playerRow, MOST_ROWS),
  got: int(0, MAX_SNAPSHOT_PARTS),
  /** number of the fact with the last part */
  fact: int(0, Number.MAX_SAFE_INTEGER),
});
export type PartialSnapshot = Infer<typeof partialSnapshot>;

type SnapshotPart = FactOf<"snapshot">;

/**
 * Adds the part of the fact of this number, once. The last part completes the snapshot. A part out of order drops the earlier ones,
 * since the rest of that snapshot will not come any more.
 */
export function addPart(
  partial: PartialSnapshot | undefined,
  part: SnapshotPart,
  fact: number,
): { partial?: PartialSnapshot; complete?: { tps: number; rows: PlayerRow[] } } {
  if (partial?.fact === fact) return { partial };
  const before = part.part === 0 ? { parts: part.parts, rows: [], got: 0, fact } : partial;
  if (!before || before.got !== part.part || before.parts !== part.parts) return {};
  const rows = [...before.rows, ...part.rows];
  const got = before.got + 1;
  if (got < part.parts) return { partial: { parts: part.parts, rows, got, fact } };
  return { complete: { tps: part.tps, rows } };
}

/** Whether there is room for a player, who may be among these already. */
export const hasRoom = (rows: readonly PlayerRow[], { player }: PlayerRow): boolean =>
  rows.length < MOST_ROWS || rows.some(one => one.player.id === player.id);

/** The players with one who has joined, or is replaced. */
export function withPlayer(rows: readonly PlayerRow[], row: PlayerRow): PlayerRow[] {
  return [...rows.filter(one => one.player.id !== row.player.id), row];
}

export function withoutPlayer(rows: readonly PlayerRow[], id: string): PlayerRow[] {
  return rows.filter(row => row.player.id !== id);
}
