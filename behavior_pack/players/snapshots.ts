import { MAX_SNAPSHOT_PARTS, PLAYERS_PER_SNAPSHOT_PART } from "../../shared/limits.ts";
import type { Players } from "../ports.ts";
import { MAX_PLAYERS_PER_TICK, PLAYERS_PER_TICK } from "../tick-budget.ts";
import type { Member, Roster } from "./roster.ts";

/** Interval between the starts of two snapshots when the second is needed soon, in milliseconds. */
const SOON_MS = 1000;

const TICK_MS = 50;

interface SnapshotDeps<P> {
  players: Players<P>;
  roster: Roster<P>;
  tps(): number;
  /** A player is no longer in the game's list, but the game has not reported a leave. */
  vanished(id: string): void;
  /** `isAscii`: every character of the parts takes one byte */
  ready(parts: string[], isAscii: boolean): void;
}

/** A snapshot that is being taken. */
interface SnapshotWork<P> {
  list: readonly P[];
  next: number;
  /** encoded rows by `Player.id`, in the order of the game */
  rows: Map<string, string>;
  seen: Set<string>;
  /** players who left since it began: their objects in the list are stale */
  left: Set<string>;
  /** whether the list came from the game */
  isComplete: boolean;
  isAscii: boolean;
}

/** Takes snapshots of the online players at intervals of wall time, a few players each tick. */
export function createSnapshots<P>({ players, roster, tps, vanished, ready }: SnapshotDeps<P>) {
  let refreshMs = 5000;
  let begunAt = -Infinity;
  let dueAt = -Infinity;
  let steppedAt = 0;
  let current: SnapshotWork<P> | undefined;

  function begin(now: number): SnapshotWork<P> {
    begunAt = now;
    dueAt = now + refreshMs;
    const list = players.list();
    return {
      // Without a list from the game, the events say who is online.
      list: list ?? roster.members().map(member => member.player),
      next: 0,
      rows: new Map(),
      seen: new Set(),
      left: new Set(),
      isComplete: list !== undefined,
      isAscii: true,
    };
  }

  function read(work: SnapshotWork<P>, player: P): void {
    const id = players.id(player);
    if (id === undefined || work.left.has(id)) return;
    work.seen.add(id);
    // Added by an event since the start: the object in the list may be older.
    if (work.rows.has(id)) return;
    const member = roster.join(player, id);
    if (member !== undefined) add(work, member);
  }

  function add(work: SnapshotWork<P>, member: Member<P>): void {
    work.seen.add(member.ref.id);
    work.isAscii &&= member.isAscii;
    try {
      work.rows.set(member.ref.id, roster.row(member));
    } catch {
      // The player has left, or is not readable yet: the snapshot has all others.
    }
  }

  /** A player has joined. */
  function joined(member: Member<P>): void {
    if (current === undefined) return;
    current.left.delete(member.ref.id);
    add(current, member);
  }

  return {
    /** Sets the interval between the starts of two snapshots, in milliseconds. */
    every(ms: number) {
      refreshMs = ms;
    },
    /** Starts a new snapshot in the next step, and drops one in progress. */
    restart() {
      dueAt = -Infinity;
      current = undefined;
    },
    /** To be called every tick of a session, at wall time `now`. */
    step(now: number) {
      // A low tick rate must not make a snapshot take longer.
      const ticks = current === undefined ? 1 : Math.max(1, Math.round((now - steppedAt) / TICK_MS));
      steppedAt = now;
      if (current === undefined) {
        // A clock that was set back must not delay the next snapshot.
        if (now < dueAt && now >= dueAt - refreshMs) return;
        current = begin(now);
      }
      const work = current;
      const end = Math.min(
        work.list.length,
        work.next + Math.min(MAX_PLAYERS_PER_TICK, PLAYERS_PER_TICK * ticks),
      );
      while (work.next < end) {
        const player = work.list[work.next];
        work.next++;
        if (player !== undefined) read(work, player);
      }
      if (work.next < work.list.length) return;
      current = undefined;
      const lost = work.isComplete ? roster.members().filter(member => !work.seen.has(member.ref.id)) : [];
      for (const member of lost) vanished(member.ref.id);
      ready(encodeSnapshot(tps(), [...work.rows.values()]), work.isAscii);
    },
    joined,
    left(id: string) {
      if (current === undefined) return;
      current.rows.delete(id);
      current.left.add(id);
    },
    /** The player's row has changed: reports it within a second. */
    changed(member: Member<P>) {
      joined(member);
      dueAt = Math.min(dueAt, begunAt + SOON_MS);
    },
  };
}

/** The parts of a snapshot, from encoded rows. Players over the limit of one snapshot are left out. */
function encodeSnapshot(tps: number, rows: readonly string[]): string[] {
  const parts = Math.min(MAX_SNAPSHOT_PARTS, Math.max(1, Math.ceil(rows.length / PLAYERS_PER_SNAPSHOT_PART)));
  return Array.from({ length: parts }, (_, part) => {
    const partRows = rows.slice(part * PLAYERS_PER_SNAPSHOT_PART, (part + 1) * PLAYERS_PER_SNAPSHOT_PART);
    return `{"is":"snapshot","tps":${tps},"part":${part},"parts":${parts},"rows":[${partRows.join(",")}]}`;
  });
}
