import { type Attempt, type ConnectionOptions, type ConnectionState, keepConnected } from "./connection.ts";
import {
  type Aborter,
  absoluteUrl,
  type FetchedStream,
  type FetchOptions,
  type Signal,
  trimmed,
} from "./platform.ts";
import { type EventType, STORED_EVENTS, type StoredEventType, type StreamEvent } from "./types.ts";

export interface EventsOptions<T extends EventType> extends ConnectionOptions {
  /** `http://` or `https://` address of `/events`, instead of `base` */
  url?: string;
  /** name of a game server: its events and messages to all, its `status` and `players`; left out: all events, and those of the first */
  server?: string;
  /** which events; all that are stored when it is left out, which is all but `status` and `players` */
  types?: readonly T[];
  /** id of an event: later ones come first; `0`: all stored ones; only new ones when it is left out */
  since?: string;
  /** Called with each event once and in order, across connections. */
  onEvent(event: StreamEvent & { event: T }): void;
  /**
   * Called when events are missing. All stored ones follow, some of them again. `lastReceivedAt`: when something was received last, in
   * milliseconds since 1970; undefined at the first connection.
   */
  onGap?(lastReceivedAt: number | undefined): void;
  onState?(state: ConnectionState): void;
  /** whether a hidden page disconnects; it gets the missed events when it is visible again */
  restsHidden?: boolean;
  /** called instead of `fetch` */
  fetch?: (url: string, init: FetchOptions) => Promise<FetchedStream>;
}

export interface Events {
  readonly state: ConnectionState;
  /** Id of the last event, to pass as `since` later. Undefined before the first connection. */
  readonly place: string | undefined;
  /** Skips the wait for the next attempt. */
  retryNow(): void;
  /** Closes the stream permanently. */
  close(): void;
}

declare const AbortController: new () => Aborter;
declare const TextDecoder: new () => {
  decode(bytes: Uint8Array | undefined, options: { stream: boolean }): string;
};
declare function fetch(url: string, init: FetchOptions): Promise<FetchedStream>;

/** The comment with the interval of the service's heartbeats, in milliseconds. */
const HEARTBEAT = /^: heartbeat every ([1-9]\d{2,7}) ms$/m;

/**
 * Follows `GET /events`, and continues after the last event whenever the connection is lost. It reads the stream of `fetch`:
 * `EventSource` gives up after an error response, and hides the heartbeats that reveal dead connections.
 * @throws only if the address is invalid
 */
export function createEvents<T extends EventType = StoredEventType>(options: EventsOptions<T>): Events {
  const { base = "", onEvent, onGap, server, types = STORED_EVENTS } = options;
  const send = options.fetch ?? ((url: string, init: FetchOptions) => fetch(url, init));
  const url = absoluteUrl(options.url ?? `${trimmed(base)}/events`);
  url.searchParams.set("types", types.join());
  url.searchParams.set("heartbeat", "often");
  if (server !== undefined) url.searchParams.set("server", server);
  let place = options.since;

  async function follow(attempt: Attempt, signal: Signal): Promise<void> {
    if (place) url.searchParams.set("since", place);
    const answer = await send(url.href, { signal }).catch(() => undefined);
    const type = answer?.headers.get("Content-Type");
    if (!answer?.body || !answer.ok || !type?.startsWith("text/event-stream")) {
      const seconds = Number(answer?.headers.get("Retry-After"));
      return attempt.lost(seconds > 0 ? seconds * 1_000 : 0);
    }
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    let isOpen = false;
    let rest = "";
    for (;;) {
      const piece = await reader.read().catch(() => undefined);
      if (!piece || piece.done) return;
      rest += decoder.decode(piece.value, { stream: true });
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        if (signal.aborted) return;
        // The service writes immediately; headers alone may come from a proxy that buffers.
        if (!isOpen) attempt.opened();
        isOpen = true;
        const [, everyMs] = HEARTBEAT.exec(block) ?? [];
        if (everyMs) attempt.setHeartbeat(Number(everyMs));
        attempt.received(block.startsWith(":"));
        take(block, attempt);
      }
    }
  }

  function take(block: string, { lastReceivedAt }: Attempt): void {
    const fields: Record<string, string> = {};
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^(\w+): (.*)$/s.exec(line) ?? [];
      fields[name] = value;
    }
    const { id, event, data } = fields;
    place = id ?? place;
    if (event === "gap") onGap?.(lastReceivedAt);
    else if (event && data) onEvent(eventOf(event, id, JSON.parse(data)) as StreamEvent & { event: T });
  }

  const connection = keepConnected(options, attempt => {
    const aborter = new AbortController();
    void follow(attempt, aborter.signal).finally(attempt.lost);
    return () => aborter.abort();
  });
  return {
    get state() {
      return connection.state();
    },
    get place() {
      return place;
    },
    retryNow: connection.retryNow,
    close: connection.close,
  };
}

function eventOf(event: string, id: string | undefined, data: object): object {
  if (event === "status") return { event, metrics: data };
  return event === "players" ? { event, players: data } : { id, event, ...data };
}
