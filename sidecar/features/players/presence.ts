import type { PlayerRef } from "../../../shared/actions.ts";
import type { PlayerRow } from "../../../shared/facts.ts";
import type { FeedPlayer } from "../../../shared/public/events.ts";
import type { PresenceLog } from "../../kernel/storage/ports/feed.ts";
import type { Bus } from "../../kernel/storage/ports/game.ts";
import type { Reach, Turn } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Mark } from "../feed/rules.ts";
import { playerUuid } from "./players.ts";
import * as presence from "./rules.ts";

/** Wait before it is looked again whether the game is silent, in milliseconds. */
const AGAIN_MS = 1_000;

export type WhoIsThere = Awaited<ReturnType<typeof createPresence>>;

/** Who is in the world, as the feed tells it: who comes and goes, and whether the game is heard of. */
export async function createPresence(deps: {
  clock: Clock;
  log: PresenceLog;
  bus: Bus;
  reach: Reach;
  bridgeId: string;
  /** what is told of the game server with everything that happens there */
  mark: Mark;
  /** how long the game may be silent before it counts as away, in milliseconds */
  silentMs: number;
}) {
  const { clock, log, bus, reach, bridgeId, mark, silentMs } = deps;
  let stopWaiting = (): void => undefined;

  /** Changes what is told of the game, and appends what has happened by it; `key` as in `NewEntry`. */
  async function step(
    take: (before: presence.Presence, at: number) => presence.PresenceStep,
    { turn, key }: { turn?: Turn; key?: string } = {},
  ): Promise<void> {
    await log.append(before => {
      const { presence: after, events } = take(before, clock.now());
      return {
        presence: after,
        entries: events.map(event => ({ event: { ...event, ...mark }, ...(key && { key }) })),
      };
    }, turn);
  }

  /** when the game was heard of last, as the snapshot of then says */
  let heardAt = (await bus.lastSnapshot())?.at;

  function awaitGame(ms: number): void {
    stopWaiting();
    stopWaiting = clock.after(ms, () => {
      fallSilent().catch(() => awaitGame(AGAIN_MS));
    });
  }

  async function fallSilent(): Promise<void> {
    // Whoever cannot be heard is not silent.
    if (reach.isAway()) return;
    // Another process may have heard of the game, which tells this one in a moment.
    if ((await bus.lastSnapshot())?.at === heardAt) await step(presence.fallSilent);
    else awaitGame(AGAIN_MS);
  }

  async function awaitGameIfOnline(): Promise<void> {
    if ((await log.presence()).isOnline) awaitGame(silentMs);
  }

  reach.onChange(isAway => {
    if (!isAway) awaitGameIfOnline().catch(() => awaitGame(silentMs));
  });
  const unsubscribe = bus.subscribe(event => {
    if (event.kind !== "snapshot" || event.snapshot.at === heardAt) return;
    heardAt = event.snapshot.at;
    awaitGame(silentMs);
  });

  const named = (player: PlayerRef): FeedPlayer => ({
    name: player.name,
    uuid: playerUuid(player, bridgeId),
  });
  const present = ({ player }: PlayerRow): presence.PresentPlayer => ({ id: player.id, ...named(player) });

  // Whoever was there when the process ended is there until the game says so, or says nothing for as long as ever.
  await awaitGameIfOnline();

  return {
    named,
    /** A run of the game has said hello. */
    began: (run: string, turn: Turn) => step((before, at) => presence.beginRun(before, run, at), { turn }),
    /** The game tells who is there. */
    listed(run: string, rows: readonly PlayerRow[], turn: Turn): Promise<void> {
      const players = rows.filter(row => row.hidden !== true).map(present);
      return step((before, at) => presence.compare(before, run, players, at), { turn });
    },
    /** `key`: what this is known by where it is told again. */
    async joined(run: string, row: PlayerRow, by: { turn: Turn; key: string }): Promise<void> {
      if (row.hidden !== true) await step((before, at) => presence.come(before, run, present(row), at), by);
    },
    left: (run: string, id: string, by: { turn: Turn; key: string }) =>
      step((before, at) => presence.go(before, run, id, at), by),
    stop(): void {
      unsubscribe();
      stopWaiting();
    },
  };
}
