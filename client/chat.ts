import { type Attempt, type ConnectionOptions, type ConnectionState, keepConnected } from "./connection.ts";
import { createLines, messageOf, type Sent } from "./lines.ts";
import { type Ending, objectIn, type Signal, trimmed, whole } from "./platform.ts";
import type { Exception, Result } from "./types.ts";

/** As much of a WebSocket as is used: that of browsers and of `ws` will do. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  /** 1 while it can send; one that does not say it always can */
  readonly readyState?: number;
  send(data: string): void;
  close(): void;
}

/** As `ConnectionState`; it never rests. */
export type ChatState = Exclude<ConnectionState, { is: "resting" }>;

export interface ChatOptions extends ConnectionOptions {
  /** `ws://` or `wss://` address of `/chat`, instead of `base` */
  url?: string;
  /** name of a game server: only that one is heard and spoken to; all of them when it is left out */
  server?: string;
  /**
   * What is waited for each time before it connects, such as `client.initialize`: a socket has the session of the moment at which
   * it is opened, and whoever has none then is a guest. Where it fails, that is an attempt which came to nothing.
   */
  session?: (options: { signal: Signal }) => Promise<Result<unknown>>;
  /** a line of chat, see `segments` */
  onLine(content: string): void;
  /**
   * Why the service did not take, or not pass on, what was said by `say`; refusals of `send` stand in its answer, but for a
   * `server unavailable` where the game has not confirmed a line within 10 s that was read.
   */
  onException?(why: Exception): void;
  onState?(state: ChatState): void;
  /** makes a socket instead of `WebSocket` */
  connect?: (url: string) => SocketLike;
}

export interface Chat {
  readonly state: ChatState;
  /**
   * Says a line to the game and all other browsers, and tells what became of it; there is no echo. Lines go one after the
   * other, each when the one before it has been read. Never rejects.
   */
  send(text: string): Promise<Sent>;
  /**
   * The same without an answer, and at once. False when the chat is not open. A page uses this or `send`: nothing tells
   * refusals of both apart.
   */
  say(text: string): boolean;
  /** Connects anew, as the session that there is now, such as after `link`. Lines on their way are `unconfirmed` then. */
  reconnect(): void;
  /** Does not wait for the next attempt. */
  retryNow(): void;
  /** Ends the chat for good. */
  close(): void;
}

/** The `readyState` in which it can send. */
const OPEN = 1;

const CHAT = /^(http|ws)s?:/;

declare const AbortController: new () => Ending;

/** What a page has; in Node it may be missing. */
const page = globalThis as { WebSocket?: new (url: string) => SocketLike };

function builtIn(): (url: string) => SocketLike {
  const { WebSocket } = page;
  if (!WebSocket) throw new Error("no WebSocket here: pass `connect`");
  return url => new WebSocket(url);
}

/**
 * Connects to the chat, and connects again with growing random delays whenever the connection is lost.
 * @throws only when there is no WebSocket and none is passed, or no service can be at the address
 */
export function createChat(options: ChatOptions): Chat {
  const { base = "", onLine, onException, onState, server, session } = options;
  const connect = options.connect ?? builtIn();
  const address = whole(options.url ?? `${trimmed(base)}/chat`, CHAT);
  if (server !== undefined) address.searchParams.set("server", server);
  const url = address.href.replace(/^http/, "ws");
  let socket: SocketLike | undefined;
  /** Sends a message; false where the connection is about to end, of which browsers tell a moment later. */
  function write(message: string): boolean {
    if (!socket || (socket.readyState ?? OPEN) !== OPEN) return false;
    socket.send(message);
    return true;
  }
  const lines = createLines(write);

  function begin(attempt: Attempt): SocketLike {
    const made = connect(url);
    socket = made;
    made.onmessage = ({ data }: { data: unknown }) => {
      if (socket !== made) return;
      const { type, content } = objectIn(String(data)) ?? {};
      if (typeof content !== "string") return;
      // A connection that has lasted until a PING is a good one; one that only greets is not tried at once for ever.
      attempt.heard(type === "PING");
      if (type === "VERIFICATION") attempt.opened();
      else if (type === "PING") write(messageOf("PONG"));
      else if (type === "PONG") lines.answered();
      else if (type === "CHAT") onLine(content);
      else if (type === "EXCEPTION") {
        const why = content as Exception;
        if (!lines.refused(why)) onException?.(why);
      }
    };
    made.onerror = () => undefined;
    made.onclose = () => attempt.lost();
    return made;
  }

  const connection = keepConnected(
    { ...options, onState: state => onState?.(state as ChatState) },
    attempt => {
      const ending = new AbortController();
      const { signal } = ending;
      let made: SocketLike | undefined;
      if (!session) made = begin(attempt);
      else
        void session({ signal })
          .catch(() => undefined)
          .then(answer => {
            if (signal.aborted) return;
            if (!answer?.ok) return attempt.lost((answer?.retryAfter ?? 0) * 1_000);
            try {
              made = begin(attempt);
            } catch {
              attempt.lost();
            }
          });
      return () => {
        socket = undefined;
        ending.abort();
        made?.close();
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
