import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { createEvents, type Events, KEPT_EVENTS, type StreamEvent } from "../client/index.ts";
import { MAX_LINES } from "./chat-log.ts";
import type { Kept } from "./lines.ts";
import { BASE, client } from "./service.ts";

/**
 * What the page hears of the feed. `kept`: what had happened before the page was opened; `open`, `lost`: from here on
 * events come by themselves, or do not; `gap`: what follows is not all that happened since `heardAt`.
 */
export type FeedNews =
  | StreamEvent
  | { event: "kept"; entries: readonly Kept[] }
  | { event: "open" | "lost" }
  | { event: "gap"; heardAt: number };

export interface Feed {
  isOpen: boolean;
  /** Calls back with all that is heard; returns what ends that. */
  hear(listener: (news: FeedNews) => void): () => void;
}

/** Follows the feed: what had happened as soon as the page is open, and then what happens. A page that nobody sees does not. */
export function useFeed(heartbeatMs: number): Feed {
  const [isOpen, setIsOpen] = useState(false);
  const listeners = useRef(new Set<(news: FeedNews) => void>());
  const hear = useCallback((listener: (news: FeedNews) => void) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);

  useEffect(() => {
    let events: Events | undefined;
    let hasEnded = false;
    let wasOpen = false;
    const tell = (news: FeedNews): void => {
      for (const listener of listeners.current) listener(news);
    };
    const openedAt = Date.now();
    void client.events({ limit: MAX_LINES }).then(answer => {
      if (hasEnded) return;
      const entries = answer.ok ? answer.value.filter(one => one.event !== "gap") : [];
      tell({ event: "kept", entries });
      events = createEvents({
        base: BASE,
        types: [...KEPT_EVENTS, "status", "players"],
        since: entries.at(-1)?.id ?? "0",
        heartbeatMs,
        restsHidden: true,
        onEvent: tell,
        onGap: (heardAt = openedAt) => tell({ event: "gap", heardAt }),
        onState({ is }) {
          if ((is === "open") === wasOpen) return;
          wasOpen = !wasOpen;
          setIsOpen(wasOpen);
          tell({ event: wasOpen ? "open" : "lost" });
        },
      });
    });
    return () => {
      hasEnded = true;
      events?.close();
    };
  }, [heartbeatMs]);
  return useMemo(() => ({ isOpen, hear }), [isOpen, hear]);
}
