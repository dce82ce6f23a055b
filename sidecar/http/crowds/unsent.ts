import type { IncomingMessage, ServerResponse } from "node:http";
import { MOST_UNSENT, WITH_ROOM } from "../../domain/crowds.ts";
import { contained } from "../contained.ts";
import { createCounts } from "./counts.ts";

/** How often is looked at answers that are under way, in milliseconds. */
const LOOK_MS = 20;

/** The answers of a connection, in the order of their requests. */
export interface Unsent {
  underWay: readonly ServerResponse[];
  /** bytes that waited to be read when they were last counted, and for whom */
  waiting: { bytes: number; address: string } | undefined;
}

/**
 * Counts the bytes of answers that nobody has read yet. Who has too many of them is not dealt with until they are read: answers
 * cost the client that asks for them nothing. Where all of them together have too many, connections of whoever has most are
 * ended, so that nobody else has to wait.
 * @param end ends a connection
 * @param report is told of a fault in looking at a connection, which is ended
 */
export function createUnsent<A extends Unsent>(
  addressOf: (req: IncomingMessage) => string,
  end: (answers: A) => unknown,
  report: (error: unknown) => unknown,
) {
  const watched = new Set<A>();
  const perAddress = createCounts();
  /** the connection that had a request last; what it left unread is not counted yet */
  let newest: A | undefined;
  let all = 0;
  let isLooking = false;

  function add(address: string, bytes: number): void {
    all += bytes;
    perAddress.add(address, bytes);
  }

  function forget(answers: A): void {
    watched.delete(answers);
    if (newest === answers) newest = undefined;
    if (answers.waiting) add(answers.waiting.address, -answers.waiting.bytes);
    answers.waiting = undefined;
  }

  function drop(answers: A): void {
    forget(answers);
    end(answers);
  }

  /** Ends connections of the address that leaves most unread, the largest first, until there is room again. */
  function makeRoom(): void {
    const most = perAddress.largest();
    const theirs = [...watched].filter(({ waiting }) => waiting?.address === most);
    theirs.sort((one, other) => bytesOf(other) - bytesOf(one));
    for (const answers of theirs) if (all > WITH_ROOM) drop(answers);
  }

  function count(answers: A): void {
    let first: ServerResponse | undefined;
    let bytes = 0;
    for (const answer of answers.underWay) {
      if (answer.closed) continue;
      first ??= answer;
      bytes += answer.writableLength;
    }
    if (first === undefined) {
      forget(answers);
      return;
    }
    const before = bytesOf(answers);
    if (bytes === before) return;
    answers.waiting = { address: answers.waiting?.address ?? addressOf(first.req), bytes };
    add(answers.waiting.address, bytes - before);
    if (all > MOST_UNSENT.all) makeRoom();
  }

  // A fault stays within the connection: nothing stands between this and the process.
  const look = contained(count, drop, report);

  function lookAtAll(): void {
    isLooking = false;
    for (const answers of watched) look(answers);
    if (watched.size > 0) lookSoon();
  }

  // Like the times that Node sets connections, this one is of the machine.
  function lookSoon(): void {
    if (!isLooking) setTimeout(lookAtAll, LOOK_MS).unref();
    isLooking = true;
  }

  return {
    /** To be called with the answers of a connection that has one more, before that is made. */
    watch(answers: A): void {
      // Thousands may be asked for between two looks.
      if (newest) look(newest);
      newest = answers;
      watched.add(answers);
      lookSoon();
    },
    forget,
    /** Whether nothing further is to be dealt with, of a connection or its address. */
    isOver({ waiting }: A, req: IncomingMessage): boolean {
      if (all <= MOST_UNSENT.connection) return false;
      if (waiting && waiting.bytes > MOST_UNSENT.connection) return true;
      return perAddress.of(addressOf(req)) > MOST_UNSENT.address;
    },
  };
}

const bytesOf = ({ waiting }: Unsent): number => waiting?.bytes ?? 0;
