import type { PlayerRef } from "../../shared/actions.ts";
import { byteSize, encodeRow } from "../encode.ts";
import type { Clock, Players } from "../ports.ts";
import type { PlayerStats, StatsEntry } from "./player-records.ts";

export interface Member<P> {
  readonly ref: PlayerRef;
  /** `ref` as JSON, and whether there are characters in it of more than a byte */
  readonly json: string;
  readonly isWide: boolean;
  /** the game's object, of the last time it was seen */
  player: P;
  /** as it was last read */
  health?: number;
  readonly stats: StatsEntry;
  /** tick from which the player can play, as far as known */
  playsAt: number;
  /** whether they have been told to play, or were there before the script: told once more, they have come anew */
  hasSpawned: boolean;
}

/** What identifies a player from one visit to the next. */
export const identity = (ref: PlayerRef): string => (ref.persistentId === "" ? ref.id : ref.persistentId);

/** How long the game may take to tell that a player on its list can play, in ticks: three seconds. */
const LOADING_TICKS = 60;

/** Players who left, kept for kills that come after. */
const MAX_LEFT = 128;

export type Roster<P> = ReturnType<typeof createRoster<P>>;

/** The players online, but for those whom `bars` keeps out: nothing is told of them. */
export function createRoster<P>(
  clock: Clock,
  players: Players<P>,
  stats: PlayerStats,
  joined: (member: Member<P>) => void,
  bars: (ref: PlayerRef, player: P) => boolean,
) {
  const members: Member<P>[] = [];
  const byId = new Map<string, Member<P>>();
  const byPersistentId = new Map<string, Member<P>>();
  const left = new Map<string, Member<P>>();
  let refreshedAt = -1;

  /**
   * Takes up a player or their new object; undefined while who they are cannot be read. `wasThere`: before the script, so that
   * their visit goes on, if the world knows of it
   */
  function join(player: P, id = players.id(player), wasThere = false): Member<P> | undefined {
    if (id === undefined) return undefined;
    const known = byId.get(id);
    if (known !== undefined) {
      known.player = player;
      return known;
    }
    const ref = players.refer(player);
    if (ref === undefined || bars(ref, player)) return undefined;
    const json = JSON.stringify(ref);
    const isWide = byteSize(json) > json.length;
    const playsAt = clock.tick() + LOADING_TICKS;
    const own = stats.open(identity(ref));
    const hasSpawned = wasThere && (own.since !== undefined || !own.loaded);
    if (!hasSpawned) stats.visit(own);
    const member: Member<P> = { ref, json, isWide, player, stats: own, playsAt, hasSpawned };
    members.push(member);
    byId.set(id, member);
    if (ref.persistentId !== "") byPersistentId.set(ref.persistentId, member);
    left.delete(id);
    joined(member);
    return member;
  }

  /** Looks for players of whom no event told, at most once a tick. `wereThere`: before the script. */
  function refresh(wereThere = false): void {
    if (refreshedAt === clock.tick()) return;
    refreshedAt = clock.tick();
    for (const player of players.list() ?? []) join(player, undefined, wereThere);
  }

  function encode({ json, stats: own }: Member<P>, health: number): string {
    return encodeRow(json, own, health, stats.playtimeSeconds(own), stats.judged(own));
  }

  return {
    /** In the order in which they came. */
    members: (): readonly Member<P>[] => members,
    join,
    leave(id: string): Member<P> | undefined {
      const member = byId.get(id);
      if (member === undefined) return undefined;
      byId.delete(id);
      if (byPersistentId.get(member.ref.persistentId) === member)
        byPersistentId.delete(member.ref.persistentId);
      members.splice(members.indexOf(member), 1);
      stats.close(member.stats);
      left.set(id, member);
      for (const oldest of left.keys()) {
        if (left.size <= MAX_LEFT) break;
        left.delete(oldest);
      }
      return member;
    },
    /** Who has left lately. */
    gone: (): Iterable<Member<P>> => left.values(),
    byId: (id: string): Member<P> | undefined => byId.get(id),
    /** The online player whom a reference means. */
    find(ref: PlayerRef): Member<P> | undefined {
      const known = byPersistentId.get(ref.persistentId);
      if (known !== undefined) return known;
      // By `id` only where one of the two has no `persistentId`.
      const sameId = byId.get(ref.id);
      return sameId?.ref.persistentId === "" || ref.persistentId === "" ? sameId : undefined;
    },
    /** The online player of exactly this name. */
    named: (name: string): Member<P> | undefined => members.find(member => member.ref.name === name),
    refresh,
    /** Counts for a player, also when they have left shortly before. Undefined: nobody known. */
    credit(id: string, what: "deaths" | "kills"): Member<P> | undefined {
      if (!byId.has(id) && !left.has(id)) refresh();
      const member = byId.get(id) ?? left.get(id);
      if (member !== undefined) stats.credit(member.stats.key, what);
      return member;
    },
    /** What a snapshot tells of a player, as JSON. Throws where nothing could be read of them yet. */
    row(member: Member<P>): string {
      try {
        member.health = players.health(member.player);
      } catch (error) {
        // Only the game tells of leaving: nobody has left because of a moment in which they cannot be read.
        if (member.health === undefined) throw error;
      }
      return encode(member, member.health);
    },
    /** The same of what was read last; undefined where nothing was. */
    lastRow: (member: Member<P>): string | undefined =>
      member.health === undefined ? undefined : encode(member, member.health),
  };
}
