import { type FactOf, type PlayerRow, playerRow } from "../../../shared/facts.ts";
import { type Infer, int, list, num, object } from "../../../shared/guard.ts";
import { MAX_SNAPSHOT_PARTS, PLAYERS_PER_SNAPSHOT_PART } from "../../../shared/limits.ts";

/** Players in all parts of a snapshot. */
export const MAX_ROWS = MAX_SNAPSHOT_PARTS * PLAYERS_PER_SNAPSHOT_PART;

/** The pack's last report of the game. */
export const snapshot = object({
  /** wall time in milliseconds when the sidecar received it */
  at: num(0, Number.MAX_SAFE_INTEGER),
  /** ticks per second over the last minute */
  tps: num(0, 20),
  /** online players, in the order of the game */
  rows: list(playerRow, MAX_ROWS),
});
export type Snapshot = Infer<typeof snapshot>;

/** An incomplete snapshot, received part by part, in order. */
export const partialSnapshot = object({
  parts: int(1, MAX_SNAPSHOT_PARTS),
  rows: list(playerRow, MAX_ROWS),
  got: int(0, MAX_SNAPSHOT_PARTS),
  /** number of the fact with the last part */
  fact: int(0, Number.MAX_SAFE_INTEGER),
});
export type PartialSnapshot = Infer<typeof partialSnapshot>;

type SnapshotPart = FactOf<"snapshot">;

/**
 * Adds the part in the fact with this number, once. The last part completes the snapshot. A part out of order drops the earlier ones,
 * since the rest of that snapshot will never come.
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

/** Whether a player, who may already be among these, fits. */
export const hasRoom = (rows: readonly PlayerRow[], { player }: PlayerRow): boolean =>
  rows.length < MAX_ROWS || rows.some(one => one.player.id === player.id);

/** The players with one added or replaced. */
export function withPlayer(rows: readonly PlayerRow[], row: PlayerRow): PlayerRow[] {
  return [...rows.filter(one => one.player.id !== row.player.id), row];
}

export function withoutPlayer(rows: readonly PlayerRow[], id: string): PlayerRow[] {
  return rows.filter(row => row.player.id !== id);
}
