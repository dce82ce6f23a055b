import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

// What Node has and does not describe, all of it that is used. Each function says what happens with a Node that lacks its part:
// nothing worse than that a flood costs more. `test/http/node-internals.test.ts` says of each Node whether it has them.

/** The parser of a connection, while that has one. Node calls `onIncoming` with each request, and `[kOnBody]` with each piece. */
interface Parser {
  constructor: { kOnBody?: number };
  [handler: number]: unknown;
  onIncoming(req: IncomingMessage): number;
  /** is called before the parser goes on to another connection */
  remove(): void;
}

const parserOf = (socket: Duplex & { parser?: Parser | null }): Parser | undefined =>
  socket.parser ?? undefined;

/**
 * Has a server read nothing of a connection before that is resumed. Without it, up to 64 KiB of each are read, and dealt with
 * when it is let in.
 */
export function takeUnread(server: Server): void {
  // What `net.createServer` has as an option, and `http.createServer` does not pass on.
  Object.assign(server, { pauseOnConnect: true });
}

/** What the parser is told of a request whose rest it shall not read; so it is told of an upgrade. */
const READ_NO_FURTHER = 2;

/**
 * Has nothing dealt with that comes behind this request on its connection. What has arrived already, up to 2,000 requests
 * in one piece, is not even parsed: that alone would hold up everybody else. `left` is told of the request at which the
 * parser stops. Without it, each of them is dealt with as any other, and refused where it is one too many.
 */
export function takeNoMore(
  { socket }: IncomingMessage,
  left: (req: IncomingMessage) => void = () => undefined,
): void {
  const parser = parserOf(socket);
  if (parser === undefined) return;
  parser.onIncoming = req => {
    left(req);
    return READ_NO_FURTHER;
  };
}

/**
 * Has nobody told of further pieces of a body in what was read of a connection: its parser goes on to the end of that, and most
 * of the time goes into telling. Without it, they are told, and come to nothing.
 */
export function skipPieces(socket: Socket): void {
  const parser = parserOf(socket);
  const kOnBody = parser?.constructor.kOnBody;
  if (parser === undefined || kOnBody === undefined) return;
  const own = parser[kOnBody];
  const { remove } = parser;
  parser[kOnBody] = undefined;
  parser.remove = () => {
    parser[kOnBody] = own;
    parser.remove = remove;
    parser.remove();
  };
}

/** The parts of a request by which Node lets a body go that nobody wants, and hands a connection out. */
interface LettingGo {
  _dump?(): void;
  _dumped?: boolean;
  upgrade?: boolean;
}

const whole = IncomingMessage.prototype as IncomingMessage & LettingGo;
const letGo = new WeakSet<IncomingMessage>();

/**
 * A request of which each piece of the body is pushed, though nobody wants it any more (`isLetGo`): Node takes such a body apart
 * without a word. Without it, none is pushed behind the answer, and only by its bytes is noticed that a body goes on.
 */
export class WatchedRequest extends IncomingMessage implements LettingGo {
  declare _dumped?: boolean;

  get isLetGo(): boolean {
    return letGo.has(this);
  }

  _dump(): void {
    whole._dump?.call(this);
    if (this.complete) return;
    letGo.add(this);
    this._dumped = false;
  }
}

/**
 * Has Node hand the connection of this request out with an `upgrade`, as soon as its parser comes back. Without it, that is never
 * called, and request and parser go on as long as their connection.
 */
export function handOut(req: IncomingMessage & LettingGo): void {
  req.upgrade = true;
  // Else a connection with a long body would not be read any more, and nobody would see that the reader has left.
  req._dump?.();
}

/** Takes a response from its connection; without it, it goes on as long as that. */
export function detach(res: ServerResponse & { detachSocket?(socket: Duplex): void }): void {
  if (res.socket !== null) res.detachSocket?.(res.socket);
}

/** The parts of a response by which Node decides whether its connection stays open behind it. */
interface Kept {
  shouldKeepAlive?: boolean;
  /** of HTTP/1.1; in HTTP/1.0 an answer whose length is not told ends with its connection */
  useChunkedEncodingByDefault?: boolean;
}

/** Whether the connection of an answer stays open for another request. Without it, clients are not told that it does. */
export const staysOpen = ({ shouldKeepAlive, useChunkedEncodingByDefault }: Kept): boolean =>
  shouldKeepAlive === true && useChunkedEncodingByDefault === true;

/** Has the connection of an answer end with it. Without it, it ends once it is idle for long, or at the end of a stop. */
export function endBehind(res: Kept): void {
  res.shouldKeepAlive = false;
}
