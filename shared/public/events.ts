import type { Infer } from "../guard.ts";
import { BROWSER_LABEL_LENGTH, LABEL_LETTERS } from "../web-chat.ts";
import {
  int64,
  list,
  object,
  oneOf,
  optional,
  orNull,
  type Properties,
  ref,
  type SchemaGuard,
  text,
  union,
  uuid,
} from "./schema-guards.ts";

export const feedPlayer = object("A player in an event.", {
  name: text("The player's name in the game.", { minLength: 1 }),
  uuid: uuid("As in `PlayerData`."),
});
export type FeedPlayer = Infer<typeof feedPlayer>;

/** The public label of a session. */
export const label = (description: string): SchemaGuard<string> =>
  text(description, { pattern: `^[${LABEL_LETTERS}]{${BROWSER_LABEL_LENGTH}}$` });

const KIND = "Type of the event.";
const id = text("Id of the event, its position in the feed.");

/** Schemas of an event with these names: in a stream, in the stored feed, and as an element of a list. */
function happening<const W extends string, S extends Properties>(
  description: string,
  words: W[],
  properties: S,
) {
  const event = oneOf(KIND, ...words);
  return {
    data: object(description, properties),
    kept: object(description, { event, ...properties }),
    element: object(description, { id, event, ...properties }),
  };
}

const at = int64("Time at which the service received it, in milliseconds since 1970.");
const server = optional(
  text("Name of the game server, if there are several. Omitted for a web message to all of them."),
);
const player = (who: string): SchemaGuard<FeedPlayer> => ref("FeedPlayer", feedPlayer, who);

const chat = happening("A chat message.", ["chat"], {
  at,
  server,
  from: oneOf("Where it was sent.", "game", "web"),
  content: text(
    "From the game: as in a CHAT message of `/chat`. From the website: the text as it was sent, without colour markers. Never treat it as HTML.",
  ),
  player: optional(player("The sender, if known.")),
  label: optional(
    orNull(
      label(
        "For web messages: eight letters that are the same for all messages of one browser session, null without a session. They reveal nothing else about the session. Omitted for messages that an older version stored.",
      ),
    ),
  ),
});
const move = happening("A player joined or left.", ["join", "leave"], {
  at,
  server,
  player: player("The player."),
});
const death = happening("A player died.", ["death"], {
  at,
  server,
  player: player("The player who died."),
  killer: optional(player("The player who killed them, if any.")),
});
const state = happening("The game server went online or offline, as in `GET /status`.", ["server"], {
  at,
  server,
  state: oneOf("The new state.", "online", "away"),
});

export const chatEvent = chat.data;
export const playerEvent = move.data;
export const deathEvent = death.data;
export const serverEvent = state.data;
export const gapEvent = object("Some of the missed events are no longer available.", {});

export const feedEvent = union(
  "An event in the stored feed. Unknown properties are omitted.",
  "event",
  KIND,
  [chat.kept, move.kept, death.kept, state.kept],
);
export type FeedEvent = Infer<typeof feedEvent>;

export const eventObject = union(
  "An event as an element of a list: `event` is its type, `id` its position, and the other properties are the data of that event in a stream. A gap has no other properties.",
  "event",
  KIND,
  [
    ...[chat.element, move.element, death.element, state.element],
    object("Some events after `since` are no longer available.", { event: oneOf(KIND, "gap") }),
  ],
);
export type EventObject = Infer<typeof eventObject>;

export const events = list(
  "Events, oldest first. A gap, if any, is the first element.",
  ref("EventObject", eventObject),
);
