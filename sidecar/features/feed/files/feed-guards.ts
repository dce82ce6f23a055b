import { object, oneOf, optional } from "../../../../shared/guard.ts";
import { type FeedEvent, feedEvent } from "../../../../shared/public/events.ts";

/**
 * A stored event as everybody may read it: earlier versions have kept with a line what its browser is called by in the game,
 * which strangers are not to know.
 */
export function readable(event: FeedEvent & { browser?: unknown }): FeedEvent {
  const { browser: _browser, ...told } = event;
  return told;
}

export const storedEntry = object({ event: feedEvent, withheld: optional(oneOf("yes")) });
