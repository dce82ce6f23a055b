import type { PlayerRef } from "../../../shared/actions.ts";
import type { PlayerRow } from "../../../shared/facts.ts";
import type { FeedPlayer } from "../../../shared/public/events.ts";
import type { Bus } from "../../kernel/bridge/ports.ts";
import type { Lease, Reach } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ServerFeed } from "../feed/feed-log.ts";
import type { ServerTag } from "../feed/rules/window.ts";
import { playerUuid } from "./player-data.ts";
import * as presence from "./rules/presence.ts";

/** Interval of checking again whether the game is silent, in milliseconds. */
const RECHECK_MS = 1_000;

/** Reports joins, leaves and the state of the game in the feed. */
export interface PresenceTracker {
  named(player: PlayerRef): FeedPlayer;
  /** A run of the game has connected. */
  began(run: string, lease: Lease): Promise<void>;
  /** The game reports who is online. */
  listed(run: string, rows: readonly PlayerRow[], lease: Lease): Promise<void>;
  /** `key`: as in `NewEntry` */
  joined(run: string, row: PlayerRow, by: { lease: Lease; key: string }): Promise<void>;
  left(run: string, id: string, by: { lease: Lease; key: string }): Promise<void>;
  stop(): void;
}

export async function createPresenceTracker(deps: {
  clock: Clock;
  log: ServerFeed;
  bus: Bus;
  reach: Reach;
  bridgeId: string;
  tag: ServerTag;
  /** how long the game may be silent before it counts as offline, in milliseconds */
  silentMs: number;
}): Promise<PresenceTracker> {
  const { clock, log, bus, reach, bridgeId, tag, silentMs } = deps;
  let stopWaiting = (): void => undefined;

  /** Changes the presence, and appends the resulting events; `key` as in `NewEntry`. */
  async function step(
    take: (before: presence.Presence, at: number) => presence.PresenceStep,
    { lease, key }: { lease?: Lease; key?: string } = {},
  ): Promise<void> {
    await log.append(before => {
      const { presence: after, events } = take(before, clock.now());
      return {
        presence: after,
        entries: events.map(event => ({ event: { ...event, ...tag }, ...(key && { key }) })),
      };
    }, lease);
  }

  /** time of the last snapshot */
  let lastReportAt = (await bus.lastSnapshot())?.at;

  function awaitGame(ms: number): void {
    stopWaiting();
    stopWaiting = clock.after(ms, () => {
      fallSilent().catch(() => awaitGame(RECHECK_MS));
    });
  }

  async function fallSilent(): Promise<void> {
    // While the storage is unreachable, no report can arrive.
    if (reach.isAway()) return;
    // Another process may have received a report that has not arrived here yet.
    if ((await bus.lastSnapshot())?.at === lastReportAt) await step(presence.markSilent);
    else awaitGame(RECHECK_MS);
  }

  async function awaitGameIfOnline(): Promise<void> {
    if ((await log.presence()).isOnline) awaitGame(silentMs);
  }

  reach.onChange(isAway => {
    if (!isAway) awaitGameIfOnline().catch(() => awaitGame(silentMs));
  });
  const unsubscribe = bus.subscribe(event => {
    if (event.kind !== "snapshot" || event.snapshot.at === lastReportAt) return;
    lastReportAt = event.snapshot.at;
    awaitGame(silentMs);
  });

  const named = (player: PlayerRef): FeedPlayer => ({
    name: player.name,
    uuid: playerUuid(player, bridgeId),
  });
  const present = ({ player }: PlayerRow): presence.PresentPlayer => ({ id: player.id, ...named(player) });

  // Players who were online when the process ended stay online until the game reports, or has been silent for too long.
  await awaitGameIfOnline();

  return {
    named,
    began: (run, lease) => step((before, at) => presence.beginRun(before, run, at), { lease }),
    listed(run, rows, lease) {
      const players = rows.filter(row => row.hidden !== true).map(present);
      return step((before, at) => presence.updatePlayers(before, run, players, at), { lease });
    },
    async joined(run, row, by) {
      if (row.hidden !== true)
        await step((before, at) => presence.addPlayer(before, run, present(row), at), by);
    },
    left: (run, id, by) => step((before, at) => presence.removePlayer(before, run, id, at), by),
    stop() {
      unsubscribe();
      stopWaiting();
    },
  };
}
