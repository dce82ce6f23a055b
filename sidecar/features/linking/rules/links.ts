import { ident } from "../../../../shared/actions.ts";
import {
  bool,
  count,
  type Infer,
  list,
  object,
  oneOf,
  optional,
  tagged,
  text,
} from "../../../../shared/guard.ts";
import { NAME_LENGTH, PLAYER_ID_LENGTH } from "../../../../shared/limits.ts";

// The names of these fields are stored.

/** A player whom a browser may be linked to. */
const linkedPlayer = object({
  id: text(PLAYER_ID_LENGTH, 1),
  persistentId: text(PLAYER_ID_LENGTH),
  name: text(NAME_LENGTH, 1),
  /** public, dashed uuid */
  uuid: ident,
});
export type LinkedPlayer = Infer<typeof linkedPlayer>;

/** The sign-in that a request is for: the site's id, and the id of the sign-in. */
const siteSignIn = object({ site: ident, ask: ident });
export type SiteSignIn = Infer<typeof siteSignIn>;

/**
 * `server`: the game server that has the request; left out for the first one. `signIn`: the sign-in that the request is for.
 */
const requestFields = { request: ident, server: optional(ident), signIn: optional(siteSignIn) };

/** Sites that a player may have accepted in one link: more than can be configured. */
export const MAX_SITES = 1_000;

/** A site that the player has accepted, and when; `yes` is the id of this consent. */
const knownSite = object({ id: ident, at: count, yes: ident });
export type KnownSite = Infer<typeof knownSite>;

/** How a declined request ended; older versions did not store it, and `alike` stands for `same_characters`. */
const ending = optional(oneOf("declined", "timed_out"));
export type DeclineReason = NonNullable<Infer<typeof ending>> | "same_characters";

/** The link of one browser session, as `GET /linked-player` returns it. */
const sessionLink = tagged("status", {
  /** `until`: when a link or request that the browser or player ended is forgotten; without it there is none to remember */
  not_linked: object({ until: optional(count) }),
  pending: object({ ...requestFields, player: linkedPlayer, deadline: count }),
  /**
   * `alike`: the request that ended because one of another session has the same characters; `ask`: the sign-in
   * that it was for
   */
  declined: object({ until: count, reason: ending, alike: optional(ident), ask: optional(ident) }),
  /**
   * `at`: when the player accepted, in milliseconds since 1970; older versions did not store it. What follows is of sign-ins:
   * `authAt`: when the player accepted last, where that was later; `again`: a request that leaves the link as it is; `answered`:
   * the last answer; `sites`: those that the player has accepted.
   */
  accepted: object({
    player: linkedPlayer,
    at: optional(count),
    authAt: optional(count),
    again: optional(object({ request: ident, server: optional(ident), signIn: siteSignIn, deadline: count })),
    answered: optional(object({ ask: ident, accepted: bool, reason: ending, alike: optional(ident) })),
    sites: optional(list(knownSite, MAX_SITES)),
  }),
});
export type Link = Infer<typeof sessionLink>;
type AcceptedLink = Extract<Link, { status: "accepted" }>;

/** A request whose form may be open in the game. */
export interface OpenRequest {
  request: string;
  server?: string;
  signIn?: SiteSignIn;
  player: LinkedPlayer;
  deadline: number;
}

/** The request of a link whose form may be open, if any. */
export function openRequestOf(link: Link): OpenRequest | undefined {
  if (link.status === "pending") return link;
  return link.status === "accepted" && link.again ? { ...link.again, player: link.player } : undefined;
}

/** A request that was sent to the game, which has not answered yet: until then the link stays as it is. */
const sentRequest = object({
  ...requestFields,
  /** name of the player; older versions did not store it */
  username: optional(text(NAME_LENGTH)),
  /** wall time in milliseconds after which the game does not open the form any more */
  until: count,
  /** wall time in milliseconds until which the player may answer */
  deadline: count,
});
export type SentRequest = Infer<typeof sentRequest>;

export const linkRecord = object({ link: sessionLink, asking: optional(sentRequest) });
export type LinkRecord = Infer<typeof linkRecord>;

export const NO_LINK: LinkRecord = { link: { status: "not_linked" } };

/** Whether a record says no more than one that was never stored. */
export const isEmpty = ({ link, asking }: LinkRecord): boolean =>
  link.status === "not_linked" && link.until === undefined && asking === undefined;

/** The record to store, and the answer for the caller. */
export interface LinkStep<T> {
  record: LinkRecord;
  answer: T;
}

const isOpenNow = (link: Link, now: number): boolean => now < (openRequestOf(link)?.deadline ?? 0);

/** How a request ended, as it is stored. */
type Ending = { reason: Exclude<DeclineReason, "same_characters"> } | { alike: string };

/** Declines the request of a sign-in that leaves the link as it is. */
function declineAgain({ again, ...link }: AcceptedLink, how: Ending): Link {
  return again ? { ...link, answered: { ask: again.signIn.ask, accepted: false, ...how } } : link;
}

/** Why a request was declined; undefined: an older version has not stored it. */
export const declineReason = (declined: {
  reason?: DeclineReason | undefined;
  alike?: string | undefined;
}): DeclineReason | undefined => (declined.alike === undefined ? declined.reason : "same_characters");

/** The sign-in of a declined request, if it was for one. */
const askOf = ({ signIn }: { signIn?: SiteSignIn }): { ask?: string } => (signIn ? { ask: signIn.ask } : {});

/** Expires what has run out at `now`. */
export function settle(record: LinkRecord, now: number, keepMs: number): LinkRecord {
  const link = settleLink(record.link, now, keepMs);
  const asking = record.asking && now < record.asking.until ? record.asking : undefined;
  if (link === record.link && asking === record.asking) return record;
  return asking ? { link, asking } : { link };
}

function settleLink(link: Link, now: number, keepMs: number): Link {
  if (link.status === "pending" && now >= link.deadline)
    return settleLink(
      { status: "declined", until: link.deadline + keepMs, reason: "timed_out", ...askOf(link) },
      now,
      keepMs,
    );
  if (link.status === "accepted" && link.again && now >= link.again.deadline)
    return declineAgain(link, { reason: "timed_out" });
  if ("until" in link && link.until !== undefined && now >= link.until) return NO_LINK.link;
  return link;
}

/** Begins a request unless one is open or sent. */
export function begin(
  record: LinkRecord,
  own: SentRequest,
  now: number,
): LinkStep<"begun" | "already_pending"> {
  if (isOpenNow(record.link, now) || (record.asking && now < record.asking.until))
    return { record, answer: "already_pending" };
  return { record: { link: record.link, asking: own }, answer: "begun" };
}

/**
 * The game found the player: the request is open until the returned time. An earlier link ends, unless a sign-in asks its player
 * again, whose name may have changed. A request that is open already stays open: an earlier sidecar may have stored it before it
 * was killed.
 */
export function playerFound(
  record: LinkRecord,
  request: string,
  player: LinkedPlayer,
  now: number,
): LinkStep<number | "stale"> {
  const { asking, link } = record;
  const openRequest = openRequestOf(link);
  if (openRequest?.request === request && now < openRequest.deadline)
    return { record, answer: openRequest.deadline };
  if (asking?.request !== request || now >= asking.until) return { record, answer: "stale" };
  const { deadline, server, signIn } = asking;
  const where = server === undefined ? {} : { server };
  const leaves = signIn !== undefined && link.status === "accepted" && link.player.uuid === player.uuid;
  const next: Link = leaves
    ? { ...link, player, again: { request, ...where, signIn, deadline } }
    : { status: "pending", request, ...where, ...(signIn && { signIn }), player, deadline };
  return { record: { link: next }, answer: deadline };
}

/**
 * Begins the request on the next game server, unless the player has been found after all, or the session has another request by
 * now.
 */
export function beginOnNext(
  record: LinkRecord,
  own: SentRequest,
  now: number,
): LinkStep<"begun" | "already_pending" | "found" | "conflict"> {
  const { link } = record;
  if (openRequestOf(link)?.request === own.request) return { record, answer: "found" };
  if (link.status === "declined" && link.alike === own.request) return { record, answer: "conflict" };
  return begin(cancel(record, own.request).record, own, now);
}

/** Cancels a request that was sent: the session is as before. */
export function cancel(record: LinkRecord, request: string): LinkStep<"cancelled" | "stale"> {
  if (record.asking?.request !== request) return { record, answer: "stale" };
  return { record: { link: record.link }, answer: "cancelled" };
}

/**
 * Ends a request because one of another session has the same characters: it counts as declined until the given time.
 * An accepted link stays.
 */
export function endConflict(record: LinkRecord, request: string, until: number): LinkStep<"ended" | "stale"> {
  if (openRequest(record) !== request) return { record, answer: "stale" };
  const { link, asking } = record;
  if (link.status === "accepted")
    return { record: { link: declineAgain(link, { alike: request }) }, answer: "ended" };
  const ask = askOf(link.status === "pending" ? link : (asking ?? {}));
  return { record: { link: { status: "declined", until, alike: request, ...ask } }, answer: "ended" };
}

/** The player answered the form. An answer to anything but the open request changes nothing. */
export function answer(
  record: LinkRecord,
  request: string,
  accepted: boolean,
  now: number,
  keepMs: number,
): LinkStep<"accepted" | "declined" | "stale"> {
  const { link } = record;
  const openRequest = openRequestOf(link);
  if (openRequest?.request !== request || now >= openRequest.deadline) return { record, answer: "stale" };
  const answered = accepted && openRequest.signIn && { answered: { ask: openRequest.signIn.ask, accepted } };
  if (link.status === "accepted") {
    const { again: _, ...rest } = link;
    return accepted
      ? { record: { link: { ...rest, authAt: now, ...answered } }, answer: "accepted" }
      : { record: { link: declineAgain(link, { reason: "declined" }) }, answer: "declined" };
  }
  if (accepted)
    return {
      record: { link: { status: "accepted", player: openRequest.player, at: now, ...answered } },
      answer: "accepted",
    };
  const declined = { until: now + keepMs, reason: "declined" as const, ...askOf(openRequest) };
  return { record: { link: { status: "declined", ...declined } }, answer: "declined" };
}

/** A request that its browser has cancelled. */
interface CancelledRequest {
  request: string;
  server: string | undefined;
  /** name of the player; blank where an older version has not stored it */
  name: string;
}

/**
 * Cancels an open request for its browser; with `ask` only the request of this sign-in, even if it was only sent. An accepted link
 * stays; otherwise a session whose request had reached a player is remembered until the given time.
 */
export function cancelPending(
  record: LinkRecord,
  until: number,
  ask?: string,
): LinkStep<CancelledRequest | "no_request"> {
  const { link, asking } = record;
  const own = openRequestOf(link) ?? (ask === undefined ? undefined : asking);
  if (own === undefined || (ask !== undefined && own.signIn?.ask !== ask))
    return { record, answer: "no_request" };
  const { request, server } = own;
  const answer = { request, server, name: requestedPlayer(record) ?? "" };
  if (link.status === "pending") return { record: { link: { status: "not_linked", until } }, answer };
  if (link.status !== "accepted") return { record: { link }, answer };
  const { again: _, ...rest } = link;
  return { record: { link: rest }, answer };
}

/** Ends an accepted link, which is remembered until the given time; returns its player. */
export function unlink(record: LinkRecord, until: number): LinkStep<LinkedPlayer | "not_linked"> {
  const { link, asking } = record;
  if (link.status !== "accepted") return { record, answer: "not_linked" };
  const rest: Link = { status: "not_linked", until };
  return { record: asking ? { link: rest, asking } : { link: rest }, answer: link.player };
}

/** Ends an accepted link to this player, and no other one. */
export function unlinkFrom(
  record: LinkRecord,
  uuid: string,
  until: number,
): LinkStep<LinkedPlayer | "not_linked"> {
  return linkedUuid(record) === uuid ? unlink(record, until) : { record, answer: "not_linked" };
}

/** Uuid of the player of an accepted link, if there is one. */
export function linkedUuid({ link }: LinkRecord): string | undefined {
  return link.status === "accepted" ? link.player.uuid : undefined;
}

/** The open or sent request of a record, if any. */
export function openRequest(record: LinkRecord): string | undefined {
  return (openRequestOf(record.link) ?? record.asking)?.request;
}

/** Until when the player may answer the open or sent request, in wall time. */
export const requestDeadline = ({ link, asking }: LinkRecord): number | undefined =>
  (openRequestOf(link) ?? asking)?.deadline;

/** The game server of the open or sent request; undefined: the first one. */
export const requestedOn = ({ link, asking }: LinkRecord): string | undefined =>
  (openRequestOf(link) ?? asking)?.server;

/** Takes a step for what a game server reports of a request, if that game server has the request. */
export function reportedBy<T>(
  server: string | undefined,
  request: string,
  record: LinkRecord,
  step: (record: LinkRecord) => LinkStep<T>,
): LinkStep<T | "stale"> {
  const isOwn = openRequest(record) === request && requestedOn(record) === server;
  return isOwn ? step(record) : { record, answer: "stale" };
}

/** Name of the player of the open or sent request; older versions did not store it. */
export function requestedPlayer({ link, asking }: LinkRecord): string | undefined {
  return openRequestOf(link)?.player.name ?? asking?.username;
}

/** When a record expires or changes without a request, in wall time; undefined: never. */
export function dueAt(record: LinkRecord): number | undefined {
  const { link, asking } = record;
  const own = openRequestOf(link)?.deadline ?? ("until" in link ? link.until : undefined);
  if (!asking) return own;
  return own === undefined ? asking.until : Math.min(own, asking.until);
}
