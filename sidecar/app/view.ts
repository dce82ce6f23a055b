import type { Metrics, PlayerData } from "../../client/types.ts";
import { freshForMs } from "../domain/snapshot.ts";
import type { Bus, Clock, Log, ProcessFigures, ProcessProbe } from "../ports.ts";
import { playerData } from "./players.ts";

/** The game as the public service shows it at the moment. */
export interface Picture {
  metrics: Metrics;
  players: PlayerData[];
  /** wall time in milliseconds from which on the picture is too old to be shown */
  staleAt: number;
}

export interface View {
  /** The picture, unless no game server has reported lately. */
  fresh(): Picture | undefined;
  /** Calls back with each new picture. */
  onChange(listener: (picture: Picture) => void): void;
  /** Ends the reading of process figures. */
  stop(): void;
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** Keeps the picture of the game up to date from what the bus tells and what the probe reads. */
export async function createView(deps: {
  clock: Clock;
  bus: Bus;
  log: Log;
  probe: ProcessProbe;
  refreshMs: number;
  bridgeId: string;
}): Promise<View> {
  const { clock, bus, log, probe, refreshMs, bridgeId } = deps;
  const listeners: ((picture: Picture) => void)[] = [];
  let figures: ProcessFigures = await probe.read();
  let snapshot = await bus.lastSnapshot();
  let picture: Picture | undefined;
  let away = true;

  function draw(): void {
    if (!snapshot) return;
    picture = {
      metrics: {
        status: "Online",
        tps: hundredths(snapshot.tps),
        onlinePlayerCount: snapshot.rows.length,
        memoryUsedMB: figures.memoryUsedMB,
        memoryMaxMB: figures.memoryMaxMB,
        cpuUsage: hundredths(figures.cpuUsage),
      },
      players: snapshot.rows.map(row => playerData(row, bridgeId)),
      staleAt: snapshot.at + freshForMs(refreshMs),
    };
    for (const listener of listeners) listener(picture);
  }

  function fresh(): Picture | undefined {
    return picture && clock.now() < picture.staleAt ? picture : undefined;
  }

  function noteAbsence(): void {
    const now = fresh() === undefined;
    if (now === away) return;
    away = now;
    if (away) log.warn({}, "the game server has stopped reporting");
    else log.info({}, "the game server is reporting");
  }

  bus.subscribe(event => {
    if (event.kind !== "snapshot") return;
    snapshot = event.snapshot;
    draw();
    noteAbsence();
  });
  const stop = clock.every(refreshMs, () => {
    const now = clock.now();
    // The clock was set back: counted from the old time, the picture would pass for fresh all that while.
    if (snapshot && snapshot.at > now) snapshot = { ...snapshot, at: now };
    noteAbsence();
    void probe.read().then(read => {
      figures = read;
      draw();
    });
  });
  draw();
  return { fresh, onChange: listener => listeners.push(listener), stop };
}
