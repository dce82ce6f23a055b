import type { Infer } from "../guard.ts";
import { WEB_CHAT_MODES } from "../web-chat.ts";
import { listedServer, reporting } from "./game-server.ts";
import {
  bool,
  constant,
  count,
  list,
  object,
  oneOf,
  openObject,
  optional,
  orNull,
  ref,
  text,
} from "./schema-guards.ts";
import { ERROR_CODES } from "./words.ts";

const joinAddress = optional(text("Address to join, if known."));
const maxPlayers = optional(count("Most players at once, if configured.", 1));

const gameChat = orNull(
  oneOf(
    "How chat of the game reaches the website: `all` of it, or with `command` only what players write with `/bridge:say`; null until the game server has connected once.",
    "command",
    "all",
  ),
);

export const selectableServer = object("A game server to choose from.", {
  name: listedServer.properties.name,
  title: listedServer.properties.title,
  joinAddress,
  maxPlayers,
  gameChat,
});

export const serviceSettings = object("Settings that a page needs before it shows anything.", {
  title: text("Name of the web console."),
  accent: optional(
    text("Accent colour of the web console, if configured.", {
      pattern: "^#[0-9a-fA-F]{6}$",
    }),
  ),
  logo: optional(text("Path of the owner's logo, relative to the service, if configured.")),
  joinAddress,
  maxPlayers,
  servers: optional(
    list("The game servers in order, if there are several.", ref("SelectableServer", selectableServer)),
  ),
  refreshMs: count("Interval of reports from the game, in milliseconds."),
  heartbeatMs: count("Interval of PING messages on the chat, in milliseconds."),
  verificationMs: count("Time until a link request expires, in milliseconds."),
  messageLength: count("Longest chat message, in UTF-16 code units."),
  messagesPerSecond: count("Sustained messages per second per WebSocket."),
  messagesBurst: count("Burst size of messages per WebSocket."),
  webChat: oneOf(
    "Who can write in the chat on the website: with `linked` only browsers that are linked to a player, with `read-only` no one; with `off` there is no chat.",
    ...WEB_CHAT_MODES,
  ),
  gameChat,
  whitelistNames: oneOf(
    "Names that can be added to the whitelist: 1 to 16 of A-Z, a-z, 0-9 and _; with `gamertag` also letters of any script and single spaces.",
    "java",
    "gamertag",
  ),
  knownPlayers: oneOf(
    "Who can read the list of known players: `everybody`, requests with a `key`, or no one (`off`).",
    "everybody",
    "key",
    "off",
  ),
  staysForMs: optional(count("How long visits are kept, in milliseconds; omitted if no key can read them.")),
  whitelist: bool("Whether there is a key for the whitelist."),
  moderation: bool("Whether anyone can kick, ban or mute players, or make announcements."),
  moderators: bool("Whether there are players who can do so by the link of their browser, without a key."),
});
export type SelectableServer = Infer<typeof selectableServer>;
export type ServiceSettings = Infer<typeof serviceSettings>;

export const health = constant("The service is running.", "ok");
export const serverState = object("A game server and its state.", {
  name: listedServer.properties.name,
  state: reporting,
});
const states = list("Every game server, in order.", ref("ServerState", serverState));
export const ready = object("A game server is online.", {
  status: oneOf("Always this value.", "ready"),
  servers: states,
});
export type Ready = Infer<typeof ready>;
export const notReady = object("No game server is online.", {
  status: oneOf("Always this value.", "unavailable"),
  servers: states,
  reason: text("The reason, as a text for people.", { minLength: 1 }),
});
export type NotReady = Infer<typeof notReady>;

/** Body of every error, except the two that the overview names. */
export const error = object("An error.", {
  error: oneOf("Error code.", ...ERROR_CODES),
  message: text("What was wrong and what is expected, in one sentence for developers. The text may change.", {
    minLength: 1,
  }),
  field: optional(
    text("The field, query parameter or path parameter that caused the error, if it was one.", {
      minLength: 1,
    }),
  ),
});

const about = openObject("Title and version of the document.");
export const openApi = openObject("An OpenAPI 3.1 document.", {
  openapi: text("Version of OpenAPI.", { pattern: "^3\\.1\\." }),
  info: about,
  paths: openObject("The calls."),
});
export const asyncApi = openObject("An AsyncAPI 3 document.", {
  asyncapi: text("Version of AsyncAPI.", { pattern: "^3\\." }),
  info: about,
  channels: openObject("The chat channel and its messages."),
  operations: openObject("Messages by sender."),
});
