import { id } from "../../shared/actions.ts";
import { checkJson, type Infer, int, object, optional, tagged, text } from "../../shared/guard.ts";
import { NAME_LENGTH, PLAYER_ID_LENGTH } from "../../shared/limits.ts";

// What is stored goes by these names.

const time = int(0, Number.MAX_SAFE_INTEGER);

/** A player whom a browser may be linked to. */
const linkedPlayer = object({
  id: text(PLAYER_ID_LENGTH, 1),
  persistentId: text(PLAYER_ID_LENGTH),
  name: text(NAME_LENGTH, 1),
  /** public, dashed uuid */
  uuid: id,
});
export type LinkedPlayer = Infer<typeof linkedPlayer>;

/** On which game server a request was asked: left out of those that were asked on the first one. */
const askedOf = { request: id, server: optional(id) };

/** The link of one browser session, as `GET /linked-player` tells it. */
const sessionLink = tagged("status", {
  /** `until`: when a link that was ended is forgotten; without it there was none, or none that is remembered */
  not_linked: object({ until: optional(time) }),
  pending: object({ ...askedOf, player: linkedPlayer, deadline: time }),
  /** `alike`: the request, where it ended because that of another session showed the player the same characters */
  declined: object({ until: time, alike: optional(id) }),
  /** `at`: when the player accepted, in milliseconds since 1970; older versions did not store it */
  accepted: object({ player: linkedPlayer, at: optional(time) }),
});
export type Link = Infer<typeof sessionLink>;

/** A request that has gone to the game and has not come back: the link is what it was until it does. */
const onItsWay = object({
  ...askedOf,
  /** name of the player who is to be asked; older versions did not store it */
  username: optional(text(NAME_LENGTH)),
  /** wall time in milliseconds after which the game no longer begins it */
  until: time,
  /** wall time in milliseconds until which the player may answer once it has begun */
  deadline: time,
});
export type OnItsWay = Infer<typeof onItsWay>;

const linkRecord = object({ link: sessionLink, asking: optional(onItsWay) });
export type LinkRecord = Infer<typeof linkRecord>;

/** The record that a stored text holds, or undefined when it has been damaged. */
export function parseRecord(stored: string): LinkRecord | undefined {
  const read = checkJson(linkRecord, stored);
  return "value" in read ? read.value : undefined;
}

/** Record of a session that never asked for anything. */
export const NO_LINK: LinkRecord = { link: { status: "not_linked" } };

/** Whether a record says no more than one that was never stored. */
export const isEmpty = ({ link, asking }: LinkRecord): boolean =>
  link.status === "not_linked" && link.until === undefined && asking === undefined;

/** What a step returns: the record to store and what the caller has to know. */
export interface Step<T> {
  record: LinkRecord;
  answer: T;
}

const pendingNow = (link: Link, now: number): boolean => link.status === "pending" && now < link.deadline;

/** The record as it stands at `now`: what has run out is over. */
export function settle(record: LinkRecord, now: number, keepMs: number): LinkRecord {
  const link = settleLink(record.link, now, keepMs);
  const asking = record.asking && now < record.asking.until ? record.asking : undefined;
  if (link === record.link && asking === record.asking) return record;
  return asking ? { link, asking } : { link };
}

function settleLink(link: Link, now: number, keepMs: number): Link {
  if (link.status === "pending" && now >= link.deadline)
    return settleLink({ status: "declined", until: link.deadline + keepMs }, now, keepMs);
  if ("until" in link && link.until !== undefined && now >= link.until) return NO_LINK.link;
  return link;
}

/** A browser asks for a player: begins unless a request is open or on its way. */
export function begin(record: LinkRecord, own: OnItsWay, now: number): Step<"begun" | "already_pending"> {
  if (pendingNow(record.link, now) || (record.asking && now < record.asking.until))
    return { record, answer: "already_pending" };
  return { record: { link: record.link, asking: own }, answer: "begun" };
}

/**
 * The game found the player: the request is open from now on until the time answered, and whatever the session had
 * before is over. One that is open already stays so: a sidecar may have ended before it said that it knew.
 */
export function found(
  record: LinkRecord,
  request: string,
  player: LinkedPlayer,
  now: number,
): Step<number | "stale"> {
  const { asking, link } = record;
  if (link.status === "pending" && link.request === request && now < link.deadline)
    return { record, answer: link.deadline };
  if (asking?.request !== request || now >= asking.until) return { record, answer: "stale" };
  const { deadline, server } = asking;
  const where = server === undefined ? {} : { server };
  return { record: { link: { status: "pending", request, ...where, player, deadline } }, answer: deadline };
}

/**
 * The request, which the game server that it is on has not opened, goes on to another one: begins there unless the player has
 * been found after all, or the session has another one by now.
 */
export function goOn(
  record: LinkRecord,
  own: OnItsWay,
  now: number,
): Step<"begun" | "already_pending" | "found" | "alike"> {
  const { link } = record;
  if (link.status === "pending" && link.request === own.request) return { record, answer: "found" };
  if (link.status === "declined" && link.alike === own.request) return { record, answer: "alike" };
  return begin(giveUp(record, own.request).record, own, now);
}

/** The request came to nothing: the session is what it was before it asked. */
export function giveUp(record: LinkRecord, request: string): Step<"given_up" | "stale"> {
  if (record.asking?.request !== request) return { record, answer: "stale" };
  return { record: { link: record.link }, answer: "given_up" };
}

/**
 * The request ends because that of another session shows the player the same characters: it is declined until then. A link
 * that was to be replaced stays.
 */
export function endAlike(record: LinkRecord, request: string, until: number): Step<"ended" | "stale"> {
  if (openRequest(record) !== request) return { record, answer: "stale" };
  const { link } = record;
  if (link.status === "accepted") return { record: { link }, answer: "ended" };
  return { record: { link: { status: "declined", until, alike: request } }, answer: "ended" };
}

/** The player answered the form. An answer to anything but the open request changes nothing. */
export function answer(
  record: LinkRecord,
  request: string,
  accepted: boolean,
  now: number,
  keepMs: number,
): Step<"accepted" | "declined" | "stale"> {
  const { link } = record;
  if (link.status !== "pending" || link.request !== request || now >= link.deadline)
    return { record, answer: "stale" };
  return accepted
    ? { record: { link: { status: "accepted", player: link.player, at: now } }, answer: "accepted" }
    : { record: { link: { status: "declined", until: now + keepMs } }, answer: "declined" };
}

/** The browser ends an accepted link, which is remembered until then; `LinkedPlayer` is whom it was with. */
export function unlink(record: LinkRecord, until: number): Step<LinkedPlayer | "not_linked"> {
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
): Step<LinkedPlayer | "not_linked"> {
  return linkedUuid(record) === uuid ? unlink(record, until) : { record, answer: "not_linked" };
}

/** Uuid of the player of an accepted link, if there is one. */
export function linkedUuid({ link }: LinkRecord): string | undefined {
  return link.status === "accepted" ? link.player.uuid : undefined;
}

/** The link request that a record holds open or has on its way, if any. */
export function openRequest(record: LinkRecord): string | undefined {
  return record.link.status === "pending" ? record.link.request : record.asking?.request;
}

/** The game server on which that request was asked; undefined: the first one. */
export const requestedOn = ({ link, asking }: LinkRecord): string | undefined =>
  link.status === "pending" ? link.server : asking?.server;

/** What a game server says of a request: a step of the record where it was asked there, and nothing where it was not. */
export function saidBy<T>(
  server: string | undefined,
  request: string,
  record: LinkRecord,
  step: (record: LinkRecord) => Step<T>,
): Step<T | "stale"> {
  const isOwn = openRequest(record) === request && requestedOn(record) === server;
  return isOwn ? step(record) : { record, answer: "stale" };
}

/** Name of the player whom that request is for, as far as it is known. */
export function requestedPlayer({ link, asking }: LinkRecord): string | undefined {
  return link.status === "pending" ? link.player.name : asking?.username;
}

/** When a record changes by itself, in wall time; undefined when it never does. */
export function dueAt(record: LinkRecord): number | undefined {
  const { link, asking } = record;
  const own = link.status === "pending" ? link.deadline : "until" in link ? link.until : undefined;
  if (!asking) return own;
  return own === undefined ? asking.until : Math.min(own, asking.until);
}
