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
  ref,
  text,
} from "./schema-guards.ts";
import { ERROR_CODES } from "./words.ts";

const joinAddress = optional(text("What players type to join, where that is known."));
const maxPlayers = optional(count("Players that fit in, where the configuration says it.", 1));

export const shownServer = object("A game server that a page can choose.", {
  name: listedServer.properties.name,
  title: listedServer.properties.title,
  joinAddress,
  maxPlayers,
});

export const serviceSettings = object("What a page has to know before it shows anything.", {
  title: text("Name of the web console."),
  accent: optional(
    text("Colour of what stands out on the web console, where the owner has chosen one.", {
      pattern: "^#[0-9a-fA-F]{6}$",
    }),
  ),
  logo: optional(text("Path of the owner's logo below the address of the service, where there is one.")),
  joinAddress,
  maxPlayers,
  servers: optional(
    list("The game servers, the first one first, where there are several.", ref("ShownServer", shownServer)),
  ),
  refreshMs: count("How often the game reports, in milliseconds."),
  heartbeatMs: count("Time between two PING on the chat, in milliseconds."),
  verificationMs: count("Life of a link request in milliseconds."),
  messageLength: count("Longest chat text, in UTF-16 code units."),
  messagesPerSecond: count("Messages of a socket of the chat, lasting."),
  messagesBurst: count("The same, at once."),
  webChat: oneOf(
    "Who may write into the chat from the web: with `linked`, browsers that are linked to a player; with `read-only`, nobody; with `off` there is no chat.",
    ...WEB_CHAT_MODES,
  ),
  whitelistNames: oneOf(
    "Which names can be put on the whitelist: 1 to 16 of A-Z, a-z, 0-9 and _, or with `gamertag` letters of any script and single spaces, too.",
    "java",
    "gamertag",
  ),
  knownPlayers: oneOf(
    "Who reads of everybody who has ever been here: `everybody`, whoever has a `key` for it, or nobody.",
    "everybody",
    "key",
    "off",
  ),
  staysForMs: optional(
    count(
      "How long it is remembered when somebody was here, in milliseconds; left out where no key reads of that.",
    ),
  ),
  whitelist: bool("Whether the whitelist can be used at all."),
  moderation: bool("Whether there is a key to send players away, to ban them or to announce something."),
});
export type ShownServer = Infer<typeof shownServer>;
export type ServiceSettings = Infer<typeof serviceSettings>;

export const health = constant("The process is up.", "ok");
export const serverState = object("A game server, and whether it reports.", {
  name: listedServer.properties.name,
  state: reporting,
});
const states = list("Each game server, the first one first.", ref("ServerState", serverState));
export const ready = object("A game server is connected and reports.", {
  status: oneOf("Always this word.", "ready"),
  servers: states,
});
export type Ready = Infer<typeof ready>;
export const notReady = object("No game server reports.", {
  status: oneOf("Always this word.", "unavailable"),
  servers: states,
  reason: text("Why, for a person to read.", { minLength: 1 }),
});
export type NotReady = Infer<typeof notReady>;

/** Body of every error but two. */
export const error = object("An error.", {
  error: oneOf("What went wrong, for programs.", ...ERROR_CODES),
  message: text(
    "What was wrong and what is expected, in one sentence for developers. The words may change.",
    {
      minLength: 1,
    },
  ),
  field: optional(
    text("The field of the body, query parameter or part of the path at fault, where it is one.", {
      minLength: 1,
    }),
  ),
});

const about = openObject("Title and version of the description.");
export const openApi = openObject("An OpenAPI 3.1 document.", {
  openapi: text("Version of OpenAPI.", { pattern: "^3\\.1\\." }),
  info: about,
  paths: openObject("The calls."),
});
export const asyncApi = openObject("An AsyncAPI 3 document.", {
  asyncapi: text("Version of AsyncAPI.", { pattern: "^3\\." }),
  info: about,
  channels: openObject("The channel of the chat with its messages."),
  operations: openObject("Who sends which message."),
});
