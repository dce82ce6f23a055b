import type { PlayerRef } from "../../shared/actions.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";
import { utf8Bytes } from "../../shared/text.ts";
import type { Clock, Players } from "../ports.ts";
import type { PlayerRecord, PlayerRecords } from "./player-records.ts";

export interface Member<P> {
  readonly ref: PlayerRef;
  /** `ref` as JSON, and whether each of its characters takes one byte */
  readonly json: string;
  readonly isAscii: boolean;
  /** the newest object of the player from the game */
  player: P;
  /** the last health that was read */
  health?: number;
  readonly record: PlayerRecord;
  /** tick from which the player is taken to be able to play */
  playsAt: number;
  /** whether their spawn was reported, or they were online before the script: another spawn begins another visit */
  hasSpawned: boolean;
  /** tick of the last `/bridge:unlink` that was reported */
  unlinkedAt?: number;
}

/** What identifies a player from one visit to the next. */
export const identity = (ref: PlayerRef): string => (ref.persistentId === "" ? ref.id : ref.persistentId);

/** How long the game may take to report that a listed player can play, in ticks: three seconds. */
const LOADING_TICKS = 60;

/** Players who left that are kept for kills reported later. */
const MAX_LEFT = 128;

interface RosterDeps<P> {
  clock: Clock;
  players: Players<P>;
  records: PlayerRecords;
  joined(member: Member<P>): void;
  /** Whether the player is banned. Kicks them if so. */
  keepsOut(ref: PlayerRef, player: P): boolean;
}

export type Roster<P> = ReturnType<typeof createRoster<P>>;

/** The online players, without banned ones: nothing is reported about those. */
export function createRoster<P>({ clock, players, records, joined, keepsOut }: RosterDeps<P>) {
  const members: Member<P>[] = [];
  const byId = new Map<string, Member<P>>();
  const byPersistentId = new Map<string, Member<P>>();
  const left = new Map<string, Member<P>>();
  /** ids of players who were online before the script and could not be identified yet */
  const early = new Set<string>();
  let refreshedAt = -1;

  /**
   * Adds a player, or updates their object; undefined while their identity cannot be read. `wasThere`: they were online before the
   * script, so a visit stored in the world continues.
   */
  function join(player: P, id = players.id(player), wasThere = false): Member<P> | undefined {
    if (id === undefined) return undefined;
    const known = byId.get(id);
    if (known !== undefined) {
      known.player = player;
      return known;
    }
    const ref = players.refer(player);
    if (ref === undefined && wasThere) early.add(id);
    if (ref === undefined || keepsOut(ref, player)) return undefined;
    const json = JSON.stringify(ref);
    const isAscii = utf8Bytes(json) === json.length;
    const playsAt = clock.tick() + LOADING_TICKS;
    const record = records.open(identity(ref));
    const hasSpawned = (early.delete(id) || wasThere) && (record.since !== undefined || !record.isLoaded);
    if (!hasSpawned) records.beginVisit(record);
    const member: Member<P> = { ref, json, isAscii, player, record, playsAt, hasSpawned };
    members.push(member);
    byId.set(id, member);
    if (ref.persistentId !== "") byPersistentId.set(ref.persistentId, member);
    left.delete(id);
    joined(member);
    return member;
  }

  /** Finds players without an event, at most once a tick. `wereThere`: they were online before the script. */
  function refresh(wereThere = false): void {
    if (refreshedAt === clock.tick()) return;
    refreshedAt = clock.tick();
    for (const player of players.list() ?? []) join(player, undefined, wereThere);
  }

  /** A player's row as JSON. One template is fastest in this engine, and every player has a row every few seconds. */
  function encode({ json, record }: Member<P>, health: number): string {
    const { deaths, kills, hidden, since, isLoaded } = record;
    const blocked = records.reportedBlock(record);
    // A player whose choices have not been read yet counts as hidden.
    const choices =
      (hidden === false ? "" : ',"hidden":true') + (blocked === undefined ? "" : `,"blocked":${blocked}`);
    const visit = isLoaded && since !== undefined ? `,"since":${since}` : "";
    return `{"player":${json},"health":${health},"deaths":${deaths},"playerKills":${kills},"playtimeSeconds":${records.playtimeSeconds(record)}${choices}${visit}}`;
  }

  return {
    /** A player joins now: if they could not be identified yet, no visit from before the script continues. */
    joins: (id: string): void => void early.delete(id),
    /** In the order in which they joined. */
    members: (): readonly Member<P>[] => members,
    join,
    leave(id: string): Member<P> | undefined {
      early.delete(id);
      const member = byId.get(id);
      if (member === undefined) return undefined;
      byId.delete(id);
      if (byPersistentId.get(member.ref.persistentId) === member)
        byPersistentId.delete(member.ref.persistentId);
      members.splice(members.indexOf(member), 1);
      records.close(member.record);
      left.set(id, member);
      dropOldest(left, MAX_LEFT);
      return member;
    },
    /** Players who left recently. */
    left: (): Iterable<Member<P>> => left.values(),
    byId: (id: string): Member<P> | undefined => byId.get(id),
    /** The online player that a reference points to. */
    find(ref: PlayerRef): Member<P> | undefined {
      const known = byPersistentId.get(ref.persistentId);
      if (known !== undefined) return known;
      // By `id` only if one of the two has no `persistentId`.
      const sameId = byId.get(ref.id);
      return sameId?.ref.persistentId === "" || ref.persistentId === "" ? sameId : undefined;
    },
    /** The online player with exactly this name. */
    named: (name: string): Member<P> | undefined => members.find(member => member.ref.name === name),
    refresh,
    /** Counts a death or kill of a player, who may have left recently. Undefined if no player has this id. */
    credit(id: string, what: "deaths" | "kills"): Member<P> | undefined {
      if (!byId.has(id) && !left.has(id)) refresh();
      const member = byId.get(id) ?? left.get(id);
      if (member !== undefined) records.credit(member.record.key, what);
      return member;
    },
    /** The player's row as JSON. Throws until their health has been read once. */
    row(member: Member<P>): string {
      try {
        member.health = players.health(member.player);
      } catch (error) {
        // Players can be unreadable for a moment. Only the game decides that one has left.
        if (member.health === undefined) throw error;
      }
      return encode(member, member.health);
    },
    /** The row with the last health that was read; undefined if none was. */
    lastRow: (member: Member<P>): string | undefined =>
      member.health === undefined ? undefined : encode(member, member.health),
  };
}
