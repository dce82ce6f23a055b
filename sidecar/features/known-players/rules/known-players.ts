import {
  bool,
  count,
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
import { foldName, isSameName, renamed } from "../../../../shared/names.ts";

/** Game servers in one player's record. */
const MOST_SERVERS = 256;

/** Deaths, kills of other players and seconds played, in this order. */
const figures: Guard<number[]> = list(int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), 3);
export type Figures = readonly number[];

/** A visit that has not ended. */
const openVisit = object({
  /** the pack's id of the visit; old packs report none */
  since: optional(count),
  from: count,
  /** time of the last report */
  heard: count,
  /** the player was forgotten in it: nothing of it counts */
  uncounted: optional(bool),
});

/** The reports of one game server about a player. */
const serverFigures = object({
  /** as its pack reported last */
  last: figures,
  /** to be added: figures from before its counters restarted, less those that were forgotten; left out: nothing */
  base: optional(figures),
  stay: optional(openVisit),
  /** its pack still has to forget the player */
  untold: optional(bool),
});
type ServerFigures = Infer<typeof serverFigures>;

/** What is stored of a player, by uuid. All times are in milliseconds since 1970. */
export const knownRecord = object({
  name: text(NAME_LENGTH),
  /** earlier ones, newest first */
  names: optional(list(text(NAME_LENGTH, 1), MAX_EARLIER_NAMES)),
  first: count,
  last: count,
  /** 0: the player was forgotten, and has not come again */
  visits: int(0, Number.MAX_SAFE_INTEGER),
  hidden: optional(bool),
  /** as the game reported it last; left out where it has reported none */
  persistentId: optional(text(PLAYER_ID_LENGTH, 1)),
  /** by the names of the game servers; that of the first one is blank */
  servers: record(serverFigures, MOST_SERVERS),
});
export type KnownRecord = Infer<typeof knownRecord>;

/** A visit that has ended. */
export interface Visit {
  from: number;
  to: number;
}

/** Visits, the newest first. */
export const newestFirst = (visits: readonly Visit[]): Visit[] =>
  visits.toSorted((one, other) => other.from - one.from || other.to - one.to);

/** A record after a report; `ended`: visits that have ended with it. */
interface VisitUpdate {
  record: KnownRecord;
  ended: readonly Visit[];
}

/** A report about a player who is online. */
export interface PlayerRowReport {
  server: string;
  at: number;
  since: number | undefined;
  /** whether the player has just joined */
  isJoin: boolean;
  name: string;
  /** blank: the game gives none */
  persistentId?: string;
  figures: Figures;
  hidden: boolean;
}

const NOTHING: Figures = [0, 0, 0];
const NOBODY: KnownRecord = { name: "", first: 0, last: 0, visits: 0, servers: {} };

// Odd figures of a game server must not make a number that cannot be stored.
const within = (value: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
const plus = (one: Figures, other: Figures): number[] =>
  one.map((value, i) => within(value + (other[i] ?? 0)));
const minus = (one: Figures): number[] => one.map(value => (value === 0 ? 0 : -value));
const baseOf = (base: Figures): Pick<ServerFigures, "base"> =>
  base.some(value => value !== 0) ? { base: [...base] } : {};

/** Whether the player may be listed: not hidden, nor forgotten without a visit since. */
export const isListed = ({ visits, hidden }: KnownRecord): boolean => visits > 0 && hidden !== true;

/** Whether the player has a visit that has not ended. */
export const isPresent = ({ servers }: KnownRecord): boolean =>
  Object.values(servers).some(({ stay }) => stay !== undefined);

/** The player's names in the form by which names are compared. */
export const foldedNames = ({ name, names = [] }: KnownRecord): string[] =>
  [name, ...names].filter(each => each !== "").map(foldName);

/** Whether the player has, or had, a name. */
export const hasHadName = ({ name, names = [] }: KnownRecord, asked: string): boolean =>
  [name, ...names].some(each => isSameName(each, asked));

/** The figures of the player, of all game servers together. */
export const figuresOf = ({ servers }: KnownRecord): number[] =>
  Object.values(servers)
    .map(({ last, base = NOTHING }) => plus(last, base))
    .reduce<number[]>((sum, own) => plus(sum, own), [...NOTHING]);

/** How much longer than the visit the counted playtime may be where counters have restarted, in milliseconds: clocks differ. */
const CLOCKS_MS = 60_000;

/**
 * Whether counters that fell have restarted at zero, as in another world. Within one visit they have not: a reloaded script or a
 * crashed world continues with slightly older figures.
 */
function hasRestarted(
  { stay }: ServerFigures,
  { at, since, figures: [, , playedSeconds = 0] }: PlayerRowReport,
): boolean {
  if (since === undefined) return true;
  return stay?.since !== since && playedSeconds * 1000 <= Math.max(0, at - since) + CLOCKS_MS;
}

/** Counts a report: a counter that has restarted is added to what was, one that fell takes nothing away. */
function countFigures(here: ServerFigures, report: PlayerRowReport): Pick<ServerFigures, "last" | "base"> {
  const { last, base = NOTHING } = here;
  const now = report.figures;
  const before = last.map((value, i) => {
    const told = now[i] ?? 0;
    if (told >= value) return 0;
    return hasRestarted(here, report) ? value : value - told;
  });
  return { last: [...now], ...baseOf(plus(base, before)) };
}

/** Figures of which nothing counts. */
const skipFigures = (now: Figures): Pick<ServerFigures, "last" | "base"> => ({
  last: [...now],
  ...baseOf(minus(now)),
});

/** Counts a report within a visit: nothing where the visit is not known to be the same. */
function countWithinVisit(
  here: ServerFigures,
  report: PlayerRowReport,
): Pick<ServerFigures, "last" | "base"> {
  const { since } = report;
  if (here.stay?.uncounted) return skipFigures(report.figures);
  return since === here.stay?.since
    ? countFigures(here, report)
    : { last: here.last, ...baseOf(here.base ?? NOTHING) };
}

const withServer = (record: KnownRecord, server: string, own: ServerFigures): KnownRecord => ({
  ...record,
  servers: { ...record.servers, [server]: own },
});

/** The visit as one that ended at this time, not before it began if the clock was set back; none if it does not count. */
const endedVisit = ({ from, uncounted }: NonNullable<ServerFigures["stay"]>, to: number): Visit[] =>
  uncounted ? [] : [{ from, to: Math.max(from, to) }];

/** Counts a report: in the visit that is open, or in another one, which begins with that. */
export function countReport(before: KnownRecord | undefined, report: PlayerRowReport): VisitUpdate {
  const { server, at, since, figures: now } = report;
  const known = before ?? NOBODY;
  const here: ServerFigures = known.servers[server] ?? { last: [...NOTHING] };
  const { stay, untold } = here;
  const more = untold ? { untold } : {};
  if (stay !== undefined && (stay.since === since || since === undefined)) {
    const own = { ...countWithinVisit(here, report), ...more, stay: { ...stay, heard: at } };
    if (stay.uncounted && known.visits === 0) return { record: withServer(known, server, own), ended: [] };
    return { record: withServer(withIdentity(known, report), server, own), ended: [] };
  }
  // Without a report of the joining, it began some time after the last report.
  const from = report.isJoin || since === undefined ? at : Math.min(at, Math.max(since, known.last));
  const own = {
    ...(untold ? skipFigures(now) : countFigures(here, report)),
    ...more,
    stay: { ...(since !== undefined && { since }), from, heard: at },
  };
  const isFirst = known.visits === 0;
  const visited = { ...known, first: isFirst ? from : known.first, visits: known.visits + 1 };
  return {
    record: withServer(withIdentity(visited, report), server, own),
    ended: stay ? endedVisit(stay, stay.heard) : [],
  };
}

/** The player as reported last. */
function withIdentity(record: KnownRecord, { name, at, hidden, persistentId }: PlayerRowReport): KnownRecord {
  const { hidden: _before, ...rest } = record.name === name ? record : renamed(record, name);
  const seenNow = { first: Math.min(record.first, at), last: at, ...(hidden && { hidden: true }) };
  return { ...rest, ...seenNow, ...(persistentId && { persistentId }) };
}

export function endVisit(before: KnownRecord, server: string, at: number): VisitUpdate {
  return endAt(before, server, stay => Math.max(at, stay.from), at);
}

/** Ends a visit without a report of the leaving: at the time of the last report. */
export const endMissedVisit = (before: KnownRecord, server: string): VisitUpdate =>
  endAt(before, server, ({ heard }) => heard, before.last);

function endAt(
  record: KnownRecord,
  server: string,
  endOf: (stay: NonNullable<ServerFigures["stay"]>) => number,
  last: number,
): VisitUpdate {
  const { stay, ...own } = record.servers[server] ?? { last: [...NOTHING] };
  if (stay === undefined) return { record, ended: [] };
  const seenLast = record.visits > 0 ? Math.max(record.first, last) : record.last;
  return {
    record: withServer({ ...record, last: seenLast }, server, own),
    ended: endedVisit(stay, endOf(stay)),
  };
}

/**
 * Forgets a player. What stays: the game servers whose packs have to forget them, all of these but `by`, and the open visits, which
 * do not count, on `by` the one that began at `since`; undefined: nothing stays.
 */
export function forgetPlayer(
  before: KnownRecord | undefined,
  {
    servers,
    by,
    since,
    at,
  }: { servers: readonly string[]; by?: string; since?: number | undefined; at: number },
): KnownRecord | undefined {
  const of = (server: string): [string, ServerFigures][] => {
    const held = before?.servers[server]?.stay;
    // The visit may be over: then the next report ends it.
    const stay = server === by && since !== undefined ? { since, from: at, heard: at } : held;
    const untold = server !== by;
    if (stay === undefined && !untold) return [];
    const own = { ...(untold && { untold }), ...(stay && { stay: { ...stay, uncounted: true } }) };
    return [[server, { last: [...NOTHING], ...own }]];
  };
  const left = Object.fromEntries(servers.flatMap(of));
  return Object.keys(left).length === 0 ? undefined : { ...NOBODY, last: at, servers: left };
}

/** Whether the pack of a game server has to forget a player who is online, and if the visit counts; undefined: no. */
export function pendingForget(record: KnownRecord, server: string): { counts: boolean } | undefined {
  const { untold, stay } = record.servers[server] ?? {};
  return untold && stay ? { counts: stay.uncounted !== true } : undefined;
}

/** The pack of a game server has forgotten the player, and counts from zero; undefined: the record can be erased. */
export function forgottenByPack(record: KnownRecord, server: string): KnownRecord | undefined {
  const { untold, last = NOTHING, base = NOTHING, stay } = record.servers[server] ?? {};
  if (!untold) return record;
  const own = { last: [...NOTHING], ...baseOf(plus(last, base)), ...(stay && { stay }) };
  return compact(withServer(record, server, own));
}

/** The record without entries that say nothing; undefined: it can be erased. */
export function compact(record: KnownRecord): KnownRecord | undefined {
  if (record.visits > 0) return record;
  const kept = Object.entries(record.servers).filter(([, { stay, untold }]) => stay ?? untold);
  return kept.length === 0 ? undefined : { ...record, servers: Object.fromEntries(kept) };
}
