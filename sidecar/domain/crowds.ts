// What one address, one connection or one moment may have of the service, so that whoever comes with a crowd waits for the crowd
// and nobody else does. How often something may happen is told by rates, and how many there may be mostly by the settings.

import type { Rate } from "./rate.ts";

/** How many there are already: at all and of one address. */
interface Present {
  all: number;
  ofAddress: number;
}

/** How many there may be. */
export interface Places {
  most: number;
  mostPerAddress: number;
}

/** An address has few of them with so many, or with this part of all that there may be. */
const FEW = 8;
const FEW_PART = 1 / 50;

/**
 * Whether there is a place for one more: `none` for its address, or for nobody. The last quarter is for addresses that have few, unless
 * one address may have all.
 */
export function placeFor(present: Present, places: Places): "free" | "none" | "full" {
  const { all, ofAddress } = present;
  const { most, mostPerAddress } = places;
  if (ofAddress >= mostPerAddress) return "none";
  const hasFew = mostPerAddress >= most || ofAddress < Math.max(FEW, most * FEW_PART);
  if (all >= most * 0.75 && !hasFew) return "none";
  return all >= most ? "full" : "free";
}

/**
 * Whether who has left bytes unread leaves too many with so many more, where `most` may wait. Who reads all may be given any
 * number.
 */
export const leavesTooMuch = (unreadBytes: number, moreBytes: number, most: number): boolean =>
  unreadBytes > 0 && unreadBytes + moreBytes > most;

/** Answers that may be under way on one connection. Honest clients send a few requests ahead at most. */
export const MAX_UNDER_WAY = 32;

/** Requests of one address that come in one turn of the event loop: more than that is no honest client's. */
const MAX_IN_A_TURN = 256;

/** How long requests are dealt with as they come, in milliseconds of a turn, and how many of an address in the rest of it. */
const SHARED_MS = 0.5;
const MAX_IN_THE_REST = 8;

/**
 * Requests and connections of one address that may wait for their turn before further requests are refused, and before refusals
 * are not answered any more.
 */
export const MOST_WAITING = 2_048;

/** How long an address is refused that has sent more ahead than is dealt with, in milliseconds. */
export const BARRED_MS = 1_000;

/** Whether a request is dealt with at once, whoever asks: `turnMs` into a turn of the event loop, as the `count`th one of it. */
export const isCalm = (turnMs: number, count: number): boolean =>
  turnMs < SHARED_MS && count <= MAX_IN_A_TURN;

/**
 * When a request has its turn that is the `inTurn`th one of its address in a turn of the event loop, and the `inTheRest`th since
 * that is not calm. later: everybody else would wait for what the address has asked for in this turn already; over: it has had
 * what it may have of this turn, waiting or not, or too many of it wait already.
 */
export function shareOf(
  turnMs: number,
  inTurn: number,
  inTheRest: number,
  waiting: number,
): "now" | "later" | "over" {
  if (inTurn > MAX_IN_A_TURN) return "over";
  if (turnMs < SHARED_MS || inTheRest <= MAX_IN_THE_REST) return "now";
  return waiting > MOST_WAITING ? "over" : "later";
}

/** Of one address, those that are at work by turns at once: the others wait until one of them is done. */
export const MOST_AT_WORK = 8;

/** How long work by turns takes in one turn of the event loop, in milliseconds. */
export const WORK_MS = 1;

/** How long something else may come before such work, in milliseconds. */
export const MOST_HELD_MS = 100;

/** Most bytes of answers that may wait to be read: on one connection, for one address, and in all. */
export const MOST_UNSENT = { connection: 2 * 1024 * 1024, address: 16 * 1024 * 1024, all: 96 * 1024 * 1024 };

/** What is left of them in all when there was no room, in bytes: else each answer that follows would look for it again. */
export const WITH_ROOM = MOST_UNSENT.all - MOST_UNSENT.connection;

/** Bytes of a body that are read behind its answer: chunks of one byte each cost much more than a length that was told. */
export const LEFT_OVER = { chunked: 16 * 1024, whole: 1024 * 1024 };

/** How long such a body may go on, in milliseconds. */
export const LEFT_OVER_MS = 5_000;

/**
 * How long a client waits for its address to pay, in milliseconds: with the limits as they come all the streams that an address
 * may have are given 100 KiB each within it.
 */
export const MOST_WAIT_MS = 300_000;

/** How long a reader may read a piece of what it missed before others of its address have its turns, in milliseconds. */
export const SLOW_MS = 2_000;

/** Refused messages within `WITHIN_MS` after which a socket is closed. */
const MOST_REFUSED = 100;
const WITHIN_MS = 10_000;

/** Whether so many messages of a socket were refused lately that it is closed. */
export const isRefusedTooOften = (refusedAt: readonly number[]): boolean => refusedAt.length >= MOST_REFUSED;

/** Refused messages of all sockets of one address: past it, each further one closes its socket. */
export const REFUSED_PER_ADDRESS: Rate = { perSecond: 100, burst: 1_000 };

/** Adds a refusal to those of a socket, which are times of the monotonic clock, and lets go of those of long ago. */
export function noteRefusal(refusedAt: number[], now: number): void {
  while ((refusedAt[0] ?? now) <= now - WITHIN_MS) refusedAt.shift();
  refusedAt.push(now);
}
