import { useCallback, useRef, useState } from "preact/hooks";
import type { HistoryData, HistoryPoint, Metrics, PlayerData } from "../client/index.ts";
import { usePolling } from "./hooks.ts";
import { client } from "./service.ts";

/** The game as the page shows it. Only `online` has figures: old ones are never shown as if they were new. */
export type Game =
  | { is: "loading" }
  | { is: "online"; metrics: Metrics; players: PlayerData[] }
  | { is: "away" | "unreachable"; lastSeen: number | undefined };

const HOUR_MS = 3_600_000;
const GAP = { tps: null, onlinePlayerCount: null, memoryUsedMB: null, cpuUsage: null };

/** Follows the game: its figures, its players, and the last hour. */
export function useGame(refreshMs: number): { game: Game; points: readonly HistoryPoint[] } {
  const [game, setGame] = useState<Game>({ is: "loading" });
  const [points, setPoints] = useState<readonly HistoryPoint[]>([]);
  const lastSeen = useRef<number | undefined>(undefined);
  const hasHistory = useRef(false);

  const ask = useCallback(async () => {
    if (!hasHistory.current) {
      const history = await client.history();
      if (history.ok) {
        hasHistory.current = true;
        const told = toLocalClock(history.value);
        setPoints(told);
        lastSeen.current ??= told.filter(point => point.tps !== null).at(-1)?.at;
      }
    }
    const [status, players] = await Promise.all([client.status(), client.players()]);
    const at = Date.now();
    if (status.ok && players.ok) {
      lastSeen.current = at;
      setGame({ is: "online", metrics: status.value, players: players.value });
      setPoints(before => append(before, pointOf(at, status.value), refreshMs));
      return;
    }
    const isAway = [status, players].some(answer => !answer.ok && answer.code === "server_unavailable");
    // Whoever was gone may have missed something: the service knows.
    if (!isAway) hasHistory.current = false;
    setGame({ is: isAway ? "away" : "unreachable", lastSeen: lastSeen.current });
    setPoints(before => append(before, { at, ...GAP }, refreshMs));
  }, [refreshMs]);
  usePolling(Math.max(1_000, refreshMs), ask);
  return { game, points };
}

/** The points on the clock of the browser, which may go wrong: while the game reports, the last one is of now. */
function toLocalClock({ intervalMs, points }: HistoryData): readonly HistoryPoint[] {
  const last = points.at(-1);
  const off = last && last.tps !== null ? Date.now() - last.at : 0;
  return Math.abs(off) > 3 * intervalMs ? points.map(point => ({ ...point, at: point.at + off })) : points;
}

const pointOf = (at: number, metrics: Metrics): HistoryPoint => ({
  at,
  tps: metrics.tps,
  onlinePlayerCount: metrics.onlinePlayerCount,
  memoryUsedMB: metrics.memoryUsedMB === 0 ? null : metrics.memoryUsedMB,
  cpuUsage: metrics.cpuUsage < 0 ? null : metrics.cpuUsage,
});

/** The last hour with a point more. */
function append(points: readonly HistoryPoint[], point: HistoryPoint, refreshMs: number): HistoryPoint[] {
  const recent = points.filter(({ at }) => at > point.at - HOUR_MS && at < point.at);
  const last = recent.at(-1);
  const isRepeated = last?.tps === null && point.tps === null;
  const wasAsleep = last && last.tps !== null && point.at - last.at > Math.max(15_000, 3 * refreshMs);
  if (isRepeated) return recent;
  return wasAsleep ? [...recent, { at: last.at + 1, ...GAP }, point] : [...recent, point];
}
