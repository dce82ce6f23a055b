import type { FeedEvent } from "../../client/types.ts";
import { bool, type Guard, int, list, object, oneOf, optional, tagged, text } from "../../shared/guard.ts";
import { ID_LENGTH, NAME_LENGTH, PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import { BROWSER_LENGTH } from "../../shared/web-chat.ts";
import type { HookState } from "../domain/feed.ts";
import type { Presence } from "../domain/presence.ts";

const time = int(0, Number.MAX_SAFE_INTEGER);
/** A line of game chat with its colours is longer than the game sent it. */
const content = text(65_536);
const player = object({ name: text(NAME_LENGTH, 1), uuid: text(ID_LENGTH, 1) });

const labelText = text(BROWSER_LENGTH);
const label: Guard<string | null> = (value, path) => (value === null ? undefined : labelText(value, path));

export const feedEvent: Guard<FeedEvent> = tagged("event", {
  chat: object({
    at: time,
    from: oneOf("game", "web"),
    content,
    player: optional(player),
    label: optional(label),
  }),
  join: object({ at: time, player }),
  leave: object({ at: time, player }),
  death: object({ at: time, player, killer: optional(player) }),
  server: object({ at: time, state: oneOf("online", "away") }),
});
/**
 * A stored event as everybody may read it: earlier versions have kept with a line what its browser is called by in the game,
 * which strangers are not to know.
 */
export function readable(event: FeedEvent): FeedEvent {
  if (event.event !== "chat") return event;
  const { at, from, content, player, label } = event;
  return {
    event: "chat",
    at,
    from,
    content,
    ...(player && { player }),
    ...(label !== undefined && { label }),
  };
}

export const storedEntry = object({ event: feedEvent, withheld: optional(oneOf("yes")) });

export const storedPresence: Guard<Presence> = object({
  run: text(ID_LENGTH),
  isOnline: bool,
  players: list(
    object({ id: text(PLAYER_ID_LENGTH, 1), name: text(NAME_LENGTH, 1), uuid: text(ID_LENGTH, 1) }),
    10_000,
  ),
});

export const storedHook: Guard<HookState> = object({ place: text(ID_LENGTH), failingSince: optional(time) });
