import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { HistoryData, HistoryPoint, Metrics, PlayerData } from "../../client/index.ts";
import { listen, useLatest, usePolling } from "../platform/hooks.ts";
import type { Feed } from "../service/feed.ts";
import { figureCallsOf } from "../service/first-answers.ts";
import { overdueMs } from "../service/service.ts";

interface Figures {
  metrics: Metrics;
  players: PlayerData[];
}

/**
 * The state of a game server. Only `online` has current figures; `unreachable` has `old` ones, of `lastSeen`, which are always
 * shown as old. Times are in milliseconds since 1970.
 */
export type GameState =
  | { is: "loading" }
  | ({ is: "online" } & Figures)
  | { is: "away"; lastSeen: number | undefined }
  | { is: "unreachable"; lastSeen: number | undefined; old: Figures | undefined };

/** The state without the figures: who is online, or since when it is offline. */
export type GamePresence =
  | { is: "loading" }
  | { is: "online"; players: readonly PlayerData[] }
  | { is: "away" | "unreachable"; lastSeen: number | undefined };

/** The current or old figures, if there are any. */
export const latestFigures = (game: GameState): Figures | undefined =>
  game.is === "online" ? game : game.is === "unreachable" ? game.old : undefined;

const HOUR_MS = 3_600_000;
const GAP = { tps: null, onlinePlayerCount: null, memoryUsedMB: null, cpuUsage: null };

/**
 * Follows a game server: its figures, its players, and the last hour. The feed reports each change; while it is not open, the
 * service is polled. `name`: of the game server, where there are several; `otherServer`: its name unless it is the first one.
 */
export function useGameState(
  refreshMs: number,
  feed: Feed,
  name: string | undefined,
  otherServer: string | undefined,
): { game: GameState; points: readonly HistoryPoint[] | undefined } {
  const { subscribe } = feed;
  const calls = figureCallsOf(otherServer);
  const latest = useLatest(calls);
  const isOpen = feed.is === "open";
  const [game, setGame] = useState<GameState>({ is: "loading" });
  /** of the last hour; undefined until they have loaded */
  const [points, setPoints] = useState<readonly HistoryPoint[] | undefined>(undefined);
  const lastSeen = useRef<number | undefined>(undefined);
  const hasHistory = useRef(false);
  const readingHistory = useRef<Promise<void> | undefined>(undefined);
  const isFeedOpen = useLatest(isOpen);
  const figures = useRef<Partial<Figures>>({});
  const old = useRef<Figures | undefined>(undefined);
  /** grows with each report of the feed: answers to earlier polls are older than it */
  const reports = useRef(0);
  /** grows when another game server is chosen, or it goes offline: answers to earlier polls are void */
  const resets = useRef(0);
  const polledAt = useRef(Number.NEGATIVE_INFINITY);
  const answeredAt = useRef(Number.NEGATIVE_INFINITY);
  /** when the last point was added: if that is longer ago than `sleepMs`, the page was asleep */
  const pointAt = useRef(Date.now());
  const sleepMs = Math.max(15_000, 3 * refreshMs);

  // Figures of one game server are never shown as another one's.
  useLayoutEffect(
    () => () => {
      resets.current++;
      figures.current = {};
      for (const ref of [old, lastSeen, readingHistory]) ref.current = undefined;
      hasHistory.current = false;
      pointAt.current = Date.now();
      setGame({ is: "loading" });
      setPoints(undefined);
    },
    [calls],
  );

  const show = useCallback(() => {
    const { metrics, players } = figures.current;
    if (!metrics || !players) return;
    const at = Date.now();
    lastSeen.current = at;
    old.current = { metrics, players };
    setGame({ is: "online", metrics, players });
    // After a sleep the service has the missing points.
    if (at - pointAt.current > sleepMs) hasHistory.current = false;
    pointAt.current = at;
    setPoints(before => before && append(before, pointOf(at, metrics)));
  }, [sleepMs]);

  const showNone = useCallback((is: "away" | "unreachable") => {
    figures.current = {};
    const since = { lastSeen: lastSeen.current };
    setGame(is === "away" ? { is, ...since } : { is, ...since, old: old.current });
    pointAt.current = Date.now();
    setPoints(before => before && append(before, { at: Date.now(), ...GAP }));
  }, []);

  const readHistory = useCallback(async () => {
    const history = await calls.history();
    if (latest.current !== calls) return;
    readingHistory.current = undefined;
    hasHistory.current = history.ok;
    if (!history.ok) return setPoints((before = []) => before);
    const loaded = toLocalClock(history.value);
    setPoints((before = []) => [...loaded, ...before.filter(({ at }) => at > (loaded.at(-1)?.at ?? 0))]);
    lastSeen.current ??= loaded.filter(point => point.tps !== null).at(-1)?.at;
  }, [calls, latest]);

  const poll = useCallback(async () => {
    polledAt.current = Date.now();
    if (!hasHistory.current) readingHistory.current ??= readHistory();
    const [reportsBefore, resetsBefore] = [reports.current, resets.current];
    const [status, players] = await Promise.all([calls.status(), calls.players()]);
    const isAway = [status, players].some(answer => !answer.ok && answer.code === "server_unavailable");
    if (isAway || (status.ok && players.ok)) answeredAt.current = Date.now();
    if (status.ok && players.ok) {
      if (resets.current !== resetsBefore) return;
      const answer = { metrics: status.value, players: players.value };
      // The feed reports once what does not change, maybe before this game server was chosen.
      figures.current = reports.current === reportsBefore ? answer : { ...answer, ...figures.current };
      return show();
    }
    // The history shows when the game was last seen.
    await readingHistory.current;
    if (resets.current !== resetsBefore) return;
    // Points are missing after an outage.
    if (!isAway) hasHistory.current = false;
    if (reports.current !== reportsBefore) return;
    if (isAway) return showNone("away");
    if (!isFeedOpen.current) showNone("unreachable");
  }, [calls, readHistory, show, showNone]);
  // The feed may have reported everything before this game server was chosen.
  useEffect(() => {
    if (isFeedOpen.current) void poll();
  }, [poll]);
  const everyMs = Math.max(1_000, refreshMs);
  usePolling(everyMs, poll, !isOpen);

  useEffect(
    () =>
      subscribe(update => {
        if (update.event === "connecting") hasHistory.current = false;
        if (update.event === "open" && (!hasHistory.current || Date.now() - polledAt.current > everyMs))
          void poll();
        if (update.event !== "status" && update.event !== "players" && update.event !== "server") return;
        if (update.event === "server" && update.server !== undefined && update.server !== name) return;
        reports.current++;
        if (update.event === "status") figures.current.metrics = update.metrics;
        else if (update.event === "players") figures.current.players = update.players;
        else if (update.state === "away") {
          resets.current++;
          showNone("away");
        }
        show();
      }),
    [subscribe, poll, everyMs, name, show, showNone],
  );

  // Unchanged figures are not reported again, but the plots need new points.
  useEffect(() => {
    if (!isOpen) return;
    const goOn = (): void => {
      show();
      if (!hasHistory.current && !document.hidden) void poll();
    };
    const timer = setInterval(goOn, everyMs);
    const unlisten = listen(goOn);
    return () => {
      clearInterval(timer);
      unlisten();
    };
  }, [isOpen, everyMs, show, poll]);

  // Without the feed and without an answer, figures are not shown as current for longer.
  useEffect(() => {
    if (isOpen) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      const since = Date.now();
      timer = setTimeout(() => {
        if (!document.hidden && lastSeen.current !== undefined && answeredAt.current < since)
          showNone("unreachable");
      }, overdueMs());
    };
    wait();
    const unlisten = listen(wait);
    return () => {
      clearTimeout(timer);
      unlisten();
    };
  }, [isOpen, showNone]);
  return { game, points };
}

/** The points by the browser's clock, which may be wrong: while the game reports, the last point is from now. */
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

function append(points: readonly HistoryPoint[], point: HistoryPoint): readonly HistoryPoint[] {
  const recent = points.filter(({ at }) => at > point.at - HOUR_MS && at < point.at);
  return recent.at(-1)?.tps === null && point.tps === null ? recent : [...recent, point];
}
