import type { Fact, PlayerRow } from "../../shared/facts.ts";

/** Parts of a snapshot that is still coming in, in order. */
export interface Parts {
  parts: number;
  rows: PlayerRow[];
  got: number;
}

type Part = Extract<Fact, { is: "snapshot" }>;

/**
 * Adds a part. The last part completes the picture; a part out of turn begins anew, since the rest of the former
 * picture will not come any more.
 */
export function addPart(
  parts: Parts | undefined,
  part: Part,
): { parts: Parts | undefined; complete?: { tps: number; rows: PlayerRow[] } } {
  const before = part.part === 0 ? { parts: part.parts, rows: [], got: 0 } : parts;
  if (!before || before.got !== part.part || before.parts !== part.parts) return { parts: undefined };
  const rows = [...before.rows, ...part.rows];
  const got = before.got + 1;
  if (got < part.parts) return { parts: { parts: part.parts, rows, got } };
  return { parts: undefined, complete: { tps: part.tps, rows } };
}

/** The players after somebody joined; one who was there already is replaced. */
export function withPlayer(rows: readonly PlayerRow[], row: PlayerRow): PlayerRow[] {
  return [...rows.filter(one => one.player.id !== row.player.id), row];
}

/** The players after somebody left. */
export function withoutPlayer(rows: readonly PlayerRow[], id: string): PlayerRow[] {
  return rows.filter(row => row.player.id !== id);
}

const LEAST_PATIENCE_MS = 15_000;

/** How long a snapshot may be shown, in milliseconds: three refresh intervals, at least 15 s. */
export function freshForMs(refreshMs: number): number {
  return Math.max(LEAST_PATIENCE_MS, 3 * refreshMs);
}
