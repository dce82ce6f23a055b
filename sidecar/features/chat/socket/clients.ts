import { WebSocket } from "ws";
import { checkJson, type Infer, object, tagged } from "../../../../shared/guard.ts";
import { type ChatMessage, clientMessages, type SERVER_MESSAGES } from "../../../../shared/public/chat.ts";
import type { MessageType } from "../../../../shared/public/words.ts";
import type { ClientLimits } from "../../../kernel/http/overload/rules.ts";
import { createSubscribers, type Subscriber } from "../../../kernel/http/subscribers.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { SidecarMetrics } from "../../../platform/metrics.ts";
import type { Bucket } from "../../../platform/rate.ts";
import { type WebLine, webLine } from "../rules/chat.ts";

const TEXT_FRAME = 0x81;

/**
 * A message as the bytes of one unfragmented, unmasked WebSocket text frame (RFC 6455, section 5.2). Made once, it
 * is written to any number of sockets.
 */
export function messageFrame<T extends MessageType>(
  type: T,
  content: Infer<(typeof SERVER_MESSAGES)[T]>,
): Buffer {
  const payload = Buffer.from(JSON.stringify({ type, content } satisfies ChatMessage));
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([TEXT_FRAME, length]), payload]);
  if (length < 65_536) {
    const head = Buffer.from([TEXT_FRAME, 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return Buffer.concat([head, payload]);
  }
  const head = Buffer.alloc(10);
  head[0] = TEXT_FRAME;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** What a client may send. */
type FromClient = { type: "CHAT"; line: WebLine } | { type: "PING" | "PONG" };

/**
 * Makes what reads the messages that clients may send; undefined when a text is none of them, or a line of which nothing
 * could be seen.
 */
export function createMessageReader(maxContent: number): (json: string) => FromClient | undefined {
  const { CHAT, PING, PONG } = clientMessages(maxContent);
  const guard = tagged("type", {
    CHAT: object({ content: CHAT }),
    PING: object({ content: PING }),
    PONG: object({ content: PONG }),
  });
  return json => {
    const message = checkJson(guard, json);
    if ("fault" in message) return undefined;
    const { value } = message;
    if (value.type !== "CHAT") return value;
    const line = webLine(value.content, maxContent);
    return line && { type: "CHAT", line };
  };
}

const GOING_AWAY = 1001;
/** How long a client has to answer the closing of the server, in milliseconds. */
export const CLOSE_TIMEOUT_MS = 2_000;

/** A connection of `/chat`, of which `out` is the connection below the WebSocket. */
export interface ChatClient extends Subscriber {
  id: string;
  ws: WebSocket;
  /** browser session of the cookie */
  session: string | undefined;
  /** the one game server that it hears and speaks to; undefined: all of them */
  server: string | undefined;
  bucket: Bucket;
  /** whether a PING costs nothing: the first one behind a line, by which a page knows that the line was read */
  hasFreePing: boolean;
  /** when its last messages were refused, by the monotonic clock; undefined before the first one: most sockets never have any */
  refusedAt: number[] | undefined;
  /** whether it is closed for its refused messages, or those of its address */
  isOver: boolean;
  /** settles when what it has sent is dealt with; undefined where nothing is waited for */
  pending: Promise<void> | undefined;
}

/** A frame for all clients that hear a game server, or for all, but for one where that is named by its id. */
export interface AddressedFrame {
  frame: Buffer;
  except?: string | undefined;
  server?: string | undefined;
}

/** What of these frames a client hears, by the one game server that it hears, if it is one. */
const framesFor = (
  server: string | undefined,
  frames: readonly AddressedFrame[],
): readonly AddressedFrame[] =>
  server === undefined ? frames : frames.filter(frame => (frame.server ?? server) === server);

/** The open chat sockets. */
export interface Clients {
  count(): number;
  isFull(address: string): boolean;
  add(client: ChatClient): void;
  forget(member: ChatClient): void;
  /** Sends a frame, unless the socket is being closed. */
  send(client: ChatClient, frame: Buffer): void;
  /**
   * Sends each client the frames that are for it, together in one write; one with `except` not to the client of this id.
   */
  sendAll(frames: readonly AddressedFrame[]): void;
  /** Closes every connection with 1001 and resolves when they are gone; after `withinMs` milliseconds they are cut off. */
  closeAll(reason: string, withinMs?: number): Promise<void>;
}

/** `bufferBytes` may wait for one of them to read. */
export function createClients(deps: {
  clock: Clock;
  log: Log;
  metrics: SidecarMetrics;
  limits: ClientLimits;
  bufferBytes: number;
}): Clients {
  const byId = new Map<string, ChatClient>();
  const subscribers = createSubscribers<ChatClient>({
    ...deps,
    slow: "Closed a chat socket that does not read",
    onLeft: ({ id }) => byId.delete(id),
  });

  function send(client: ChatClient, frame: Buffer): void {
    if (client.ws.readyState === WebSocket.OPEN) subscribers.send(client, frame);
  }

  return {
    count: subscribers.count,
    isFull: subscribers.isFull,
    add(client) {
      subscribers.add(client);
      byId.set(client.id, client);
    },
    forget: subscribers.forget,
    send,
    sendAll(frames) {
      const joined = (some: readonly AddressedFrame[]): Buffer =>
        Buffer.concat(some.map(({ frame }) => frame));
      const together = joined(frames);
      const bytesOf = new Map<string, Buffer>();
      const bytesFor = (server: string): Buffer => {
        const bytes = bytesOf.get(server) ?? joined(framesFor(server, frames));
        bytesOf.set(server, bytes);
        return bytes;
      };
      // Found once: to look up the id of each client would cost a third of the loop besides the write.
      const exceptions = [...new Set(frames.map(({ except = "" }) => byId.get(except)))];
      subscribers.each(client => {
        const { id, server } = client;
        const isSpeaker = exceptions.includes(client);
        if (!isSpeaker && server === undefined) return send(client, together);
        const others = (): Buffer => joined(framesFor(server, frames).filter(({ except }) => except !== id));
        const bytes = isSpeaker || server === undefined ? others() : bytesFor(server);
        if (bytes.length > 0) send(client, bytes);
      });
    },
    closeAll: (reason, withinMs = CLOSE_TIMEOUT_MS) =>
      subscribers.close(withinMs, ({ ws }) => ws.close(GOING_AWAY, reason)),
  };
}
