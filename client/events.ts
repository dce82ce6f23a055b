import { type Attempt, type ConnectionOptions, type ConnectionState, keepConnected } from "./connection.ts";
import { type Asked, type Ending, type Signal, type Streamed, trimmed, whole } from "./platform.ts";
import { type EventType, KEPT_EVENTS, type KeptEvent, type StreamEvent } from "./types.ts";

export interface EventsOptions<T extends EventType> extends ConnectionOptions {
  /** `http://` or `https://` address of `/events`, instead of `base` */
  url?: string;
  /** name of a game server: what happens there and is written to all, and its `status` and `players`; else those of the first */
  server?: string;
  /** what to hear of; all that is kept when it is left out, which is all but `status` and `players` */
  types?: readonly T[];
  /** id of an event: what came after it comes first; `0`: all that is kept; only what happens from now on when it is left out */
  since?: string;
  /** Each event once and in order, also over lost connections. */
  onEvent(event: StreamEvent & { event: T }): void;
  /**
   * What follows is not all that happened. After it comes all that is kept, some of which may have come before.
   * `heardAt`: when there was a sign of life last, in milliseconds since 1970; undefined at the first connection.
   */
  onGap?(heardAt: number | undefined): void;
  onState?(state: ConnectionState): void;
  /** whether a page that nobody sees lets go of the connection; it is given what it missed as soon as it is seen */
  restsHidden?: boolean;
  /** called instead of `fetch` */
  fetch?: (url: string, init: Asked) => Promise<Streamed>;
}

export interface Events {
  readonly state: ConnectionState;
  /** Where it has got to; as `since` it goes on from there. Undefined before the first connection. */
  readonly place: string | undefined;
  /** Does not wait for the next attempt. */
  retryNow(): void;
  /** Ends the stream for good. */
  close(): void;
}

declare const AbortController: new () => Ending;
declare const TextDecoder: new () => {
  decode(bytes: Uint8Array | undefined, options: { stream: boolean }): string;
};
declare function fetch(url: string, init: Asked): Promise<Streamed>;

/** How the service says how often there is a heartbeat, in milliseconds. */
const BEATS = /^: heartbeat every ([1-9]\d{2,7}) ms$/m;

/**
 * Follows `GET /events`, and goes on where it was whenever the connection is lost. It reads the answer of `fetch`, in
 * browsers too: their `EventSource` gives up for good when it is refused, and hides the heartbeats by which a dead
 * connection is told.
 * @throws only when no service can be at the address
 */
export function createEvents<T extends EventType = KeptEvent>(options: EventsOptions<T>): Events {
  const { base = "", onEvent, onGap, server, types = KEPT_EVENTS } = options;
  const ask = options.fetch ?? ((url: string, init: Asked) => fetch(url, init));
  const url = whole(options.url ?? `${trimmed(base)}/events`);
  url.searchParams.set("types", types.join());
  url.searchParams.set("heartbeat", "often");
  if (server !== undefined) url.searchParams.set("server", server);
  let place = options.since;

  async function follow(attempt: Attempt, signal: Signal): Promise<void> {
    if (place) url.searchParams.set("since", place);
    const answer = await ask(url.href, { signal }).catch(() => undefined);
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
        // The service writes at once. A proxy that holds back what it writes gives the headers only.
        if (!isOpen) attempt.opened();
        isOpen = true;
        const [, everyMs] = BEATS.exec(block) ?? [];
        if (everyMs) attempt.beats(Number(everyMs));
        attempt.heard(block.startsWith(":"));
        take(block, attempt);
      }
    }
  }

  function take(block: string, { heardBefore }: Attempt): void {
    const fields: Record<string, string> = {};
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^(\w+): (.*)$/s.exec(line) ?? [];
      fields[name] = value;
    }
    const { id, event, data } = fields;
    place = id ?? place;
    if (event === "gap") onGap?.(heardBefore);
    else if (event && data) onEvent(eventOf(event, id, JSON.parse(data)) as StreamEvent & { event: T });
  }

  const connection = keepConnected(options, attempt => {
    const ending = new AbortController();
    void follow(attempt, ending.signal).finally(attempt.lost);
    return () => ending.abort();
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
