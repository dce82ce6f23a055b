import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { catchListenerErrors } from "../app-listener.ts";
import { createCounts, MAX_PIPELINED, MAX_UNSENT } from "./rules.ts";

/** How often connections with a pending response are checked, in milliseconds. */
const LOOK_MS = 20;

/** Total of unread bytes to reduce to once the budget is exceeded; otherwise each next response would exceed it again. */
const WITH_ROOM = MAX_UNSENT.all - MAX_UNSENT.connection;

/** The responses of a connection that may be pending, in the order of their requests, and their bytes when last counted. */
interface Answers {
  socket: Duplex;
  address: string;
  underWay: ServerResponse[];
  bytes: number;
}

/**
 * Counts pending responses and their unread bytes for each connection. Over the budget, connections of the address with most
 * unread bytes are closed. Responses are checked by a timer and by the next request, since a listener for each would cost more.
 * @param report called with an error that has closed a connection
 */
export function createByteBudget(
  addressOf: (req: IncomingMessage) => string,
  report: (error: unknown) => void,
) {
  const connections = new WeakMap<Duplex, Answers>();
  const watched = new Set<Answers>();
  const perAddress = createCounts();
  /** the connection of the last request, whose response is not counted yet */
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

  /** Closes connections of the address with most unread bytes, the largest first, until the budget is met. */
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
    if (all > MAX_UNSENT.all) makeRoom();
  }

  // Called by a timer: an exception would end the process.
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

  // Real time, like the timeouts of Node.
  function lookSoon(): void {
    if (!isLooking) setTimeout(look, LOOK_MS).unref();
    isLooking = true;
  }

  return {
    /** Whether too many requests were sent ahead, or too many bytes of answers are unread. */
    isExceeded(req: IncomingMessage, res: ServerResponse): boolean {
      const { socket } = req;
      const address = addressOf(req);
      const known = connections.get(socket);
      const answers: Answers = known ?? { socket, address, underWay: [], bytes: 0 };
      if (known === undefined) connections.set(socket, answers);
      // A proxy sends the requests of many clients on one connection.
      if (address !== answers.address) {
        set(answers, 0);
        answers.address = address;
      }
      // Thousands may arrive between two checks.
      if (newest !== undefined) count(newest);
      count(answers);
      answers.underWay.push(res);
      watched.add(answers);
      newest = answers;
      lookSoon();
      if (answers.underWay.length > MAX_PIPELINED || answers.bytes > MAX_UNSENT.connection) return true;
      return all > MAX_UNSENT.connection && perAddress.of(address) > MAX_UNSENT.address;
    },
    /** The pending responses on all connections. */
    underWay: (): ServerResponse[] =>
      [...watched].flatMap(({ underWay }) => underWay.filter(({ closed }) => !closed)),
    /** Whether a connection has a pending response. */
    isAnswering(socket: Duplex): boolean {
      const answers = connections.get(socket);
      return answers?.underWay.some(res => !res.closed) ?? false;
    },
    /** Stops counting a connection that has switched to another protocol. */
    stopCounting(socket: Duplex): void {
      const answers = connections.get(socket);
      if (answers === undefined) return;
      set(answers, 0);
      watched.delete(answers);
      connections.delete(socket);
    },
  };
}
