import { randomUUID } from "node:crypto";
import type { Metrics, PlayerData } from "../../../shared/public/game-server.ts";
import type { Bus, ProcessFigures, ProcessProbe } from "../../kernel/bridge/ports.ts";
import type { Snapshot } from "../../kernel/bridge/snapshot.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { playerData } from "../players/player-data.ts";
import { freshForMs } from "./rules/freshness.ts";

/** The game as the public service shows it at the moment. */
export interface PublicSnapshot {
  status: Metrics;
  /** those who may be shown to anybody */
  players: PlayerData[];
  /** those who have hidden themselves too */
  everybody: PlayerData[];
}

/** Before the process was looked for. */
const NO_FIGURES: ProcessFigures = { memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 };

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** The public snapshot of the game, kept up to date by the bus and the probe. */
export interface Snapshots {
  /** The newest snapshot, unless no game server has reported lately. */
  fresh(): PublicSnapshot | undefined;
  /** Wall time in milliseconds of the last complete snapshot. */
  reportedAt(): number | undefined;
  onChange(listener: (snapshot: PublicSnapshot) => void): void;
  /** Stops reading figures of the process. */
  stop(): void;
}

export async function createSnapshots(deps: {
  clock: Clock;
  bus: Bus;
  log: Log;
  probe: ProcessProbe;
  refreshMs: number;
  bridgeId: string;
}): Promise<Snapshots> {
  const { clock, bus, log, probe, refreshMs, bridgeId } = deps;
  const listeners: ((snapshot: PublicSnapshot) => void)[] = [];
  const firstRead = probe.read();
  let figures = NO_FIGURES;
  let reported = await bus.lastSnapshot();
  /** monotonic time from which the report is too old to be shown */
  let staleAt = reported ? staleAfter(reported) : 0;
  let current: PublicSnapshot | undefined;
  let offline = true;

  function staleAfter({ at }: Snapshot): number {
    return clock.monotonic() + Math.min(0, at - clock.now()) + freshForMs(refreshMs);
  }

  /** Made once for a report, while the figures of the process change. */
  const playersOf = ({ rows }: Snapshot): Pick<PublicSnapshot, "players" | "everybody"> => {
    const everybody = rows.map(row => playerData(row, bridgeId));
    return { players: everybody.filter((_, i) => rows[i]?.hidden !== true), everybody };
  };
  let lastPlayers: { of: Snapshot; players: ReturnType<typeof playersOf> } | undefined;

  function update(): void {
    if (!reported) return;
    if (lastPlayers?.of !== reported) lastPlayers = { of: reported, players: playersOf(reported) };
    current = {
      status: {
        status: "Online",
        tps: hundredths(reported.tps),
        onlinePlayerCount: reported.rows.length,
        memoryUsedMB: figures.memoryUsedMB,
        memoryMaxMB: figures.memoryMaxMB,
        cpuUsage: hundredths(figures.cpuUsage),
      },
      ...lastPlayers.players,
    };
    for (const listener of listeners) listener(current);
  }

  function fresh(): PublicSnapshot | undefined {
    return clock.monotonic() < staleAt ? current : undefined;
  }

  function logTransition(): void {
    const now = fresh() === undefined;
    if (now === offline) return;
    offline = now;
    if (offline) log.warn({}, "The game server has stopped reporting");
    else log.info({}, "The game server is reporting");
  }

  bus.subscribe(event => {
    if (event.kind !== "snapshot") return;
    // When a player joins or leaves, the snapshot comes again with its time.
    if (reported?.at !== event.snapshot.at) staleAt = staleAfter(event.snapshot);
    reported = event.snapshot;
    update();
    logTransition();
  });

  const self = randomUUID();
  /** last figures from each sidecar that sees the process, the newest last, and until when they hold by the monotonic clock */
  const seen = new Map<string, { told: ProcessFigures; until: number }>();
  function updateFigures(): void {
    for (const [from, { until }] of seen) if (clock.monotonic() >= until) seen.delete(from);
    figures = [...seen.values()].at(-1)?.told ?? NO_FIGURES;
    update();
  }
  function addFigures(from: string, told: ProcessFigures): void {
    seen.delete(from);
    if (told.memoryUsedMB > 0) seen.set(from, { told, until: clock.monotonic() + freshForMs(refreshMs) });
    updateFigures();
  }
  bus.subscribe(event => {
    if (event.kind === "figures") addFigures(event.from ?? "", event.figures);
  });
  async function readFigures(): Promise<void> {
    const figures = await probe.read();
    // The process may run on another machine, where another sidecar sees it.
    if (figures.memoryUsedMB === 0 && !seen.has(self)) return updateFigures();
    await bus.publish({ kind: "figures", figures, from: self }).catch(() => addFigures(self, figures));
  }
  // Looking through all processes takes a while, and is needed only with a snapshot.
  const firstShown = firstRead.then(read => addFigures(self, read));
  if (reported) await firstShown;
  const stop = clock.every(refreshMs, () => {
    logTransition();
    void readFigures();
  });
  update();
  return {
    fresh,
    reportedAt: () => reported?.at,
    onChange: listener => listeners.push(listener),
    stop,
  };
}
