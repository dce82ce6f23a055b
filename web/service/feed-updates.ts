import type { FeedEvent, StreamEvent } from "../../client/index.ts";

/** An event that the service stores. */
export type StoredEvent = FeedEvent & { id: string };

/** `open`: missed events have come, and new ones are pushed; `lost`: it is retried now and then. */
export type FeedState = "connecting" | "open" | "lost";

/** `history`: what had happened before the page was opened; a state, from here on; `gap`: events since `lastReceivedAt` are missing. */
export type FeedUpdate =
  | StreamEvent
  | { event: "history"; entries: readonly StoredEvent[] }
  | { event: FeedState }
  | { event: "gap"; lastReceivedAt: number };
