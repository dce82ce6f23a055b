import { randomUUID } from "node:crypto";
import type { Metrics, PlayerData } from "../../../shared/public/game-server.ts";
import type { Bus, ProcessFigures, ProcessProbe } from "../../kernel/bridge/ports.ts";
import type { Snapshot } from "../../kernel/bridge/snapshot.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { playerData } from "../players/player-data.ts";
import { freshForMs } from "./rules/freshness.ts";

/** The game as currently shown by the public service. */
export interface PublicSnapshot {
  status: Metrics;
  /** public players */
  players: PlayerData[];
  /** all players, including hidden ones */
  allPlayers: PlayerData[];
}

/** Figures before the first search for the process. */
const NO_FIGURES: ProcessFigures = { memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 };

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** The public snapshot of the game, kept up to date by the bus and the probe. */
export interface Snapshots {
  /** The newest snapshot, unless it is too old. */
  fresh(): PublicSnapshot | undefined;
  /** Wall time in milliseconds of the last complete snapshot. */
  reportedAt(): number | undefined;
  onChange(listener: (snapshot: PublicSnapshot) => void): void;
  /** Stops measuring the process. */
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
  /** monotonic time at which the report becomes too old */
  let staleAt = reported ? staleAfter(reported) : 0;
  let current: PublicSnapshot | undefined;
  let offline = true;

  function staleAfter({ at }: Snapshot): number {
    return clock.monotonic() + Math.min(0, at - clock.now()) + freshForMs(refreshMs);
  }

  /** Created once for each report; figures of the process change more often. */
  const playersOf = ({ rows }: Snapshot): Pick<PublicSnapshot, "players" | "allPlayers"> => {
    const allPlayers = rows.map(row => playerData(row, bridgeId));
    return { players: allPlayers.filter((_, i) => rows[i]?.hidden !== true), allPlayers };
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
    // When a player joins or leaves, the snapshot is published again with the same time.
    if (reported?.at !== event.snapshot.at) staleAt = staleAfter(event.snapshot);
    reported = event.snapshot;
    update();
    logTransition();
  });

  const self = randomUUID();
  /** last figures from each sidecar that sees the process, the newest last, and their monotonic expiry */
  const figuresBySidecar = new Map<string, { figures: ProcessFigures; until: number }>();
  function updateFigures(): void {
    for (const [from, { until }] of figuresBySidecar)
      if (clock.monotonic() >= until) figuresBySidecar.delete(from);
    figures = [...figuresBySidecar.values()].at(-1)?.figures ?? NO_FIGURES;
    update();
  }
  function addFigures(from: string, figures: ProcessFigures): void {
    figuresBySidecar.delete(from);
    if (figures.memoryUsedMB > 0)
      figuresBySidecar.set(from, { figures, until: clock.monotonic() + freshForMs(refreshMs) });
    updateFigures();
  }
  bus.subscribe(event => {
    if (event.kind === "figures") addFigures(event.from ?? "", event.figures);
  });
  async function readFigures(): Promise<void> {
    const figures = await probe.read();
    // The process may run on another machine, and be visible to another sidecar.
    if (figures.memoryUsedMB === 0 && !figuresBySidecar.has(self)) return updateFigures();
    await bus.publish({ kind: "figures", figures, from: self }).catch(() => addFigures(self, figures));
  }
  // Searching all processes takes a while, and is needed only with a snapshot.
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
