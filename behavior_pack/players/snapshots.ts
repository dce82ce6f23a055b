import { encodeSnapshot } from "../encode.ts";
import type { Players } from "../ports.ts";
import type { Member, Roster } from "./roster.ts";

/** Between the beginnings of two snapshots of which the second is wanted soon, in milliseconds. */
const SOON_MS = 1000;

/** Players read in one tick, as long as ticks come at their normal rate, and at most. */
const PLAYERS_PER_TICK = 10;
const MOST_PER_TICK = 40;

const TICK_MS = 50;

interface SnapshotDeps<P> {
  players: Players<P>;
  roster: Roster<P>;
  tps(): number;
  /** A player whom the game no longer lists, without having told of it. */
  vanished(id: string): void;
  /** `isWide`: there may be characters in it of more than a byte */
  ready(parts: string[], isWide: boolean): void;
}

interface Work<P> {
  list: readonly P[];
  next: number;
  /** encoded rows by `Player.id`, in the order of the game */
  rows: Map<string, string>;
  seen: Set<string>;
  /** who left since it began: their objects in the list are of no use any more */
  left: Set<string>;
  /** whether the list is the game's own */
  complete: boolean;
  isWide: boolean;
}

/** Takes a snapshot of the players online at intervals of wall time, a few players each tick. */
export function createSnapshots<P>(deps: SnapshotDeps<P>) {
  const { players, roster } = deps;
  let refreshMs = 5000;
  let begunAt = -Infinity;
  let dueAt = -Infinity;
  let steppedAt = 0;
  let work: Work<P> | undefined;

  function begin(now: number): Work<P> {
    begunAt = now;
    dueAt = now + refreshMs;
    const list = players.list();
    return {
      // Where the game does not tell who is online, its events have to do.
      list: list ?? roster.members().map(member => member.player),
      next: 0,
      rows: new Map(),
      seen: new Set(),
      left: new Set(),
      complete: list !== undefined,
      isWide: false,
    };
  }

  function read(own: Work<P>, player: P): void {
    const id = players.id(player);
    if (id === undefined || own.left.has(id)) return;
    own.seen.add(id);
    // Told of by an event since this began: the object in the list may be an older one.
    if (own.rows.has(id)) return;
    const member = roster.join(player, id);
    if (member !== undefined) add(own, member);
  }

  function add(own: Work<P>, member: Member<P>): void {
    own.seen.add(member.ref.id);
    own.isWide ||= member.isWide;
    try {
      own.rows.set(member.ref.id, roster.row(member));
    } catch {
      // Gone, or not readable yet: the others are told of all the same.
    }
  }

  function came(member: Member<P>): void {
    if (work === undefined) return;
    work.left.delete(member.ref.id);
    add(work, member);
  }

  return {
    every(ms: number) {
      refreshMs = ms;
    },
    /** Begins a new one with the next step, whatever is under way. */
    restart() {
      dueAt = -Infinity;
      work = undefined;
    },
    /** To be called every tick, at wall time `now`, while there is somebody to send to. */
    step(now: number) {
      // Few ticks a second must not make a snapshot take longer.
      const ticks = work === undefined ? 1 : Math.max(1, Math.round((now - steppedAt) / TICK_MS));
      steppedAt = now;
      if (work === undefined) {
        // A clock that was set back must not hold up the next one.
        if (now < dueAt && now >= dueAt - refreshMs) return;
        work = begin(now);
      }
      const own = work;
      const end = Math.min(own.list.length, own.next + Math.min(MOST_PER_TICK, PLAYERS_PER_TICK * ticks));
      while (own.next < end) {
        const player = own.list[own.next];
        own.next++;
        if (player !== undefined) read(own, player);
      }
      if (own.next < own.list.length) return;
      work = undefined;
      const lost = own.complete ? roster.members().filter(member => !own.seen.has(member.ref.id)) : [];
      for (const member of lost) deps.vanished(member.ref.id);
      deps.ready(encodeSnapshot(deps.tps(), [...own.rows.values()]), own.isWide);
    },
    /** Keeps a snapshot under way right when somebody comes or goes. */
    came,
    /** What is told of a player has changed: it is told within a second. */
    changed(member: Member<P>) {
      came(member);
      dueAt = Math.min(dueAt, begunAt + SOON_MS);
    },
    gone(id: string) {
      if (work === undefined) return;
      work.rows.delete(id);
      work.left.add(id);
    },
  };
}
