import type { FeedPlayer } from "../../client/types.ts";
import type { PlayerRef } from "../../shared/actions.ts";
import type { PlayerRow } from "../../shared/facts.ts";
import { type Bounds, createWindow, type FeedEntry, type Missed } from "../domain/feed.ts";
import * as presence from "../domain/presence.ts";
import type { Bus, Clock, FeedLog, NewEntry, Reach, Turn } from "../ports.ts";
import { playerUuid } from "./players.ts";

/** Wait before it is looked again whether the game is silent, in milliseconds. */
const AGAIN_MS = 1_000;

/** How often events that are too old are let go, in milliseconds. */
const TIDY_MS = 5_000;

export type Feed = Awaited<ReturnType<typeof createFeed>>;

/** What happened, for those who were away: the end of the log as readers may see it, and what is told of the game. */
export async function createFeed(deps: {
  clock: Clock;
  log: FeedLog;
  bus: Bus;
  reach: Reach;
  bounds: Bounds;
  bridgeId: string;
  /** how long the game may be silent before it counts as away, in milliseconds */
  silentMs: number;
}) {
  const { clock, log, bus, reach, bounds, bridgeId, silentMs } = deps;
  const { floor, entries } = await log.newest(bounds.entries);
  let window = createWindow(bounds, floor, entries);
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>();
  const holeListeners: (() => void)[] = [];
  let stopWaiting = (): void => undefined;

  log.subscribe(more => {
    window.add(more, clock.now());
    for (const listener of listeners) listener(more);
  });
  log.onHole(async () => {
    const now = await log.newest(bounds.entries);
    window = createWindow(bounds, now.floor, now.entries);
    for (const listener of holeListeners) listener();
  });
  const stopTidying = clock.every(TIDY_MS, () => void window.trim(clock.now()));

  /** Changes what is told of the game, and appends what has happened by it; `key` as in `NewEntry`. */
  async function step(
    take: (before: presence.Presence, at: number) => presence.PresenceStep,
    { turn, key }: { turn?: Turn; key?: string } = {},
  ): Promise<void> {
    await log.append(before => {
      const { presence: after, events } = take(before, clock.now());
      return { presence: after, entries: events.map(event => ({ event, ...(key && { key }) })) };
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
    /** Appends events, which are of the time `at`; when the promise settles, every listener has heard of them. */
    append: (events: (at: number) => readonly NewEntry[], turn?: Turn): Promise<void> =>
      log.tell(events(clock.now()), turn),
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
    /** What came after an id, as far as it is kept; `known`: the newest place that the reader knows to be gone. */
    after(id: string, known?: string): Missed {
      window.trim(clock.now());
      return window.after(id, known);
    },
    /** Settles when everything that has happened until now can be read here. */
    sync: log.sync,
    /** The newest place that is gone. */
    floor(): string {
      window.trim(clock.now());
      return window.floor();
    },
    /** A text that is another one whenever something else is kept. */
    state(): string {
      window.trim(clock.now());
      return `${window.oldest()} ${window.floor()} ${window.last()}`;
    },
    /** The place of the newest event. */
    last: () => window.last(),
    /** Calls back with what happens, in order, everything of one moment together. */
    onEvents(listener: (entries: readonly FeedEntry[]) => void): void {
      listeners.add(listener);
    },
    /** Calls back when something was missed here that nobody can be told of any more. */
    onHole: (listener: () => void) => void holeListeners.push(listener),
    /**
     * Calls back with what the process before has appended and perhaps told nobody: readers of the feed have it, and whoever
     * only listens may never have heard it.
     */
    onRepeated: log.onRepeated,
    stop(): void {
      unsubscribe();
      stopWaiting();
      stopTidying();
    },
  };
}
