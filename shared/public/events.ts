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

export const feedPlayer = object("A player, as events name one.", {
  name: text("Name that the game reports.", { minLength: 1 }),
  uuid: uuid("As in `PlayerData`."),
});
export type FeedPlayer = Infer<typeof feedPlayer>;

/** What everybody may know a session by. */
export const label = (description: string): SchemaGuard<string> =>
  text(description, { pattern: `^[${LABEL_LETTERS}]{${BROWSER_LABEL_LENGTH}}$` });

const KIND = "What it is.";
const id = text("Its place in the feed.");

/** An event that is called by these words: as a stream carries it, as the feed keeps it, and as an element of a list. */
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

const at = int64("When the service took it, in milliseconds since 1970.");
const server = optional(
  text(
    "Name of the game server, where there are several. A line that was written on the web to all of them has none.",
  ),
);
const player = (who: string): SchemaGuard<FeedPlayer> => ref("FeedPlayer", feedPlayer, who);

const chat = happening("A line of chat.", ["chat"], {
  at,
  server,
  from: oneOf("Where it was said.", "game", "web"),
  content: text(
    "Of the game as in a CHAT message of `/chat`. Of the web the text as it was sent, in which no marker means anything. Never treat it as HTML.",
  ),
  player: optional(player("Who said it, where that is known.")),
  label: optional(
    orNull(
      label(
        "Of the web: eight letters that are the same for all lines of one browser session, null without a session. They are made with a key of this installation, and nobody learns anything of the session by them. Left out of lines that were kept before there were labels.",
      ),
    ),
  ),
});
const move = happening("A player came or went.", ["join", "leave"], { at, server, player: player("Who.") });
const death = happening("A player died.", ["death"], {
  at,
  server,
  player: player("Who died."),
  killer: optional(player("The other player who did it, if one did.")),
});
const state = happening("The game server began or ceased to report, as `GET /status` tells it.", ["server"], {
  at,
  server,
  state: oneOf("What it is from then on.", "online", "away"),
});

export const chatEvent = chat.data;
export const playerEvent = move.data;
export const deathEvent = death.data;
export const serverEvent = state.data;
export const gapEvent = object("Not all that was missed is kept any more. Nothing else is told.", {});

export const feedEvent = union(
  "Something that happened, as the feed keeps it. What is not known is left out.",
  "event",
  KIND,
  [chat.kept, move.kept, death.kept, state.kept],
);
export type FeedEvent = Infer<typeof feedEvent>;

export const eventObject = union(
  "An event as an element of a list: `event` is its name, `id` its place, and the rest is the data of the event of that name in a stream. A gap has neither `id` nor anything else.",
  "event",
  KIND,
  [
    ...[chat.element, move.element, death.element, state.element],
    object("Not all that came after `since` is kept any more.", { event: oneOf(KIND, "gap") }),
  ],
);
export type EventObject = Infer<typeof eventObject>;

export const events = list(
  "What happened, oldest first. A gap, where there is one, is the first element.",
  ref("EventObject", eventObject),
);
