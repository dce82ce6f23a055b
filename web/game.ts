import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { HistoryData, HistoryPoint, Metrics, PlayerData } from "../client/index.ts";
import type { Feed } from "./feed.ts";
import { usePolling } from "./hooks.ts";
import { client } from "./service.ts";

/** The game as the page shows it. Only `online` has figures: old ones are never shown as if they were new. */
export type Game =
  | { is: "loading" }
  | { is: "online"; metrics: Metrics; players: PlayerData[] }
  | { is: "away" | "unreachable"; lastSeen: number | undefined };

const HOUR_MS = 3_600_000;
const GAP = { tps: null, onlinePlayerCount: null, memoryUsedMB: null, cpuUsage: null };

/**
 * Follows the game: its figures, its players, and the last hour. The feed tells of each change; while it does not come,
 * the service is asked.
 */
export function useGame(refreshMs: number, feed: Feed): { game: Game; points: readonly HistoryPoint[] } {
  const { isOpen, hear } = feed;
  const [game, setGame] = useState<Game>({ is: "loading" });
  const [points, setPoints] = useState<readonly HistoryPoint[]>([]);
  const lastSeen = useRef<number | undefined>(undefined);
  const hasHistory = useRef(false);
  const figures = useRef<{ metrics?: Metrics; players?: PlayerData[] }>({});
  /** grows with all that the feed tells: an answer from before that is old */
  const told = useRef(0);
  const asked = useRef(Number.NEGATIVE_INFINITY);

  /** Shows the figures as those of now. */
  const show = useCallback(() => {
    const { metrics, players } = figures.current;
    if (!metrics || !players) return;
    const at = Date.now();
    lastSeen.current = at;
    setGame({ is: "online", metrics, players });
    setPoints(before => append(before, pointOf(at, metrics), refreshMs));
  }, [refreshMs]);

  const showNone = useCallback(
    (is: "away" | "unreachable") => {
      figures.current = {};
      setGame({ is, lastSeen: lastSeen.current });
      setPoints(before => append(before, { at: Date.now(), ...GAP }, refreshMs));
    },
    [refreshMs],
  );

  const ask = useCallback(async () => {
    asked.current = Date.now();
    if (!hasHistory.current) {
      const history = await client.history();
      if (history.ok) {
        hasHistory.current = true;
        const told = toLocalClock(history.value);
        setPoints(told);
        lastSeen.current ??= told.filter(point => point.tps !== null).at(-1)?.at;
      }
    }
    const before = told.current;
    const [status, players] = await Promise.all([client.status(), client.players()]);
    if (told.current !== before) return;
    if (status.ok && players.ok) {
      figures.current = { metrics: status.value, players: players.value };
      return show();
    }
    const isAway = [status, players].some(answer => !answer.ok && answer.code === "server_unavailable");
    // Whoever was gone may have missed something: the service knows.
    if (!isAway) hasHistory.current = false;
    showNone(isAway ? "away" : "unreachable");
  }, [show, showNone]);
  const everyMs = Math.max(1_000, refreshMs);
  usePolling(everyMs, ask, !isOpen);

  useEffect(
    () =>
      hear(news => {
        if (news.event === "lost") hasHistory.current = false;
        if (news.event === "open" && (!hasHistory.current || Date.now() - asked.current > everyMs))
          void ask();
        if (news.event !== "status" && news.event !== "players" && news.event !== "server") return;
        told.current++;
        if (news.event === "status") figures.current.metrics = news.metrics;
        else if (news.event === "players") figures.current.players = news.players;
        else if (news.state === "away") showNone("away");
        show();
      }),
    [hear, ask, everyMs, show, showNone],
  );

  // What does not change is not told again, but the hour goes on.
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(show, everyMs);
    return () => clearInterval(timer);
  }, [isOpen, everyMs, show]);
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
