import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { LEFT_OVER, LEFT_OVER_MS, MAX_UNDER_WAY, MOST_UNSENT, WITH_ROOM } from "../../domain/crowds.ts";
import { contained } from "../contained.ts";
import { createCounts } from "./counts.ts";

/** How often is looked at connections with an answer under way, in milliseconds. */
const LOOK_MS = 20;

/** The answers of a connection that may still be under way, in the order of their requests. */
interface Answers {
  socket: Socket;
  underWay: ServerResponse[];
  /** bytes of them that waited to be read when they were last counted, and for whom */
  unsent: number;
  address: string | undefined;
  /** a body that goes on behind its answer: up to where it may be read, and how often is looked at it yet */
  leftOver: { req: IncomingMessage; upTo: number; looks: number } | undefined;
  /** the first of them, and what had been read, when it was last looked for idle ones */
  seen: ServerResponse | undefined;
  bytesRead: number;
  /** how often it was found since that this answer is complete and not taken, or that there is none and nothing has come */
  looks: number;
}

/**
 * Keeps count of the answers that are under way on each connection, and of their bytes that nobody has read yet: answers cost the
 * client that asks for them nothing. Where all of them together leave too much unread, connections of whoever leaves most are
 * ended, so that nobody else has to wait. There is no listener for each answer, as most are over when the next begins, and no
 * timer, which would cost a twentieth of one.
 * @param addressOf whom an answer is for
 * @param report is told of a fault that has ended a connection
 */
export function createAnswerCount(
  addressOf: (req: IncomingMessage) => string,
  report: (error: unknown) => unknown,
) {
  const connections = new Map<Duplex, Answers>();
  const watched = new Set<Answers>();
  const perAddress = createCounts();
  /** the connection that had a request last; what it left unread is not counted yet */
  let newest: Answers | undefined;
  let all = 0;
  let isLooking = false;

  function set(answers: Answers, bytes: number): void {
    if (bytes === answers.unsent) return;
    const [first] = answers.underWay;
    answers.address ??= first && addressOf(first.req);
    all += bytes - answers.unsent;
    perAddress.add(answers.address ?? "", bytes - answers.unsent);
    answers.unsent = bytes;
  }

  /** There is nothing to be counted of a connection. */
  function rest(answers: Answers): void {
    // Most were over before anybody looked.
    if (!watched.delete(answers)) return;
    set(answers, 0);
    answers.address = undefined;
  }

  function forget(this: Duplex): void {
    const answers = connections.get(this);
    if (answers) rest(answers);
    if (newest === answers) newest = undefined;
    connections.delete(this);
  }

  function cutOff({ socket }: Answers): void {
    forget.call(socket);
    socket.destroy();
  }

  /** Ends connections of the address that leaves most unread, the largest first, until there is room again. */
  function makeRoom(): void {
    const most = perAddress.largest();
    const theirs = [...watched].filter(({ address }) => address === most);
    theirs.sort((one, other) => other.unsent - one.unsent);
    for (const answers of theirs) if (all > WITH_ROOM) cutOff(answers);
  }

  /** Forgets those that are over; they end in the order in which they began. */
  function first({ underWay }: Answers): ServerResponse | undefined {
    while (underWay[0]?.closed) underWay.shift();
    return underWay[0];
  }

  // A fault stays within its connection: nothing stands between this and the process.
  const count = contained(
    (answers: Answers) => {
      if (first(answers) === undefined && answers.leftOver === undefined) rest(answers);
      else {
        watched.add(answers);
        set(
          answers,
          answers.underWay.reduce((bytes, res) => bytes + res.writableLength, 0),
        );
      }
      if (all > MOST_UNSENT.all) makeRoom();
    },
    cutOff,
    report,
  );

  function lookAtAll(): void {
    isLooking = false;
    if (newest) count(newest);
    for (const answers of watched) {
      const { leftOver, socket } = answers;
      if (leftOver?.req.complete) answers.leftOver = undefined;
      else if (leftOver && (socket.bytesRead > leftOver.upTo || leftOver.looks-- === 0)) {
        cutOff(answers);
        continue;
      }
      count(answers);
    }
    if (watched.size > 0) lookSoon();
  }

  // Like the times that Node sets connections, this one is of the machine.
  function lookSoon(): void {
    if (!isLooking) setTimeout(lookAtAll, LOOK_MS).unref();
    isLooking = true;
  }

  function watch(answers: Answers): void {
    watched.add(answers);
    lookSoon();
  }

  /** Ends the connection of a request whose body goes on and on though the answer is out. */
  function boundBody(answers: Answers, req: IncomingMessage, res: ServerResponse): void {
    const { "content-length": length, "transfer-encoding": coding } = req.headers;
    if (length === undefined && coding === undefined) return;
    res.once("finish", () => {
      if (req.complete || !connections.has(req.socket)) return;
      const upTo = req.socket.bytesRead + (coding ? LEFT_OVER.chunked : LEFT_OVER.whole);
      answers.leftOver = { req, upTo, looks: LEFT_OVER_MS / LOOK_MS };
      watch(answers);
    });
  }

  function answersOf(socket: Socket): Answers {
    const known = connections.get(socket);
    if (known) return known;
    const none = { address: undefined, leftOver: undefined, seen: undefined };
    const answers: Answers = { socket, underWay: [], unsent: 0, bytesRead: 0, looks: 0, ...none };
    connections.set(socket, answers);
    socket.once("close", forget);
    return answers;
  }

  const lookForIdle = contained(
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
    /** Whether its client has too many already, or leaves too much of them unread, on the connection or of its address. */
    begin(req: IncomingMessage, res: ServerResponse): boolean {
      const answers = answersOf(req.socket);
      boundBody(answers, req, res);
      first(answers);
      const under = answers.underWay.push(res);
      // Thousands may be asked for between two looks.
      if (newest) count(newest);
      newest = answers;
      lookSoon();
      if (under > MAX_UNDER_WAY || answers.unsent > MOST_UNSENT.connection) return true;
      return all > MOST_UNSENT.connection && perAddress.of(addressOf(req)) > MOST_UNSENT.address;
    },
    /**
     * Ends the connections whose answer is complete and was not taken the last `mostUnread` times, and those that had no
     * request the last `mostIdle` times.
     */
    look(mostUnread: number, mostIdle: number): void {
      for (const answers of connections.values()) lookForIdle(answers, mostUnread, mostIdle);
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
