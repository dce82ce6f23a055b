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
 * A message as the bytes of one unfragmented, unmasked WebSocket text frame (RFC 6455, section 5.2). It is encoded once and written to
 * any number of sockets.
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

/** A message that a client may send. */
type FromClient = { type: "CHAT"; line: WebLine } | { type: "PING" | "PONG" };

/** Creates a parser for messages of clients; it returns undefined for invalid messages, and for chat that would show nothing. */
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
/** How long a client may take to answer the server's closing frame, in milliseconds. */
export const CLOSE_TIMEOUT_MS = 2_000;

/** A connection to `/chat`; `out` is the socket below the WebSocket. */
export interface ChatClient extends Subscriber {
  id: string;
  ws: WebSocket;
  /** browser session of the cookie */
  session: string | undefined;
  /** the game server that it reads and writes; undefined: all of them */
  server: string | undefined;
  bucket: Bucket;
  /** whether a PING is free: the first one after a message, by which a page learns that the message was read */
  hasFreePing: boolean;
  /** monotonic times of its last rejected messages; undefined before the first one: most sockets never have any */
  refusedAt: number[] | undefined;
  /** whether it is being closed for rejected messages of it, or of its address */
  isOver: boolean;
  /** settles when its messages so far are handled; undefined if none are pending */
  pending: Promise<void> | undefined;
}

/** A frame for all clients that read a game server, or for all clients, except the one with the given id. */
export interface AddressedFrame {
  frame: Buffer;
  except?: string | undefined;
  server?: string | undefined;
}

/** Those of the frames that are for a client, by the game server that it reads, if it is only one. */
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
   * Sends each client its frames in one write; a frame with `except` is not sent to the client with that id.
   */
  sendAll(frames: readonly AddressedFrame[]): void;
  /** Closes every connection with 1001 and resolves when they have closed; after `withinMs` milliseconds they are destroyed. */
  closeAll(reason: string, withinMs?: number): Promise<void>;
}

/** `bufferBytes`: limit of unsent bytes of one client. */
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
      // Looked up once: a lookup for each client would take a third of the loop besides the writes.
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
