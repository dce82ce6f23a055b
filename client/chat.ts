import { type Attempt, type ConnectionOptions, type ConnectionState, keepConnected } from "./connection.ts";
import { createLines, messageOf, type SendResult } from "./lines.ts";
import { type Aborter, absoluteUrl, objectIn, type Signal, trimmed } from "./platform.ts";
import type { Exception, Result } from "./types.ts";

/** The used part of a WebSocket, of browsers or of `ws`. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  /** 1 while it can send; left out where it always can */
  readonly readyState?: number;
  send(data: string): void;
  close(): void;
}

/** A `ConnectionState`, which is never `resting`. */
export type ChatState = Exclude<ConnectionState, { is: "resting" }>;

export interface ChatOptions extends ConnectionOptions {
  /** `ws://` or `wss://` address of `/chat`, instead of `base` */
  url?: string;
  /** name of the only game server to receive from and send to; all of them when it is left out */
  server?: string;
  /**
   * Awaited before each attempt to connect, such as `client.initialize`: a socket keeps the session that it was opened with, and
   * without one it is anonymous. If it fails, so does the attempt.
   */
  session?: (options: { signal: Signal }) => Promise<Result<unknown>>;
  /** Called with each message, see `segments`. */
  onLine(content: string): void;
  /**
   * Called when the service rejects a message of `say`. Rejections of `send` are in its result, except `server unavailable` for a message
   * that was read and that the game has not confirmed within 10 s.
   */
  onException?(why: Exception): void;
  onState?(state: ChatState): void;
  /** called instead of `new WebSocket` */
  connect?: (url: string) => SocketLike;
}

export interface Chat {
  readonly state: ChatState;
  /** Sends a message to the game and all other browsers, after earlier messages were read. No echo. Never rejects. */
  send(text: string): Promise<SendResult>;
  /** Sends a message immediately, without a result. False if the chat is not open. Use either this or `send`, not both. */
  say(text: string): boolean;
  /** Reconnects as the current session, such as after `link`. Unanswered messages become `unconfirmed`. */
  reconnect(): void;
  /** Skips the wait for the next attempt. */
  retryNow(): void;
  /** Closes the chat permanently. */
  close(): void;
}

/** The `readyState` of an open socket. */
const OPEN = 1;

const CHAT = /^(http|ws)s?:/;

declare const AbortController: new () => Aborter;

function builtIn(): (url: string) => SocketLike {
  const { WebSocket } = globalThis as { WebSocket?: new (url: string) => SocketLike };
  if (!WebSocket) throw new Error("no WebSocket here: pass `connect`");
  return url => new WebSocket(url);
}

/**
 * Connects to the chat, and reconnects with growing random delays whenever the connection is lost.
 * @throws only if no `connect` is passed and there is no WebSocket, or the address is invalid
 */
export function createChat(options: ChatOptions): Chat {
  const { base = "", onLine, onException, onState, server, session } = options;
  const connect = options.connect ?? builtIn();
  const address = absoluteUrl(options.url ?? `${trimmed(base)}/chat`, CHAT);
  if (server !== undefined) address.searchParams.set("server", server);
  const url = address.href.replace(/^http/, "ws");
  let socket: SocketLike | undefined;
  /** False while the socket is closing, which browsers report a moment later. */
  function write(message: string): boolean {
    if (!socket || (socket.readyState ?? OPEN) !== OPEN) return false;
    socket.send(message);
    return true;
  }
  const lines = createLines(write);

  function begin(attempt: Attempt): SocketLike {
    const created = connect(url);
    socket = created;
    created.onmessage = ({ data }: { data: unknown }) => {
      if (socket !== created) return;
      const { type, content } = objectIn(String(data)) ?? {};
      if (typeof content !== "string") return;
      // A connection counts as good from its first PING on: a greeting alone does not reset the delays.
      attempt.received(type === "PING");
      if (type === "VERIFICATION") attempt.opened();
      else if (type === "PING") write(messageOf("PONG"));
      else if (type === "PONG") lines.confirmed();
      else if (type === "CHAT") onLine(content);
      else if (type === "EXCEPTION") {
        const why = content as Exception;
        if (!lines.refused(why)) onException?.(why);
      }
    };
    created.onerror = () => undefined;
    created.onclose = () => attempt.lost();
    return created;
  }

  const connection = keepConnected(
    { ...options, onState: state => onState?.(state as ChatState) },
    attempt => {
      const aborter = new AbortController();
      const { signal } = aborter;
      let opened: SocketLike | undefined;
      if (!session) opened = begin(attempt);
      else
        void session({ signal })
          .catch(() => undefined)
          .then(answer => {
            if (signal.aborted) return;
            if (!answer?.ok) return attempt.lost((answer?.retryAfter ?? 0) * 1_000);
            try {
              opened = begin(attempt);
            } catch {
              attempt.lost();
            }
          });
      return () => {
        socket = undefined;
        aborter.abort();
        opened?.close();
        lines.lost();
      };
    },
    () => lines.ping(),
  );
  const isOpen = (): boolean => connection.state().is === "open";

  return {
    get state() {
      return connection.state() as ChatState;
    },
    send(text) {
      if (!isOpen()) return Promise.resolve({ is: "unsent" });
      const sent = lines.send(text);
      connection.expectAnswer();
      return sent;
    },
    say(text) {
      return isOpen() && write(messageOf("CHAT", text));
    },
    reconnect: connection.reconnect,
    retryNow: connection.retryNow,
    close: connection.close,
  };
}
