import { MOST_AT_WORK, MOST_HELD_MS, WORK_MS } from "../../domain/crowds.ts";
import type { Clock } from "../../ports.ts";
import { type Addressed, createLines } from "./counts.ts";

/** Pieces of work in one turn, however quick they are. */
const MOST_PIECES = 16;

/** A turn that took longer than this, in milliseconds, with all that pieces have led to: there are half as many in the next. */
const LONG_TURN_MS = 4;

/**
 * Work of many clients, done piece by piece over turns of the event loop: about a millisecond of it in each, by turns for each
 * address, so that whoever comes with a crowd waits for the crowd and nobody else does.
 * @param deps.piece does the next piece of a client, which calls `goOn` or `end` then
 * @param deps.failed is told what a piece has thrown; the client has ended by that
 */
export function createTurns<T extends Addressed>(deps: {
  clock: Pick<Clock, "monotonic" | "soon">;
  piece(client: T): void;
  failed(client: T, error: unknown): void;
}) {
  const { monotonic: now, soon } = deps.clock;
  const waiting = createLines<T>();
  /** those that have begun */
  const atWork = createLines<T>();
  /** those of them that can do their next piece, in turn */
  const ready = createLines<T>();
  /** the addresses of which somebody can do a piece, in turn */
  const due = new Set<string>();
  let isComing = false;
  let isHeld = false;
  /** since when something else has come first in each turn */
  let heldSince: number | undefined;
  /** when work was done last, if some was left for the next turn */
  let goingOnSince: number | undefined;
  let most = MOST_PIECES;

  const canBegin = (address: string): boolean =>
    waiting.sizeOf(address) > 0 && atWork.sizeOf(address) < MOST_AT_WORK;

  function come(): void {
    if (!isComing && due.size > 0) {
      isComing = true;
      soon(work);
    }
  }

  function queue(address: string): void {
    if (ready.sizeOf(address) === 0 && !canBegin(address)) {
      due.delete(address);
      return;
    }
    due.add(address);
    come();
  }

  /** Somebody of the address whose turn it is, which then is the last in line. */
  function next(): T | undefined {
    const [address] = due;
    if (address === undefined) return undefined;
    due.delete(address);
    const first = canBegin(address) ? waiting.first(address) : undefined;
    if (first !== undefined) {
      waiting.delete(first);
      atWork.add(first);
      ready.add(first);
    }
    const client = ready.first(address);
    if (client !== undefined) ready.delete(client);
    queue(address);
    return client;
  }

  function piece(client: T): void {
    try {
      deps.piece(client);
    } catch (error) {
      end(client);
      deps.failed(client, error);
    }
  }

  function isLater(begun: number): boolean {
    if (!isHeld) heldSince = undefined;
    else heldSince ??= begun;
    isHeld = false;
    if (heldSince === undefined || begun - heldSince < MOST_HELD_MS) return heldSince !== undefined;
    heldSince = undefined;
    return false;
  }

  function work(): void {
    isComing = false;
    const begun = now();
    if (isLater(begun)) {
      goingOnSince = undefined;
      come();
      return;
    }
    // What a piece leads to is mostly done behind it, by the end of the turn.
    if (goingOnSince === undefined) most = MOST_PIECES;
    else most = begun - goingOnSince > LONG_TURN_MS ? Math.ceil(most / 2) : Math.min(most + 1, MOST_PIECES);
    for (let pieces = 0; pieces < most && (pieces === 0 || now() < begun + WORK_MS); pieces++) {
      const client = next();
      if (client === undefined) break;
      piece(client);
    }
    goingOnSince = due.size > 0 ? begun : undefined;
    come();
  }

  /** A client has done all, or has gone. */
  function end(client: T): void {
    for (const line of [waiting, atWork, ready]) line.delete(client);
    queue(client.address);
  }

  return {
    /** A client comes, and begins as soon as not too many of its address are at work. */
    begin(client: T): void {
      waiting.add(client);
      queue(client.address);
    },
    /** A client that has begun can do its next piece. */
    goOn(client: T): void {
      if (!atWork.has(client)) return;
      ready.add(client);
      queue(client.address);
    },
    end,
    /** How many of an address wait to begin. */
    waitingOf: waiting.sizeOf,
    /** Something else comes first in this turn, such as a connection that is taken. */
    hold(): void {
      isHeld = true;
    },
  };
}

/** What is done for somebody at an address, all of it in one piece. */
interface Errand extends Addressed {
  act(): void;
}

export type Crowd = ReturnType<typeof createCrowd>;

/** The same for what is one piece each. */
export function createCrowd(clock: Pick<Clock, "monotonic" | "soon">, report: (error: unknown) => void) {
  const turns = createTurns<Errand>({
    clock,
    piece(errand) {
      turns.end(errand);
      errand.act();
    },
    failed: (_errand, error) => report(error),
  });
  return turns;
}
