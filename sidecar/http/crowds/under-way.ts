import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { LEFT_OVER, LEFT_OVER_MS, MAX_UNDER_WAY } from "../../domain/crowds.ts";
import { contained } from "../contained.ts";
import { createUnsent, type Unsent } from "./unsent.ts";

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

const cutOff = ({ socket }: Answers): unknown => socket.destroy();

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
  const unsent = createUnsent<Answers>(addressOf, cutOff, report);

  function forget(this: Duplex): void {
    const answers = connections.get(this);
    if (answers) unsent.forget(answers);
    connections.delete(this);
  }

  function answersOf(socket: Socket): Answers {
    const known = connections.get(socket);
    if (known) return known;
    const none = { underWay: [], seen: undefined, waiting: undefined };
    const answers: Answers = { socket, ...none, bytesRead: 0, looks: 0 };
    connections.set(socket, answers);
    socket.once("close", forget);
    return answers;
  }

  /** Forgets those that are over; they end in the order in which they began. */
  function first({ underWay }: Answers): ServerResponse | undefined {
    while (underWay[0]?.closed) underWay.shift();
    return underWay[0];
  }

  const look = contained(
    (answers: Answers, mostUnread: number, mostIdle: number) => {
      const { bytesRead } = answers.socket;
      const now = first(answers);
      const isWaiting = now ? now.writableEnded : bytesRead === answers.bytesRead;
      answers.looks = isWaiting && now === answers.seen ? answers.looks + 1 : 0;
      answers.seen = now;
      answers.bytesRead = bytesRead;
      if (answers.looks >= (now ? mostUnread : mostIdle)) cutOff(answers);
    },
    cutOff,
    report,
  );

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
      for (const answers of connections.values()) look(answers, mostUnread, mostIdle);
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

/** How often is looked at a body that goes on behind its answer, in milliseconds. */
const LOOK_MS = 20;

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
    let left = LEFT_OVER_MS / LOOK_MS;
    const look = (): void => {
      if (req.complete || socket.destroyed) return;
      if (socket.bytesRead > most || left-- === 0) socket.destroy();
      else setTimeout(look, LOOK_MS).unref();
    };
    setTimeout(look, LOOK_MS).unref();
  });
}
