import { bool, type Guard, int, list, object, oneOf, optional, text } from "../../shared/guard.ts";
import { ID_LENGTH, PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import { type FeedEvent, feedEvent, feedPlayer } from "../../shared/public/events.ts";
import type { HookState } from "../domain/feed.ts";
import type { Presence } from "../domain/presence.ts";

/**
 * A stored event as everybody may read it: earlier versions have kept with a line what its browser is called by in the game,
 * which strangers are not to know.
 */
export function readable(event: FeedEvent & { browser?: unknown }): FeedEvent {
  const { browser: _browser, ...told } = event;
  return told;
}

export const storedEntry = object({ event: feedEvent, withheld: optional(oneOf("yes")) });

export const storedPresence: Guard<Presence> = object({
  run: text(ID_LENGTH),
  isOnline: bool,
  players: list(object({ id: text(PLAYER_ID_LENGTH, 1), ...feedPlayer.properties }), 10_000),
});

export const storedHook: Guard<HookState> = object({
  place: text(ID_LENGTH),
  failingSince: optional(int(0, Number.MAX_SAFE_INTEGER)),
});
