import type { Fact, PlayerRow } from "../../shared/facts.ts";

/** The game as the pack last reported it. */
export interface Snapshot {
  /** wall time in milliseconds when the sidecar got it */
  at: number;
  /** ticks per second over the last minute */
  tps: number;
  /** online players, in the order of the game */
  rows: PlayerRow[];
}

/** A snapshot that is still coming in, part by part and in order. */
export interface PartialSnapshot {
  parts: number;
  rows: PlayerRow[];
  got: number;
  /** number of the fact that told the last of them */
  fact: number;
}

type Part = Extract<Fact, { is: "snapshot" }>;

/**
 * Adds a part, which the fact of this number tells; told again, nothing changes. The last part completes the snapshot; a part out of turn begins anew, since the rest of the former
 * snapshot will not come any more.
 */
export function addPart(
  partial: PartialSnapshot | undefined,
  part: Part,
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

/** The players after somebody joined; one who was there already is replaced. */
export function withPlayer(rows: readonly PlayerRow[], row: PlayerRow): PlayerRow[] {
  return [...rows.filter(one => one.player.id !== row.player.id), row];
}

/** The players after somebody left. */
export function withoutPlayer(rows: readonly PlayerRow[], id: string): PlayerRow[] {
  return rows.filter(row => row.player.id !== id);
}

const LEAST_FRESH_MS = 15_000;

/** How long a snapshot may be shown, in milliseconds: three refresh intervals, at least 15 s. */
export function freshForMs(refreshMs: number): number {
  return Math.max(LEAST_FRESH_MS, 3 * refreshMs);
}
