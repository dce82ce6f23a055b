import { ident } from "../../../../shared/actions.ts";
import { bool, type Infer, int, list, num, object, text } from "../../../../shared/guard.ts";

/** Requests that one player did not accept, after which an address or a session has to wait. */
const REFUSALS_BEFORE_WAIT = 3;

/** How long a refusal counts, and how long a wait affects the next one after its end, in milliseconds. */
const REFUSAL_TTL_MS = 10 * 60_000;
const MAX_WAIT_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

/** Requests of one address that may wait for one player at a time: the rest is for other addresses. */
export const MAX_FORMS_OF_ADDRESS = 2;

/** Most addresses and sessions stored for one player; if there are more, the one that expires first is dropped. */
const MAX_SOURCES = 256;

/** Limits of the requests for one player. */
export interface RequestRules {
  /** first wait after the third request that was not accepted, in milliseconds, one hour at most; 0: never */
  coolDownMs: number;
  /** requests that may reach the player within a minute, from all sessions together */
  perMinute: number;
}

/** A bound for stored lists, above any real length. */
const MANY = 100_000;
const from = text(128);
const time = num(0, Number.MAX_SAFE_INTEGER);

/** A request that was sent, is open, or reached the player within the last minute. */
const recentRequest = object({
  request: ident,
  /** address and session that sent it; empty once the request has ended */
  from: list(from, 2),
  /** whether it has reached the player */
  open: bool,
  /** when it was sent, or reached the player */
  at: time,
  /** when it expires: as not accepted if it is open, else without a trace */
  until: time,
});
type RecentRequest = Infer<typeof recentRequest>;

/** Refusals of an address, a session, or the first characters of sessions by one player. */
const source = object({
  from,
  /** ends of refused requests, as long as there are too few for a wait */
  ends: list(time, MANY),
  /** length of the last wait, 0 before the first */
  waitMs: int(0, Number.MAX_SAFE_INTEGER),
  /** end of the last wait */
  until: time,
});
type RequestSource = Infer<typeof source>;

/** Recent link requests for one player. All times are milliseconds of a monotonic clock. */
export const playerRequests = object({ requests: list(recentRequest, MANY), sources: list(source, MANY) });
export type PlayerRequests = Infer<typeof playerRequests>;

export const NO_REQUESTS: PlayerRequests = { requests: [], sources: [] };

/** The limit that keeps a request from the player, and for how long, in milliseconds. */
export interface RequestLimit {
  by: "cool-down" | "same-browser" | "open-forms" | "player-rate";
  waitMs: number;
}

/** `Retry-After` for a player who blocks requests, in milliseconds: the real wait is unknown. */
export const BLOCKED_MS = 60 * 60_000;

/**
 * The limit that keeps a request from the player. `cool-down`: too many requests of the address or session were not accepted;
 * `open-forms`: it has too many open; `player-rate`: the player got too many; `same-browser`: two sessions would show the same
 * characters; `blocked`: the player blocks requests.
 */
export type LinkLimit = RequestLimit["by"] | "blocked";

interface PlayerRequestStep<T> {
  record: PlayerRequests;
  answer: T;
}

const forgottenAt = ({ ends, waitMs, until }: RequestSource): number =>
  REFUSAL_TTL_MS + (waitMs > 0 ? until : Math.max(...ends));

/** One more refusal, at the given time; `refusalsBeforeWait`: how many there are before the first wait. */
function withRefusal(
  sources: RequestSource[],
  from: string,
  at: number,
  coolDownMs: number,
  refusalsBeforeWait = REFUSALS_BEFORE_WAIT,
): RequestSource[] {
  const others = sources.filter(one => one.from !== from);
  const known = sources.find(one => one.from === from && at < forgottenAt(one));
  const waitMs = Math.min(2 * (known?.waitMs ?? 0), MAX_WAIT_MS);
  const ends = [...(known?.ends.filter(end => at - end < REFUSAL_TTL_MS) ?? []), at];
  const wait = waitMs > 0 ? waitMs : ends.length < refusalsBeforeWait ? 0 : coolDownMs;
  const source = { from, ends: wait > 0 ? [] : ends, waitMs: wait, until: at + wait };
  if (others.length < MAX_SOURCES) return [...others, source];
  const first = Math.min(...others.map(forgottenAt));
  return [...others.filter(one => forgottenAt(one) > first), source];
}

/** Ends requests that have expired at `now`, and drops old records. */
export function expire(
  { requests, sources }: PlayerRequests,
  now: number,
  { coolDownMs }: RequestRules,
): PlayerRequests {
  let left = sources;
  const ended = requests.filter(({ open, until }) => open && now >= until);
  for (const { from, until } of ended.sort((a, b) => a.until - b.until))
    if (coolDownMs > 0) for (const each of from) left = withRefusal(left, each, until, coolDownMs);
  return {
    requests: requests
      .map(one => ({ ...one, from: now < one.until ? one.from : [] }))
      .filter(one => one.from.length > 0 || (one.open && now - one.at < MINUTE_MS)),
    sources: left.filter(one => now < forgottenAt(one)),
  };
}

/** A request that has `lifeMs` milliseconds to reach the player, who is shown the characters `browser`. */
export interface NewRequest extends Pick<RecentRequest, "request" | "from"> {
  browser: string;
  lifeMs: number;
  /** whether the player is online: then it counts against the player's rate before it reaches them */
  online: boolean;
}

/** Admits a request, unless it has to wait. */
export function admit(
  before: PlayerRequests,
  { online, lifeMs, browser, ...incoming }: NewRequest,
  now: number,
  rules: RequestRules,
): PlayerRequestStep<RequestLimit | "admitted"> {
  const record = expire(before, now, rules);
  const waitOf = (...names: string[]): number =>
    Math.max(0, ...record.sources.filter(({ from }) => names.includes(from)).map(({ until }) => until - now));
  const [conflictMs, ownMs] = [waitOf(browser), waitOf(...incoming.from)];
  const waitMs = Math.max(conflictMs, ownMs);
  if (waitMs > 0)
    return { record, answer: { by: conflictMs > ownMs ? "same-browser" : "cool-down", waitMs } };
  const rate = reachedLimit(record, now, rules, { from: incoming.from, underWay: online });
  if (rate) return { record, answer: rate };
  const requests = [...record.requests, { ...incoming, open: false, at: now, until: now + lifeMs }];
  return { record: { ...record, requests }, answer: "admitted" };
}

/**
 * Why no further request of an address and session may reach the player now, if so. `own`: a request that does not count.
 * `underWay`: requests that were only sent count, too.
 */
export function reachedLimit(
  { requests }: PlayerRequests,
  now: number,
  { perMinute }: RequestRules,
  incoming: { from?: readonly string[]; underWay?: boolean; own?: string } = {},
): RequestLimit | undefined {
  const { own, underWay = false } = incoming;
  const others = requests.filter(({ open, request }) => (open || underWay) && request !== own);
  const from = incoming.from ?? requests.find(({ request }) => request === own)?.from ?? [];
  const ends = from.flatMap(each => {
    const untils = others.filter(one => one.from.includes(each)).map(({ until }) => until);
    return untils.sort((a, b) => a - b).at(-MAX_FORMS_OF_ADDRESS) ?? [];
  });
  if (ends.length > 0) return { by: "open-forms", waitMs: Math.max(...ends) - now };
  const times = others
    .filter(({ at }) => now - at < MINUTE_MS)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  const last = times.at(-perMinute);
  return last === undefined ? undefined : { by: "player-rate", waitMs: last + MINUTE_MS - now };
}

/** The request has reached the player, who may answer for `openForMs` milliseconds. */
export function opened(
  before: PlayerRequests,
  request: string,
  openForMs: number,
  now: number,
): PlayerRequests {
  const requests = before.requests.map(one =>
    one.request === request && !one.open ? { ...one, open: true, at: now, until: now + openForMs } : one,
  );
  return { ...before, requests };
}

/** Cancels a request that has not reached the player: it does not count. */
export function cancel(before: PlayerRequests, request: string): PlayerRequests {
  return { ...before, requests: before.requests.filter(one => one.open || one.request !== request) };
}

/** The player answered. An accepted source has no refusals any more; the end of a request counts once. */
export function answered(
  before: PlayerRequests,
  request: string,
  accepted: boolean,
  now: number,
  rules: RequestRules,
): PlayerRequests {
  const { requests, sources } = expire(before, now, rules);
  const own = requests.find(one => one.request === request && one.open);
  if (own === undefined) return { requests, sources };
  const others = sources.filter(({ from }) => !own.from.includes(from));
  let left = accepted ? others : sources;
  if (!accepted && rules.coolDownMs > 0)
    for (const each of own.from) left = withRefusal(left, each, now, rules.coolDownMs);
  return { requests: requests.map(one => (one === own ? { ...one, from: [] } : one)), sources: left };
}

/**
 * Requests of two sessions show the player the same characters: requests with these have to wait, first for `firstMs` milliseconds
 * and twice as long each further time. Returns how long, in milliseconds.
 */
export function conflict(
  before: PlayerRequests,
  browser: string,
  now: number,
  firstMs: number,
  rules: RequestRules,
): PlayerRequestStep<number> {
  const record = expire(before, now, rules);
  const isLimited = record.sources.some(({ from, until }) => from === browser && now < until);
  const sources = isLimited ? record.sources : withRefusal(record.sources, browser, now, firstMs, 1);
  const until = sources.find(({ from }) => from === browser)?.until ?? now;
  return { record: { ...record, sources }, answer: until - now };
}

/** When everything has expired; 0: there is nothing now. */
export function forgetAt({ requests, sources }: PlayerRequests): number {
  const ends = requests.map(({ from, open, at, until }) => {
    if (!open) return until;
    return from.length > 0 ? Math.max(until + REFUSAL_TTL_MS, at + MINUTE_MS) : at + MINUTE_MS;
  });
  return Math.max(0, ...ends, ...sources.map(forgottenAt));
}
