import type { ChatMessage, Exception } from "./types.ts";

/** As much of a WebSocket as is used: that of browsers and of `ws` will do. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string): void;
  close(): void;
}

/**
 * `connecting`: the first or a new attempt is under way; `open`: lines go both ways; `waiting`: the next attempt comes at
 * `retryAt`, in milliseconds since 1970; `closed`: by `close`, for good.
 */
export type ChatState =
  | { is: "connecting" }
  | { is: "open" }
  | { is: "waiting"; retryAt: number }
  | { is: "closed" };

/** Time, so that tests can own it. */
export interface Timers {
  now(): number;
  /** calls back once after `ms` milliseconds; returns what cancels it */
  after(ms: number, callback: () => void): () => void;
}

export interface ChatOptions {
  /** `ws://` or `wss://` address of `/chat`; that of the page's own origin when it is left out */
  url?: string;
  /** a line of chat, see `segments` */
  onLine(content: string): void;
  /** why the service did not take, or not pass on, what was said */
  onException?(why: Exception): void;
  onState?(state: ChatState): void;
  /** how often the service sends a PING, in milliseconds; 2.5 of them without one, and the connection is made anew */
  heartbeatMs?: number;
  /** longest wait before the first new attempt and before any, in milliseconds; it doubles in between */
  firstDelayMs?: number;
  longestDelayMs?: number;
  /** makes a socket instead of `WebSocket` */
  connect?: (url: string) => SocketLike;
  timers?: Timers;
  /** from 0 up to 1, instead of `Math.random` */
  random?: () => number;
}

export interface Chat {
  readonly state: ChatState;
  /** Says a line to the game and all other browsers; there is no echo. False when the chat is not open. */
  say(text: string): boolean;
  /** Does not wait for the next attempt. */
  retryNow(): void;
  /** Ends the chat for good. */
  close(): void;
}

const MISSED_HEARTBEATS = 2.5;

const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** What a page has; in Node it may be missing. */
const page = globalThis as { location?: { href: string }; WebSocket?: new (url: string) => SocketLike };

const ownUrl = (): string => new URL("/chat", page.location?.href).href.replace(/^http/, "ws");

function builtIn(): (url: string) => SocketLike {
  const { WebSocket } = page;
  if (!WebSocket) throw new Error("there is no WebSocket here: pass `connect`");
  return url => new WebSocket(url);
}

/**
 * Connects to the chat, and connects again with growing random delays whenever the connection is lost.
 * @throws only when there is no WebSocket and none is passed
 */
export function createChat(options: ChatOptions): Chat {
  const { onLine, onException, onState, timers = systemTimers, random = Math.random } = options;
  const { heartbeatMs = 20_000, firstDelayMs = 1_000, longestDelayMs = 30_000 } = options;
  const connect = options.connect ?? builtIn();
  const url = options.url ?? ownUrl();
  let state: ChatState = { is: "closed" };
  let socket: SocketLike | undefined;
  let attempts = 0;
  /** cancels the wait for the next attempt, or for the next PING */
  let cancel = (): void => undefined;

  function enter(next: ChatState): void {
    state = next;
    onState?.(next);
  }

  function wait(ms: number, callback: () => void): void {
    cancel();
    cancel = timers.after(ms, callback);
  }

  const watch = (): void => wait(heartbeatMs * MISSED_HEARTBEATS, lost);

  function attempt(): void {
    drop();
    enter({ is: "connecting" });
    // A connection that never opens is given up like one that falls silent.
    watch();
    let made: SocketLike;
    try {
      made = connect(url);
    } catch {
      lost();
      return;
    }
    socket = made;
    made.onmessage = ({ data }: { data: unknown }) => {
      if (socket === made) receive(made, String(data));
    };
    made.onerror = () => undefined;
    made.onclose = () => {
      if (socket === made) lost();
    };
  }

  function receive(from: SocketLike, data: string): void {
    const message = readMessage(data);
    if (message?.type === "VERIFICATION") {
      watch();
      enter({ is: "open" });
    } else if (message?.type === "PING") {
      // A connection that has lasted until here is a good one; one that only greets is not tried at once for ever.
      attempts = 0;
      watch();
      from.send(JSON.stringify({ type: "PONG", content: "" }));
    } else if (message?.type === "CHAT") onLine(message.content);
    else if (message?.type === "EXCEPTION") onException?.(message.content as Exception);
  }

  function lost(): void {
    drop();
    const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** attempts++);
    const delay = Math.round(random() * ceiling);
    enter({ is: "waiting", retryAt: timers.now() + delay });
    wait(delay, attempt);
  }

  function drop(): void {
    cancel();
    const old = socket;
    socket = undefined;
    old?.close();
  }

  attempt();
  return {
    get state() {
      return state;
    },
    say(text) {
      if (state.is !== "open") return false;
      socket?.send(JSON.stringify({ type: "CHAT", content: text }));
      return true;
    },
    retryNow() {
      if (state.is === "waiting") attempt();
    },
    close() {
      drop();
      enter({ is: "closed" });
    },
  };
}

function readMessage(data: string): ChatMessage | undefined {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value !== "object" || value === null) return undefined;
    const { type, content } = value as Partial<ChatMessage>;
    return type !== undefined && typeof content === "string" ? { type, content } : undefined;
  } catch {
    return undefined;
  }
}
