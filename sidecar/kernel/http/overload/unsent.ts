import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { catchListenerErrors } from "../catch-listener-errors.ts";
import { createCounts } from "./counts.ts";
import { MOST_AHEAD, MOST_UNSENT } from "./rules.ts";

/** How often connections with an answer under way are looked at, in milliseconds. */
const LOOK_MS = 20;

/** What is left unsent in all once there was no room: else each answer that follows would look for it again. */
const WITH_ROOM = MOST_UNSENT.all - MOST_UNSENT.connection;

/** The answers of a connection that may still be under way, in the order of their requests, and their bytes when last counted. */
interface Answers {
  socket: Duplex;
  address: string;
  underWay: ServerResponse[];
  bytes: number;
}

/**
 * Counts the answers that are under way on each connection, and their bytes that nobody has read yet. Where all of them together
 * are too much, connections of the address that leaves most are ended. Most answers are over when the next request comes, so that
 * there is no listener for each.
 * @param addressOf whom an answer is for
 * @param report is told of a fault that has ended a connection
 */
export function createUnsent(addressOf: (req: IncomingMessage) => string, report: (error: unknown) => void) {
  const connections = new WeakMap<Duplex, Answers>();
  const watched = new Set<Answers>();
  const perAddress = createCounts();
  /** the connection that had a request last; what it was answered is not counted yet */
  let newest: Answers | undefined;
  let all = 0;
  let isLooking = false;

  function set(answers: Answers, bytes: number): void {
    all += bytes - answers.bytes;
    perAddress.add(answers.address, bytes - answers.bytes);
    answers.bytes = bytes;
  }

  function end(answers: Answers): void {
    set(answers, 0);
    watched.delete(answers);
    answers.socket.destroy();
  }

  /** Ends connections of the address that leaves most unread, the largest first, until there is room again. */
  function makeRoom(): void {
    const most = perAddress.largest();
    const theirs = [...watched].filter(({ address }) => address === most);
    theirs.sort((one, other) => other.bytes - one.bytes);
    for (const answers of theirs) if (all > WITH_ROOM) end(answers);
  }

  function count(answers: Answers): void {
    const { underWay, socket } = answers;
    // They end in the order in which they began.
    while (underWay[0]?.closed) underWay.shift();
    let bytes = 0;
    if (!socket.destroyed) for (const res of underWay) bytes += res.writableLength;
    if (bytes !== answers.bytes) set(answers, bytes);
    if (all > MOST_UNSENT.all) makeRoom();
  }

  // Nothing stands between this and the process.
  const lookAt = catchListenerErrors(
    (answers: Answers) => {
      count(answers);
      if (answers.underWay.length === 0 || answers.socket.destroyed) watched.delete(answers);
    },
    end,
    report,
  );

  function look(): void {
    isLooking = false;
    newest = undefined;
    for (const answers of watched) lookAt(answers);
    if (watched.size > 0) lookSoon();
  }

  // Like the times that Node sets connections, this one is of the machine.
  function lookSoon(): void {
    if (!isLooking) setTimeout(look, LOOK_MS).unref();
    isLooking = true;
  }

  return {
    /** Whether a request is one too many: of those sent ahead, or since its client leaves too much unread. */
    isOver(req: IncomingMessage, res: ServerResponse): boolean {
      const { socket } = req;
      const address = addressOf(req);
      const known = connections.get(socket);
      const answers: Answers = known ?? { socket, address, underWay: [], bytes: 0 };
      if (known === undefined) connections.set(socket, answers);
      // A proxy sends requests of many on one connection.
      if (address !== answers.address) {
        set(answers, 0);
        answers.address = address;
      }
      // Thousands may come between two looks.
      if (newest !== undefined) count(newest);
      count(answers);
      answers.underWay.push(res);
      watched.add(answers);
      newest = answers;
      lookSoon();
      if (answers.underWay.length > MOST_AHEAD || answers.bytes > MOST_UNSENT.connection) return true;
      return all > MOST_UNSENT.connection && perAddress.of(address) > MOST_UNSENT.address;
    },
    /** The answers that are under way on all connections. */
    underWay: (): ServerResponse[] =>
      [...watched].flatMap(({ underWay }) => underWay.filter(({ closed }) => !closed)),
    /** Whether an answer is under way on a connection. */
    isAnswering(socket: Duplex): boolean {
      const answers = connections.get(socket);
      return answers?.underWay.some(res => !res.closed) ?? false;
    },
    /** Looks no more at a connection that speaks another protocol from now on. */
    leave(socket: Duplex): void {
      const answers = connections.get(socket);
      if (answers === undefined) return;
      set(answers, 0);
      watched.delete(answers);
      connections.delete(socket);
    },
  };
}
