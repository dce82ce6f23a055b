import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { createEvents, type Events, STORED_EVENTS } from "../../client/index.ts";
import { MAX_LINES } from "../chat/chat-log.ts";
import type { FeedState, FeedUpdate } from "./feed-updates.ts";
import { BASE, client, overdueMs } from "./service.ts";

/** Missed events come before the current figures. An offline game server has none, so the wait ends after this time. */
const CATCH_UP_MS = 1_000;
/** How many attempts are given up early: a browser may have pooled as many connections, and all of them may be dead. */
const MAX_RENEWALS = 6;

export interface Feed {
  is: FeedState;
  /** Calls the listener with each update; returns what unsubscribes it. */
  subscribe(listener: (update: FeedUpdate) => void): () => void;
  /**
   * Connects again because another connection is back that was lost at `lostAt`, in milliseconds since 1970: this one may be dead
   * too, unnoticed. Does nothing where it has connected since then or is about to.
   */
  renew(lostAt: number): void;
}

/**
 * Follows the feed, first what had happened and then what happens, while the page is visible. `only`: nothing but the state and
 * the figures of a game server other than the first, if one is named.
 */
export function useFeed(heartbeatMs: number, only?: { figuresOf: string | undefined }): Feed {
  const isWhole = only === undefined;
  const server = only?.figuresOf;
  const [is, setIs] = useState<FeedState>("connecting");
  const listeners = useRef(new Set<(update: FeedUpdate) => void>());
  const renewal = useRef<Feed["renew"]>(() => undefined);
  const subscribe = useCallback((listener: (update: FeedUpdate) => void) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);
  const renew = useCallback((lostAt: number) => renewal.current(lostAt), []);

  useEffect(() => {
    if (!isWhole && server === undefined) return;
    let events: Events | undefined;
    let hasEnded = false;
    let state: FeedState = "connecting";
    let changedAt = Date.now();
    let lastReceivedAt = changedAt;
    let catchUpTimer: ReturnType<typeof setTimeout> | undefined;
    let renewalTimer: ReturnType<typeof setTimeout> | undefined;
    const publish = (update: FeedUpdate): void => {
      lastReceivedAt = Date.now();
      for (const listener of listeners.current) listener(update);
    };
    const enter = (next: FeedState): void => {
      if (next === state) return;
      state = next;
      // Missed events are drawn together with the state.
      publish({ event: next });
      setIs(next);
    };
    const catchUp = (): void => {
      if (events?.state.is === "open") enter("open");
    };
    const follow = (since?: string): void => {
      events = createEvents({
        base: BASE,
        types: [...(isWhole ? STORED_EVENTS : (["server"] as const)), "status", "players"],
        ...(server !== undefined && { server }),
        ...(since !== undefined && { since }),
        heartbeatMs,
        restsHidden: true,
        onEvent(event) {
          publish(event);
          if (event.event === "status" || event.event === "players") catchUp();
        },
        onGap: (at = lastReceivedAt) => publish({ event: "gap", lastReceivedAt: at }),
        onState(now) {
          changedAt = Date.now();
          clearTimeout(catchUpTimer);
          if (now.is === "open") catchUpTimer = setTimeout(catchUp, CATCH_UP_MS);
          // The first attempt after a stream has ended is soon, and mostly succeeds.
          else if (now.is === "waiting") enter(state === "open" ? "connecting" : "lost");
          else if (now.is === "resting") enter("connecting");
        },
      });
    };
    const tryRenew = (lostAt: number, left: number): void => {
      clearTimeout(renewalTimer);
      if (events === undefined || left === 0) return;
      const { is } = events.state;
      if (is === "resting" || (is === "open" && changedAt > lostAt)) return;
      // A rejected attempt waits as long as the service says.
      if (is === "waiting" && left < MAX_RENEWALS) return;
      if (is !== "connecting" || Date.now() - changedAt >= overdueMs()) {
        enter("connecting");
        events.close();
        follow(events.place ?? (isWhole ? "0" : undefined));
      }
      renewalTimer = setTimeout(() => tryRenew(lostAt, left - 1), overdueMs());
    };
    renewal.current = lostAt => tryRenew(lostAt, MAX_RENEWALS);
    if (!isWhole) follow();
    else
      void client.events({ limit: MAX_LINES }).then(answer => {
        if (hasEnded) return;
        const entries = answer.ok ? answer.value.filter(one => one.event !== "gap") : [];
        if (answer.ok) publish({ event: "history", entries });
        follow(entries.at(-1)?.id ?? "0");
      });
    return () => {
      hasEnded = true;
      for (const timer of [catchUpTimer, renewalTimer]) clearTimeout(timer);
      events?.close();
      setIs("connecting");
    };
  }, [heartbeatMs, isWhole, server]);
  return useMemo(() => ({ is, subscribe, renew }), [is, subscribe, renew]);
}
