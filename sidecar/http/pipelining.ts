import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createUnsent, type Unsent } from "./unsent.ts";

/** Answers that may be under way on one connection. Honest clients send a few requests ahead at most. */
export const MAX_UNDER_WAY = 32;

/** Requests of one address that come in one turn of the event loop: more than that is no honest client's. */
const MAX_IN_A_TURN = 256;

/** How long requests are dealt with as they come, in milliseconds of a turn, and how many of an address in the rest of it. */
const SHARED_MS = 0.5;
const MAX_IN_THE_REST = 8;

/**
 * Counts requests by address, from turn to turn. Who asked is looked at only when a turn has become long, or has more than one
 * address may have.
 */
export function createTurnCount(now: () => number) {
  const counts = new Map<string, number>();
  let all = 0;
  let begun = 0;
  const begin = (): void => {
    all = 0;
    counts.clear();
  };
  return {
    /**
     * later: everybody else would wait for what the address has asked for in this turn already; over: it has had what it may
     * have of this turn, waiting or not.
     */
    take(addressOf: () => string): "now" | "later" | "over" {
      if (all++ === 0) {
        setImmediate(begin);
        begun = now();
      }
      const isShort = now() - begun < SHARED_MS;
      if (isShort && all <= MAX_IN_A_TURN) return "now";
      const address = addressOf();
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      if (count > MAX_IN_A_TURN) return "over";
      return isShort || count <= MAX_IN_THE_REST ? "now" : "later";
    },
  };
}

/** The answers of a connection that may still be under way, in the order of their requests. */
interface Answers extends Unsent {
  socket: Socket;
  underWay: ServerResponse[];
  /** the first of them, and what had been read, when it was last looked at */
  seen: ServerResponse | undefined;
  bytesRead: number;
  /** how often it was found since that this answer is complete and not taken, or that there is none and nothing has come */
  looks: number;
}

/**
 * Counts the answers that are under way on each connection, without a listener of each, as most are over when the next begins;
 * and without a timer of each, which would cost a twentieth of an answer. `addressOf`: whom they are for; `report`: is told of a
 * fault that has ended a connection.
 */
export function createAnswerCount(
  addressOf: (req: IncomingMessage) => string,
  report: (error: unknown) => unknown,
) {
  const connections = new Map<Duplex, Answers>();
  const unsent = createUnsent<Answers>(addressOf, ({ socket }) => socket.destroy(), report);

  function forget(this: Duplex): void {
    const answers = connections.get(this);
    if (answers) unsent.forget(answers);
    connections.delete(this);
  }

  function answersOf(socket: Socket): Answers {
    const known = connections.get(socket);
    if (known) return known;
    const answers: Answers = {
      socket,
      underWay: [],
      seen: undefined,
      bytesRead: 0,
      looks: 0,
      waiting: undefined,
    };
    connections.set(socket, answers);
    socket.once("close", forget);
    return answers;
  }

  /** Forgets those that are over; they end in the order in which they began. */
  function first({ underWay }: Answers): ServerResponse | undefined {
    while (underWay[0]?.closed) underWay.shift();
    return underWay[0];
  }

  return {
    /** Whether its client has too many already, or leaves too much of them unread. */
    begin(req: IncomingMessage, res: ServerResponse): boolean {
      const answers = answersOf(req.socket);
      first(answers);
      const count = answers.underWay.push(res);
      unsent.watch(answers);
      return count > MAX_UNDER_WAY || unsent.isOver(answers, req);
    },
    /**
     * Ends the connections whose answer is complete and was not taken the last `mostUnread` times, and those that had no
     * request the last `mostIdle` times.
     */
    look(mostUnread: number, mostIdle: number): void {
      for (const answers of connections.values()) {
        const { bytesRead } = answers.socket;
        const now = first(answers);
        const isWaiting = now ? now.writableEnded : bytesRead === answers.bytesRead;
        answers.looks = isWaiting && now === answers.seen ? answers.looks + 1 : 0;
        answers.seen = now;
        answers.bytesRead = bytesRead;
        if (answers.looks >= (now ? mostUnread : mostIdle)) answers.socket.destroy();
      }
    },
    /** Looks no more at a connection that speaks another protocol from now on; answers whether an answer is under way on it. */
    leave(socket: Duplex): boolean {
      const answers = connections.get(socket);
      forget.call(socket);
      // It may come back, more than once.
      socket.off("close", forget);
      return answers !== undefined && first(answers) !== undefined;
    },
    underWay: (): ServerResponse[] =>
      [...connections.values()].flatMap(({ underWay }) => underWay.filter(({ closed }) => !closed)),
  };
}

/** Bytes of a body that are read behind its answer: chunks of one byte each cost much more than a length that was told. */
const LEFT_OVER = { chunked: 16 * 1024, whole: 1024 * 1024 };

/** How often is looked at such a body, in milliseconds, and how often before it has taken too long. */
const LOOK_MS = 20;
const MOST_LOOKS = 250;

/**
 * Ends the connection of a request whose body goes on and on though the answer is out. Like the times that Node sets
 * connections, these are of the machine.
 */
export function boundLeftOver(req: IncomingMessage, res: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": coding } = req.headers;
  if (length === undefined && coding === undefined) return;
  res.once("finish", () => {
    if (req.complete) return;
    const { socket } = req;
    const most = socket.bytesRead + (coding ? LEFT_OVER.chunked : LEFT_OVER.whole);
    let looks = 0;
    const look = (): void => {
      if (req.complete || socket.destroyed) return;
      if (socket.bytesRead > most || ++looks > MOST_LOOKS) socket.destroy();
      else setTimeout(look, LOOK_MS).unref();
    };
    setTimeout(look, LOOK_MS).unref();
  });
}

/** How long an address is refused that has sent more ahead than is dealt with, in milliseconds. */
const BARRED_MS = 1_000;

/** Addresses that are remembered as barred; past it the one that has been longest is let in again. */
const MAX_BARRED = 20_000;

/** Addresses that are not dealt with for a while. Times are of the monotonic clock. */
export function createBar() {
  const until = new Map<string, number>();
  return {
    bar(address: string, now: number): void {
      until.delete(address);
      until.set(address, now + BARRED_MS);
      const [longest] = until.keys();
      if (until.size > MAX_BARRED && longest !== undefined) until.delete(longest);
    },
    isEmpty: () => until.size === 0,
    /** How long an address is not dealt with, in milliseconds. */
    leftMs(address: string, now: number): number {
      const end = until.get(address);
      if (end === undefined || now < end) return end === undefined ? 0 : end - now;
      until.delete(address);
      return 0;
    },
  };
}
