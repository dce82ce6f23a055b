import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { createEvents, type Events, KEPT_EVENTS, type StreamEvent } from "../../client/index.ts";
import { MAX_LINES } from "../chat/chat-log.ts";
import type { Kept } from "../chat/event-lines.ts";
import { BASE, client, overdueMs } from "./service.ts";

/** What was missed comes before the figures of now. Of a game that is away there are none: longer than that nobody waits. */
const CATCH_UP_MS = 1_000;
/** How often an attempt is given up soon: a browser may have kept as many connections, and all of them may be dead. */
const MOST_RENEWALS = 6;

/**
 * `connecting`: it is asked for; `open`: what was missed is here, and what happens comes by itself; `lost`: it could not be
 * had, and is asked for now and then.
 */
type FeedState = "connecting" | "open" | "lost";

/**
 * What the page hears of the feed. `kept`: what had happened before the page was opened; a state, from here on; `gap`: what
 * follows is not all that happened since `heardAt`.
 */
export type FeedNews =
  | StreamEvent
  | { event: "kept"; entries: readonly Kept[] }
  | { event: FeedState }
  | { event: "gap"; heardAt: number };

export interface Feed {
  is: FeedState;
  /** Calls back with all that is heard; returns what ends that. */
  hear(listener: (news: FeedNews) => void): () => void;
  /**
   * Begins it anew, as another connection is there again that was lost at `lostAt`, in milliseconds since 1970: this one may be
   * lost as well, and nobody has noticed. Not where it is there since then, or about to be.
   */
  renew(lostAt: number): void;
}

/**
 * Follows the feed: what had happened as soon as the page is open, and then what happens. A page that nobody sees does not. `only`:
 * nothing but the state and the figures of a game server beside the first one, if there is one that is wanted.
 */
export function useFeed(heartbeatMs: number, only?: { figuresOf: string | undefined }): Feed {
  const isWhole = only === undefined;
  const server = only?.figuresOf;
  const [is, setIs] = useState<FeedState>("connecting");
  const listeners = useRef(new Set<(news: FeedNews) => void>());
  const begin = useRef<Feed["renew"]>(() => undefined);
  const hear = useCallback((listener: (news: FeedNews) => void) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);
  const renew = useCallback((lostAt: number) => begin.current(lostAt), []);

  useEffect(() => {
    if (!isWhole && server === undefined) return;
    let events: Events | undefined;
    let hasEnded = false;
    let state: FeedState = "connecting";
    /** when the connection has become what it is */
    let changedAt = Date.now();
    let heardAt = changedAt;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let renewal: ReturnType<typeof setTimeout> | undefined;
    const tell = (news: FeedNews): void => {
      heardAt = Date.now();
      for (const listener of listeners.current) listener(news);
    };
    const enter = (next: FeedState): void => {
      if (next === state) return;
      state = next;
      // What was missed is drawn with the state, not after it.
      tell({ event: next });
      setIs(next);
    };
    const catchUp = (): void => {
      if (events?.state.is === "open") enter("open");
    };
    const follow = (since?: string): void => {
      events = createEvents({
        base: BASE,
        types: [...(isWhole ? KEPT_EVENTS : (["server"] as const)), "status", "players"],
        ...(server !== undefined && { server }),
        ...(since !== undefined && { since }),
        heartbeatMs,
        restsHidden: true,
        onEvent(event) {
          tell(event);
          if (event.event === "status" || event.event === "players") catchUp();
        },
        onGap: (at = heardAt) => tell({ event: "gap", heardAt: at }),
        onState(now) {
          changedAt = Date.now();
          clearTimeout(timer);
          if (now.is === "open") timer = setTimeout(catchUp, CATCH_UP_MS);
          // The first attempt after a stream has ended is soon, and mostly succeeds.
          else if (now.is === "waiting") enter(state === "open" ? "connecting" : "lost");
          else if (now.is === "resting") enter("connecting");
        },
      });
    };
    const renewed = (lostAt: number, left: number): void => {
      clearTimeout(renewal);
      if (events === undefined || left === 0) return;
      const { is } = events.state;
      if (is === "resting" || (is === "open" && changedAt > lostAt)) return;
      // One that was refused is left alone.
      if (is === "waiting" && left < MOST_RENEWALS) return;
      if (is !== "connecting" || Date.now() - changedAt >= overdueMs()) {
        enter("connecting");
        events.close();
        follow(events.place ?? (isWhole ? "0" : undefined));
      }
      renewal = setTimeout(() => renewed(lostAt, left - 1), overdueMs());
    };
    begin.current = lostAt => renewed(lostAt, MOST_RENEWALS);
    if (!isWhole) follow();
    else
      void client.events({ limit: MAX_LINES }).then(answer => {
        if (hasEnded) return;
        const entries = answer.ok ? answer.value.filter(one => one.event !== "gap") : [];
        if (answer.ok) tell({ event: "kept", entries });
        follow(entries.at(-1)?.id ?? "0");
      });
    return () => {
      hasEnded = true;
      for (const one of [timer, renewal]) clearTimeout(one);
      events?.close();
      setIs("connecting");
    };
  }, [heartbeatMs, isWhole, server]);
  return useMemo(() => ({ is, hear, renew }), [is, hear, renew]);
}
