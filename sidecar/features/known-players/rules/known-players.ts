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
const MAX_SERVERS = 256;

/** Deaths, kills of other players and seconds played, in this order. */
const figures: Guard<number[]> = list(int(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), 3);
export type Figures = readonly number[];

/** An open visit. */
const openVisit = object({
  /** the pack's id of the visit; older packs report none */
  since: optional(count),
  from: count,
  /** time of the last report */
  heard: count,
  /** true: the player was forgotten during it, and it does not count */
  uncounted: optional(bool),
});

/** The reports of one game server about a player. */
const serverFigures = object({
  /** last figures reported by its pack */
  last: figures,
  /** figures to add: from before its counters restarted, minus forgotten ones; left out: none */
  base: optional(figures),
  stay: optional(openVisit),
  /** true: its pack still has to forget the player */
  untold: optional(bool),
});
type ServerFigures = Infer<typeof serverFigures>;

/** The stored record of a player, by uuid. All times in milliseconds since 1970. */
export const knownRecord = object({
  name: text(NAME_LENGTH),
  /** earlier names, newest first */
  names: optional(list(text(NAME_LENGTH, 1), MAX_EARLIER_NAMES)),
  first: count,
  last: count,
  /** 0: the player was forgotten, and has not returned */
  visits: int(0, Number.MAX_SAFE_INTEGER),
  hidden: optional(bool),
  /** last one reported by the game; left out if none was */
  persistentId: optional(text(PLAYER_ID_LENGTH, 1)),
  /** by name of the game server; blank for the first one */
  servers: record(serverFigures, MAX_SERVERS),
});
export type KnownRecord = Infer<typeof knownRecord>;

/** An ended visit. */
export interface Visit {
  from: number;
  to: number;
}

/** Visits, the newest first. */
export const newestFirst = (visits: readonly Visit[]): Visit[] =>
  visits.toSorted((one, other) => other.from - one.from || other.to - one.to);

/** A record after a report; `ended`: visits that ended with it. */
interface VisitUpdate {
  record: KnownRecord;
  ended: readonly Visit[];
}

/** A report about an online player. */
export interface PlayerRowReport {
  server: string;
  at: number;
  since: number | undefined;
  /** whether the player has just joined */
  isJoin: boolean;
  name: string;
  /** blank: the game has none */
  persistentId?: string;
  figures: Figures;
  hidden: boolean;
}

const NO_FIGURES: Figures = [0, 0, 0];
const NEW_RECORD: KnownRecord = { name: "", first: 0, last: 0, visits: 0, servers: {} };

// Wrong figures of a game server must not lead to a number that cannot be stored.
const within = (value: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
const plus = (one: Figures, other: Figures): number[] =>
  one.map((value, i) => within(value + (other[i] ?? 0)));
const minus = (one: Figures): number[] => one.map(value => (value === 0 ? 0 : -value));
const baseOf = (base: Figures): Pick<ServerFigures, "base"> =>
  base.some(value => value !== 0) ? { base: [...base] } : {};

/** Whether the player may be listed: not hidden, and not forgotten without a visit since. */
export const isListed = ({ visits, hidden }: KnownRecord): boolean => visits > 0 && hidden !== true;

/** Whether the player has an open visit. */
export const isPresent = ({ servers }: KnownRecord): boolean =>
  Object.values(servers).some(({ stay }) => stay !== undefined);

/** The player's names, folded for comparison. */
export const foldedNames = ({ name, names = [] }: KnownRecord): string[] =>
  [name, ...names].filter(each => each !== "").map(foldName);

/** Whether the player has or had a name. */
export const hasHadName = ({ name, names = [] }: KnownRecord, wanted: string): boolean =>
  [name, ...names].some(each => isSameName(each, wanted));

/** The total figures of the player on all game servers. */
export const figuresOf = ({ servers }: KnownRecord): number[] =>
  Object.values(servers)
    .map(({ last, base = NO_FIGURES }) => plus(last, base))
    .reduce<number[]>((sum, own) => plus(sum, own), [...NO_FIGURES]);

/** How much the counted playtime of restarted counters may exceed the visit, in milliseconds: clocks differ. */
const CLOCKS_MS = 60_000;

/**
 * Whether decreased counters have restarted at 0, as in another world. Within one visit they have not: a reloaded script or a crashed
 * world continues with slightly older figures.
 */
function hasRestarted(
  { stay }: ServerFigures,
  { at, since, figures: [, , playedSeconds = 0] }: PlayerRowReport,
): boolean {
  if (since === undefined) return true;
  return stay?.since !== since && playedSeconds * 1000 <= Math.max(0, at - since) + CLOCKS_MS;
}

/** Counts a report: a restarted counter is added to the earlier value, a decreased one subtracts nothing. */
function countFigures(here: ServerFigures, report: PlayerRowReport): Pick<ServerFigures, "last" | "base"> {
  const { last, base = NO_FIGURES } = here;
  const now = report.figures;
  const before = last.map((value, i) => {
    const counted = now[i] ?? 0;
    if (counted >= value) return 0;
    return hasRestarted(here, report) ? value : value - counted;
  });
  return { last: [...now], ...baseOf(plus(base, before)) };
}

/** Figures that do not count. */
const skipFigures = (now: Figures): Pick<ServerFigures, "last" | "base"> => ({
  last: [...now],
  ...baseOf(minus(now)),
});

/** Counts a report within a visit; nothing if it is not known to be the same visit. */
function countWithinVisit(
  here: ServerFigures,
  report: PlayerRowReport,
): Pick<ServerFigures, "last" | "base"> {
  const { since } = report;
  if (here.stay?.uncounted) return skipFigures(report.figures);
  return since === here.stay?.since
    ? countFigures(here, report)
    : { last: here.last, ...baseOf(here.base ?? NO_FIGURES) };
}

const withServer = (record: KnownRecord, server: string, own: ServerFigures): KnownRecord => ({
  ...record,
  servers: { ...record.servers, [server]: own },
});

/** The ended visit, with an end not before its start if the clock was set back; none if it does not count. */
const endedVisit = ({ from, uncounted }: NonNullable<ServerFigures["stay"]>, to: number): Visit[] =>
  uncounted ? [] : [{ from, to: Math.max(from, to) }];

/** Counts a report in the open visit, or in a new one, which begins with it. */
export function countReport(before: KnownRecord | undefined, report: PlayerRowReport): VisitUpdate {
  const { server, at, since, figures: now } = report;
  const known = before ?? NEW_RECORD;
  const here: ServerFigures = known.servers[server] ?? { last: [...NO_FIGURES] };
  const { stay, untold } = here;
  const more = untold ? { untold } : {};
  if (stay !== undefined && (stay.since === since || since === undefined)) {
    const own = { ...countWithinVisit(here, report), ...more, stay: { ...stay, heard: at } };
    if (stay.uncounted && known.visits === 0) return { record: withServer(known, server, own), ended: [] };
    return { record: withServer(withIdentity(known, report), server, own), ended: [] };
  }
  // If the join was not reported, it began some time after the last report.
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

/** The record with the reported name, ids and times. */
function withIdentity(record: KnownRecord, { name, at, hidden, persistentId }: PlayerRowReport): KnownRecord {
  const { hidden: _before, ...rest } = record.name === name ? record : renamed(record, name);
  const seenNow = { first: Math.min(record.first, at), last: at, ...(hidden && { hidden: true }) };
  return { ...rest, ...seenNow, ...(persistentId && { persistentId }) };
}

export function endVisit(before: KnownRecord, server: string, at: number): VisitUpdate {
  return endAt(before, server, stay => Math.max(at, stay.from), at);
}

/** Ends a visit whose end was not reported, at the last report. */
export const endMissedVisit = (before: KnownRecord, server: string): VisitUpdate =>
  endAt(before, server, ({ heard }) => heard, before.last);

function endAt(
  record: KnownRecord,
  server: string,
  endOf: (stay: NonNullable<ServerFigures["stay"]>) => number,
  last: number,
): VisitUpdate {
  const { stay, ...own } = record.servers[server] ?? { last: [...NO_FIGURES] };
  if (stay === undefined) return { record, ended: [] };
  const seenLast = record.visits > 0 ? Math.max(record.first, last) : record.last;
  return {
    record: withServer({ ...record, last: seenLast }, server, own),
    ended: endedVisit(stay, endOf(stay)),
  };
}

/**
 * Erases a player. Remaining: game servers whose packs still have to forget the player (all of `servers` except `by`), and open visits,
 * which do not count (on `by` the one that began at `since`). Undefined: nothing remains.
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
    const current = before?.servers[server]?.stay;
    // If the visit is over, the next report ends it.
    const stay = server === by && since !== undefined ? { since, from: at, heard: at } : current;
    const untold = server !== by;
    if (stay === undefined && !untold) return [];
    const own = { ...(untold && { untold }), ...(stay && { stay: { ...stay, uncounted: true } }) };
    return [[server, { last: [...NO_FIGURES], ...own }]];
  };
  const left = Object.fromEntries(servers.flatMap(of));
  return Object.keys(left).length === 0 ? undefined : { ...NEW_RECORD, last: at, servers: left };
}

/** Whether a game server's pack has to forget an online player, and whether the visit counts; undefined: no. */
export function pendingForget(record: KnownRecord, server: string): { counts: boolean } | undefined {
  const { untold, stay } = record.servers[server] ?? {};
  return untold && stay ? { counts: stay.uncounted !== true } : undefined;
}

/** The record after a game server's pack has forgotten the player, and counts from 0; undefined: it can be erased. */
export function forgottenByPack(record: KnownRecord, server: string): KnownRecord | undefined {
  const { untold, last = NO_FIGURES, base = NO_FIGURES, stay } = record.servers[server] ?? {};
  if (!untold) return record;
  const own = { last: [...NO_FIGURES], ...baseOf(plus(last, base)), ...(stay && { stay }) };
  return compact(withServer(record, server, own));
}

/** The record without empty entries; undefined: it can be erased. */
export function compact(record: KnownRecord): KnownRecord | undefined {
  if (record.visits > 0) return record;
  const remaining = Object.entries(record.servers).filter(([, { stay, untold }]) => stay ?? untold);
  return remaining.length === 0 ? undefined : { ...record, servers: Object.fromEntries(remaining) };
}
