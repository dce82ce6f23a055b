import {
  bool,
  type Guard,
  type Infer,
  int,
  list,
  object,
  optional,
  record,
  text,
} from "../../../../shared/guard.ts";
import { MAX_EARLIER_NAMES, NAME_LENGTH, PLAYER_ID_LENGTH } from "../../../../shared/limits.ts";
import { folded, isSameName, renamed } from "../../../../shared/names.ts";

/** Game servers of which figures of one player are kept. */
const MOST_SERVERS = 256;

const time = int(0, Number.MAX_SAFE_INTEGER);
/** Deaths, kills of other players and seconds played, in this order. */
const figures: Guard<number[]> = list(int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), 3);
export type Figures = readonly number[];

/** A visit that has not ended. */
const openStay = object({
  /** what the pack calls it by; packs of before do not tell */
  since: optional(time),
  from: time,
  /** when the player was last reported in it */
  heard: time,
  /** the player was forgotten in it: nothing of it counts */
  uncounted: optional(bool),
});

/** What one game server has told of a player. */
const told = object({
  /** what its pack told last */
  last: figures,
  /** what has to be added to that: of before its counters began anew, less what was forgotten; left out: nothing */
  base: optional(figures),
  stay: optional(openStay),
  /** its pack is to be told that the player was forgotten */
  untold: optional(bool),
});
type ToldCounts = Infer<typeof told>;

/** What is stored of a player, by uuid. All times are in milliseconds since 1970. */
export const knownRecord = object({
  name: text(NAME_LENGTH),
  /** earlier ones, newest first */
  names: optional(list(text(NAME_LENGTH, 1), MAX_EARLIER_NAMES)),
  first: time,
  last: time,
  /** 0: the player was forgotten, and has not come again */
  visits: int(0, Number.MAX_SAFE_INTEGER),
  hidden: optional(bool),
  /** as the game told it last; left out where it told none, or was not asked yet: the uuid does not lead back to it */
  persistentId: optional(text(PLAYER_ID_LENGTH, 1)),
  /** by the names of the game servers; that of the first one is blank */
  servers: record(told, MOST_SERVERS),
});
export type KnownRecord = Infer<typeof knownRecord>;

/** A visit that has ended. */
export interface Stay {
  from: number;
  to: number;
}

/** Visits, the newest first. */
export const newestFirst = (stays: readonly Stay[]): Stay[] =>
  stays.toSorted((one, other) => other.from - one.from || other.to - one.to);

/** What is known after something was told; `ended`: visits that are over by it. */
export interface KnownChange {
  record: KnownRecord;
  ended: readonly Stay[];
}

/** What a game server reports of a player who is there. */
export interface Sight {
  server: string;
  at: number;
  since: number | undefined;
  /** whether it tells of the moment in which the player came */
  isJoin: boolean;
  name: string;
  /** blank where the game tells none */
  persistentId?: string;
  figures: Figures;
  hidden: boolean;
}

const NOTHING: Figures = [0, 0, 0];
const NOBODY: KnownRecord = { name: "", first: 0, last: 0, visits: 0, servers: {} };

// A game server that tells of odd figures makes no number that cannot be stored.
const within = (value: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
const plus = (one: Figures, other: Figures): number[] =>
  one.map((value, i) => within(value + (other[i] ?? 0)));
const minus = (one: Figures): number[] => one.map(value => (value === 0 ? 0 : -value));
const baseOf = (base: Figures): Pick<ToldCounts, "base"> =>
  base.some(value => value !== 0) ? { base: [...base] } : {};

/** Whether the player may be in a list: not one who has hidden, or was forgotten and has not come again. */
export const isListed = ({ visits, hidden }: KnownRecord): boolean => visits > 0 && hidden !== true;

/** Whether a visit of the player has not ended, as far as is known. */
export const isPresent = ({ servers }: KnownRecord): boolean =>
  Object.values(servers).some(({ stay }) => stay !== undefined);

/** The names that the player has had, each in the form by which names are compared. */
export const foldedNames = ({ name, names = [] }: KnownRecord): string[] =>
  [name, ...names].filter(each => each !== "").map(folded);

/** Whether the player has, or had, a name. */
export const hasHad = ({ name, names = [] }: KnownRecord, asked: string): boolean =>
  [name, ...names].some(each => isSameName(each, asked));

/** The figures of the player, of all game servers together. */
export const figuresOf = ({ servers }: KnownRecord): number[] =>
  Object.values(servers)
    .map(({ last, base = NOTHING }) => plus(last, base))
    .reduce<number[]>((sum, own) => plus(sum, own), [...NOTHING]);

/** How much longer than the visit a player may have played who begins at zero, in milliseconds: clocks differ. */
const CLOCKS_MS = 60_000;

/**
 * Whether counters that fell have begun at zero, as in another world. In the same visit they have not: a script that was loaded
 * anew, and a world that crashed, go on a little before where they were.
 */
function isAnew({ stay }: ToldCounts, { at, since, figures: [, , playedSeconds = 0] }: Sight): boolean {
  if (since === undefined) return true;
  return stay?.since !== since && playedSeconds * 1000 <= Math.max(0, at - since) + CLOCKS_MS;
}

/** Counts what is reported: a counter that falls takes nothing away, and where it has begun anew is added to what was. */
function count(here: ToldCounts, sight: Sight): Pick<ToldCounts, "last" | "base"> {
  const { last, base = NOTHING } = here;
  const now = sight.figures;
  const before = last.map((value, i) => {
    const told = now[i] ?? 0;
    if (told >= value) return 0;
    return isAnew(here, sight) ? value : value - told;
  });
  return { last: [...now], ...baseOf(plus(base, before)) };
}

/** The same where nothing of it counts. */
const passOver = (now: Figures): Pick<ToldCounts, "last" | "base"> => ({
  last: [...now],
  ...baseOf(minus(now)),
});

/** What is counted of a report within a visit: nothing where the world could not be asked for what was before. */
function counted(here: ToldCounts, sight: Sight): Pick<ToldCounts, "last" | "base"> {
  const { since } = sight;
  if (here.stay?.uncounted) return passOver(sight.figures);
  return since === here.stay?.since
    ? count(here, sight)
    : { last: here.last, ...baseOf(here.base ?? NOTHING) };
}

/** Another record with this of a game server. */
const withServer = (record: KnownRecord, server: string, own: ToldCounts): KnownRecord => ({
  ...record,
  servers: { ...record.servers, [server]: own },
});

/** What is kept of a visit that ends at this time. No clock that was set back makes one that ends before it began. */
const endedAt = ({ from, uncounted }: NonNullable<ToldCounts["stay"]>, to: number): Stay[] =>
  uncounted ? [] : [{ from, to: Math.max(from, to) }];

/** A game server reports a player: in the visit that is known, or in another one, which begins with that. */
export function seen(before: KnownRecord | undefined, sight: Sight): KnownChange {
  const { server, at, since, figures: now } = sight;
  const known = before ?? NOBODY;
  const here: ToldCounts = known.servers[server] ?? { last: [...NOTHING] };
  const { stay, untold } = here;
  const more = untold ? { untold } : {};
  if (stay !== undefined && (stay.since === since || since === undefined)) {
    const own = { ...counted(here, sight), ...more, stay: { ...stay, heard: at } };
    if (stay.uncounted && known.visits === 0) return { record: withServer(known, server, own), ended: [] };
    return { record: withServer(about(known, sight), server, own), ended: [] };
  }
  // Found there without its joining: it came some time since it was last heard of.
  const from = sight.isJoin || since === undefined ? at : Math.min(at, Math.max(since, known.last));
  const own = {
    ...(untold ? passOver(now) : count(here, sight)),
    ...more,
    stay: { ...(since !== undefined && { since }), from, heard: at },
  };
  const isFirst = known.visits === 0;
  const visited = { ...known, first: isFirst ? from : known.first, visits: known.visits + 1 };
  return {
    record: withServer(about(visited, sight), server, own),
    ended: stay ? endedAt(stay, stay.heard) : [],
  };
}

/** The player as reported last. */
function about(record: KnownRecord, { name, at, hidden, persistentId }: Sight): KnownRecord {
  const { hidden: _before, ...rest } = record.name === name ? record : renamed(record, name);
  const seenNow = { first: Math.min(record.first, at), last: at, ...(hidden && { hidden: true }) };
  return { ...rest, ...seenNow, ...(persistentId && { persistentId }) };
}

/** A game server tells that the player has left. */
export function ended(before: KnownRecord, server: string, at: number): KnownChange {
  return ends(before, server, stay => Math.max(at, stay.from), at);
}

/** The player is there no more, and nobody has told of the leaving: the visit has ended with the last report. */
export const missed = (before: KnownRecord, server: string): KnownChange =>
  ends(before, server, ({ heard }) => heard, before.last);

function ends(
  record: KnownRecord,
  server: string,
  endOf: (stay: NonNullable<ToldCounts["stay"]>) => number,
  last: number,
): KnownChange {
  const { stay, ...own } = record.servers[server] ?? { last: [...NOTHING] };
  if (stay === undefined) return { record, ended: [] };
  const seenLast = record.visits > 0 ? Math.max(record.first, last) : record.last;
  return {
    record: withServer({ ...record, last: seenLast }, server, own),
    ended: endedAt(stay, endOf(stay)),
  };
}

/**
 * The player is forgotten. What stays is which game servers have to be told, all of these but `by`, and where nothing counts
 * until the present visit is over, on `by` the one that began at `since`; undefined: nothing at all.
 */
export function forgotten(
  before: KnownRecord | undefined,
  {
    servers,
    by,
    since,
    at,
  }: { servers: readonly string[]; by?: string; since?: number | undefined; at: number },
): KnownRecord | undefined {
  const of = (server: string): [string, ToldCounts][] => {
    const held = before?.servers[server]?.stay;
    // It may be told later than the visit: then it ends with the next report.
    const stay = server === by && since !== undefined ? { since, from: at, heard: at } : held;
    const untold = server !== by;
    if (stay === undefined && !untold) return [];
    const own = { ...(untold && { untold }), ...(stay && { stay: { ...stay, uncounted: true } }) };
    return [[server, { last: [...NOTHING], ...own }]];
  };
  const left = Object.fromEntries(servers.flatMap(of));
  return Object.keys(left).length === 0 ? undefined : { ...NOBODY, last: at, servers: left };
}

/** What the pack of a game server has to be told of a player who is there and was forgotten; undefined: nothing. */
export function toForget(record: KnownRecord, server: string): { counts: boolean } | undefined {
  const { untold, stay } = record.servers[server] ?? {};
  return untold && stay ? { counts: stay.uncounted !== true } : undefined;
}

/** Its pack has been told, and counts from zero; undefined: nothing is left to be remembered. */
export function hasForgotten(record: KnownRecord, server: string): KnownRecord | undefined {
  const { untold, last = NOTHING, base = NOTHING, stay } = record.servers[server] ?? {};
  if (!untold) return record;
  const own = { last: [...NOTHING], ...baseOf(plus(last, base)), ...(stay && { stay }) };
  return tidied(withServer(record, server, own));
}

/** Without what says nothing; undefined: all of it. */
export function tidied(record: KnownRecord): KnownRecord | undefined {
  if (record.visits > 0) return record;
  const kept = Object.entries(record.servers).filter(([, { stay, untold }]) => stay ?? untold);
  return kept.length === 0 ? undefined : { ...record, servers: Object.fromEntries(kept) };
}
