import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { HistoryData, HistoryPoint, Metrics, PlayerData } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import type { Feed } from "../service/feed.ts";
import { asked } from "../service/first-answers.ts";
import { overdueMs } from "../service/service.ts";

interface Figures {
  metrics: Metrics;
  players: PlayerData[];
}

/**
 * The game as the page shows it. Only `online` has the figures of now; `unreachable` has `old` ones, of `lastSeen`, which
 * are never shown as if they were new.
 */
export type Game =
  | { is: "loading" }
  | ({ is: "online" } & Figures)
  | { is: "away"; lastSeen: number | undefined }
  | { is: "unreachable"; lastSeen: number | undefined; old: Figures | undefined };

/** As much of it as is said where the figures are not shown. */
export type Seen =
  | { is: "loading" }
  | { is: "online"; players: readonly PlayerData[] }
  | { is: "away" | "unreachable"; lastSeen: number | undefined };

/** The figures that the page has, of now or old ones. */
export const shownOf = (game: Game): Figures | undefined =>
  game.is === "online" ? game : game.is === "unreachable" ? game.old : undefined;

const HOUR_MS = 3_600_000;
const GAP = { tps: null, onlinePlayerCount: null, memoryUsedMB: null, cpuUsage: null };

/**
 * Follows the game: its figures, its players, and the last hour. The feed tells of each change; while it does not come,
 * the service is asked. `name`: of the game server, where there are several; `of`: the same, unless it is the first one.
 */
export function useGame(
  refreshMs: number,
  feed: Feed,
  name: string | undefined,
  of: string | undefined,
): { game: Game; points: readonly HistoryPoint[] | undefined } {
  const { hear } = feed;
  const calls = asked(of);
  const latest = useLatest(calls);
  const isOpen = feed.is === "open";
  const [game, setGame] = useState<Game>({ is: "loading" });
  /** nothing until it is known what was */
  const [points, setPoints] = useState<readonly HistoryPoint[] | undefined>(undefined);
  const lastSeen = useRef<number | undefined>(undefined);
  const hasHistory = useRef(false);
  const reading = useRef<Promise<void> | undefined>(undefined);
  const isFed = useRef(false);
  isFed.current = isOpen;
  const figures = useRef<Partial<Figures>>({});
  const old = useRef<Figures | undefined>(undefined);
  /** grows with all that the feed tells: of that, an answer from before is old */
  const told = useRef(0);
  /** grows where nothing holds any more that was asked for before: another game server is chosen, or it has gone */
  const over = useRef(0);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const answeredAt = useRef(Number.NEGATIVE_INFINITY);
  /** when the points were brought up to date last: longer ago than that, and the page slept */
  const drawn = useRef(Date.now());
  const sleepMs = Math.max(15_000, 3 * refreshMs);

  // Nothing of one game server is shown as if it were of another.
  useLayoutEffect(
    () => () => {
      over.current++;
      figures.current = {};
      for (const known of [old, lastSeen, reading]) known.current = undefined;
      hasHistory.current = false;
      drawn.current = Date.now();
      setGame({ is: "loading" });
      setPoints(undefined);
    },
    [calls],
  );

  /** Shows the figures as those of now. */
  const show = useCallback(() => {
    const { metrics, players } = figures.current;
    if (!metrics || !players) return;
    const at = Date.now();
    lastSeen.current = at;
    old.current = { metrics, players };
    setGame({ is: "online", metrics, players });
    // What a page that slept has not drawn is no gap: the service knows what was.
    if (at - drawn.current > sleepMs) hasHistory.current = false;
    drawn.current = at;
    setPoints(before => before && append(before, pointOf(at, metrics)));
  }, [sleepMs]);

  const showNone = useCallback((is: "away" | "unreachable") => {
    figures.current = {};
    const seen = { lastSeen: lastSeen.current };
    setGame(is === "away" ? { is, ...seen } : { is, ...seen, old: old.current });
    drawn.current = Date.now();
    setPoints(before => before && append(before, { at: Date.now(), ...GAP }));
  }, []);

  const readHistory = useCallback(async () => {
    const history = await calls.history();
    if (latest.current !== calls) return;
    reading.current = undefined;
    hasHistory.current = history.ok;
    if (!history.ok) return setPoints((before = []) => before);
    const told = toLocalClock(history.value);
    setPoints((before = []) => [...told, ...before.filter(({ at }) => at > (told.at(-1)?.at ?? 0))]);
    lastSeen.current ??= told.filter(point => point.tps !== null).at(-1)?.at;
  }, [calls, latest]);

  const ask = useCallback(async () => {
    askedAt.current = Date.now();
    if (!hasHistory.current) reading.current ??= readHistory();
    const [before, overBefore] = [told.current, over.current];
    const [status, players] = await Promise.all([calls.status(), calls.players()]);
    const isAway = [status, players].some(answer => !answer.ok && answer.code === "server_unavailable");
    if (isAway || (status.ok && players.ok)) answeredAt.current = Date.now();
    if (status.ok && players.ok) {
      if (over.current !== overBefore) return;
      const answer = { metrics: status.value, players: players.value };
      // The feed tells once what does not change, maybe before it was heard for this game server.
      figures.current = told.current === before ? answer : { ...answer, ...figures.current };
      return show();
    }
    // It knows when the game was there last.
    await reading.current;
    if (over.current !== overBefore) return;
    // Whoever was gone may have missed something, and whoever only hears of changes lacks what was not answered: it is asked again.
    if (!isAway) hasHistory.current = false;
    if (told.current !== before) return;
    if (isAway) return showNone("away");
    if (!isFed.current) showNone("unreachable");
  }, [calls, readHistory, show, showNone]);
  // The feed may have told all of a game server before that was chosen.
  useEffect(() => {
    if (isFed.current) void ask();
  }, [ask]);
  const everyMs = Math.max(1_000, refreshMs);
  usePolling(everyMs, ask, !isOpen);

  useEffect(
    () =>
      hear(news => {
        if (news.event === "connecting") hasHistory.current = false;
        if (news.event === "open" && (!hasHistory.current || Date.now() - askedAt.current > everyMs))
          void ask();
        if (news.event !== "status" && news.event !== "players" && news.event !== "server") return;
        if (news.event === "server" && news.server !== undefined && news.server !== name) return;
        told.current++;
        if (news.event === "status") figures.current.metrics = news.metrics;
        else if (news.event === "players") figures.current.players = news.players;
        else if (news.state === "away") {
          over.current++;
          showNone("away");
        }
        show();
      }),
    [hear, ask, everyMs, name, show, showNone],
  );

  // What does not change is not told again, but the hour goes on.
  useEffect(() => {
    if (!isOpen) return;
    const goOn = (): void => {
      show();
      if (!hasHistory.current && !document.hidden) void ask();
    };
    const timer = setInterval(goOn, everyMs);
    document.addEventListener("visibilitychange", goOn);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", goOn);
    };
  }, [isOpen, everyMs, show, ask]);

  // Whoever hears nothing and gets no answer either does not say for longer that the figures are those of now.
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
    document.addEventListener("visibilitychange", wait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wait);
    };
  }, [isOpen, showNone]);
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
function append(points: readonly HistoryPoint[], point: HistoryPoint): readonly HistoryPoint[] {
  const recent = points.filter(({ at }) => at > point.at - HOUR_MS && at < point.at);
  return recent.at(-1)?.tps === null && point.tps === null ? recent : [...recent, point];
}
