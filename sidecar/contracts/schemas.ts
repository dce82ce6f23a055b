import { NAME_LENGTH } from "../../shared/limits.ts";
import { BROWSER_LENGTH, LABEL_LETTERS } from "../../shared/web-chat.ts";
import { NAME_PATTERNS, type WhitelistNames } from "../domain/whitelist.ts";
import {
  constant,
  count,
  int64,
  num,
  object,
  oneOf,
  open,
  orNull,
  request,
  type Schema,
  schema,
  uuid,
} from "./schema.ts";

/** What everybody may know a session by. */
const label: Schema = { type: "string", pattern: `^[${LABEL_LETTERS}]{${BROWSER_LENGTH}}$` };

/** An event of the feed: the words that it is called by, and what is told of it. */
interface Happened {
  words: readonly string[];
  description: string;
  properties: Record<string, Schema>;
  optional?: readonly string[];
}
const at = int64("When the service took it, in milliseconds since 1970.");
const [CHAT, PLAYER, DEATH, SERVER] = [
  {
    words: ["chat"],
    description: "A line of chat.",
    properties: {
      at,
      from: oneOf("Where it was said.", "game", "web"),
      content: {
        type: "string",
        description:
          "Of the game as in a CHAT message of `/chat`. Of the web the text as it was sent, in which no marker means anything. Never treat it as HTML.",
      },
      player: schema("FeedPlayer", "Who said it, where that is known."),
      label: {
        ...orNull(label),
        description:
          "Of the web: eight letters that are the same for all lines of one browser session, null without a session. They are made with a key of this installation, and nobody learns anything of the session by them. Left out of lines that were kept before there were labels.",
      },
    },
    optional: ["player", "label"],
  },
  {
    words: ["join", "leave"],
    description: "A player came or went.",
    properties: { at, player: schema("FeedPlayer", "Who.") },
  },
  {
    words: ["death"],
    description: "A player died.",
    properties: {
      at,
      player: schema("FeedPlayer", "Who died."),
      killer: schema("FeedPlayer", "The other player who did it, if one did."),
    },
    optional: ["killer"],
  },
  {
    words: ["server"],
    description: "The game server began or ceased to report, as `GET /status` tells it.",
    properties: { at, state: oneOf("What it is from then on.", "online", "away") },
  },
] as const satisfies readonly Happened[];

const data = ({ description, properties, optional = [] }: Happened): Schema =>
  object(
    description,
    properties,
    Object.keys(properties).filter(name => !optional.includes(name)),
  );
/** The same as an element of the JSON form. */
const element = ({ words, properties, ...told }: Happened): Schema =>
  data({
    ...told,
    words,
    properties: {
      id: { type: "string", description: "Its place in the feed." },
      event: oneOf("What it is.", ...words),
      ...properties,
    },
  });

const tps = num(0, 20, "Ticks a second, the average of the last minute.");
const online = count("Number of online players.");

/** Every object of the public service. */
export const SCHEMAS = {
  Metrics: object("Figures of the game server.", {
    status: oneOf("Always this word.", "Online"),
    tps,
    onlinePlayerCount: online,
    memoryUsedMB: int64("Resident memory of the game server in MiB; 0 when not visible."),
    memoryMaxMB: int64("Memory that the game server may use, in MiB; 0 when not visible."),
    cpuUsage: num(
      -1,
      100,
      "CPU use of the game server in percent of the whole machine; -1 when not visible.",
    ),
  }),
  PlayerData: object("An online player.", {
    name: { type: "string", minLength: 1, description: "Name that the game reports." },
    uuid: uuid("The same player always has the same one. It is no XUID."),
    health: count("Current health, rounded."),
    deaths: count("Deaths since the behavior pack first ran."),
    playerKills: count("Kills of other players since the behavior pack first ran."),
    playtimeSeconds: int64("Time online in seconds since the behavior pack first ran."),
  }),
  Players: {
    type: "array",
    description: "One element for each online player.",
    items: { $ref: "#/components/schemas/PlayerData" },
  },
  ServerInfo: object("What is known of the game server; null where it is not.", {
    title: orNull({ type: "string", minLength: 1, maxLength: 64, description: "Name of the server." }),
    address: orNull({ type: "string", minLength: 1, description: "What players type to join." }),
    version: orNull({ type: "string", minLength: 1, description: "Version of the game." }),
    maxPlayers: orNull({ type: "integer", minimum: 1, description: "Players that fit in." }),
  }),
  HistoryPoint: object(
    "The figures at a moment. All four null: from then on no game server reported, until the next point.",
    {
      at: int64("Milliseconds since 1970."),
      tps: orNull(tps),
      onlinePlayerCount: orNull(online),
      memoryUsedMB: orNull(int64("Resident memory in MiB; null when not visible.")),
      cpuUsage: orNull(num(0, 100, "Percent of the whole machine; null when not visible.")),
    },
  ),
  History: object("Figures of the last hour.", {
    intervalMs: count("Time that one point stands for, in milliseconds."),
    points: {
      type: "array",
      maxItems: 720,
      items: { $ref: "#/components/schemas/HistoryPoint" },
      description: "Oldest first.",
    },
  }),
  FeedPlayer: object("A player, as events name one.", {
    name: { type: "string", minLength: 1, description: "Name that the game reports." },
    uuid: uuid("As in `PlayerData`."),
  }),
  ChatEvent: data(CHAT),
  PlayerEvent: data(PLAYER),
  DeathEvent: data(DEATH),
  ServerEvent: data(SERVER),
  GapEvent: object("Not all that was missed is kept any more. Nothing else is told.", {}),
  EventObject: {
    type: "object",
    description:
      "An event as an element of a list: `event` is its name, `id` its place, and the rest is the data of the event of that name in a stream. A gap has neither `id` nor anything else.",
    required: ["event"],
    properties: { event: { type: "string", description: "What it is." } },
    oneOf: [
      ...[CHAT, PLAYER, DEATH, SERVER].map(element),
      object("Not all that came after `since` is kept any more.", { event: oneOf("What it is.", "gap") }),
    ],
  },
  Events: {
    type: "array",
    description: "What happened, oldest first. A gap, where there is one, is the first element.",
    items: { $ref: "#/components/schemas/EventObject" },
  },
  InitializationData: object("A browser session.", {
    status: oneOf(
      "`new` when the session was made by this call, `existing` when the cookie named it.",
      "new",
      "existing",
    ),
    userId: uuid("Id of the session, the value of its cookie."),
  }),
  LinkRequest: request("Whom to link to.", {
    username: {
      type: "string",
      pattern: "\\S",
      description: "Exact name of an online player. Case counts, spaces are fine.",
    },
  }),
  LinkedPlayerResponse: object(
    "The link of a browser session.",
    {
      status: oneOf(
        "`declined` also when nobody answered in time.",
        "not_linked",
        "pending",
        "declined",
        "accepted",
      ),
      playerData: {
        $ref: "#/components/schemas/PlayerData",
        description: "Only when accepted and the player is online.",
      },
    },
    ["status"],
  ),
  SessionData: object(
    "A browser session, and the player to whom it is linked.",
    {
      userId: uuid("Id of the session."),
      status: oneOf(
        "As in `LinkedPlayerResponse`; `not_linked` also after a link was ended.",
        "not_linked",
        "pending",
        "declined",
        "accepted",
      ),
      player: {
        ...orNull(
          object("The player, online or not; null unless accepted.", {
            name: { type: "string", minLength: 1, description: "Name at the time of linking." },
            uuid: uuid("As in `PlayerData`."),
          }),
        ),
      },
      linkedAt: orNull(
        int64(
          "When the player accepted, in milliseconds since 1970; null unless accepted, and for links of before this was stored.",
        ),
      ),
      reason: oneOf(
        "There where it is declined because another session with the same first eight characters asked the same player: tell the visitor to accept nothing.",
        "same_characters",
      ),
    },
    ["userId", "status", "player", "linkedAt"],
  ),
  SessionLabel: object("What everybody may know a browser session by.", {
    label: { ...label, description: "As in the lines of this session in `GET /events`." },
  }),
  WhitelistRequest: request("Whom to add.", {
    playerName: {
      type: "string",
      pattern: NAME_PATTERNS.java,
      description: "Name of a player. Names that do not match can be added on the game's console only.",
    },
  }),
  WhitelistRemoval: request("Whom to take off.", {
    playerName: {
      type: "string",
      minLength: 1,
      maxLength: NAME_LENGTH,
      description: "Exactly the name that is listed, whatever is in it. Case counts.",
    },
  }),
  Whitelist: {
    type: "array",
    description: "Names on the game's allowlist, sorted by code unit.",
    items: { type: "string" },
  },
  VerificationSent: constant("The player is being asked.", "verification_sent"),
  AlreadyPending: constant("A request of this session is open already.", "already_pending"),
  Unlinked: constant("The link is gone.", "unlinked"),
  Removed: constant("The game's list does not hold the name any more.", "removed"),
  Whitelisted: constant("The game's list holds the name.", "whitelisted"),
  ServiceSettings: object(
    "What a page has to know before it shows anything.",
    {
      title: { type: "string", description: "Name of the web console." },
      accent: {
        type: "string",
        pattern: "^#[0-9a-fA-F]{6}$",
        description: "Colour of what stands out on the web console, where the owner has chosen one.",
      },
      logo: {
        type: "string",
        description: "Path of the owner's logo below the address of the service, where there is one.",
      },
      joinAddress: { type: "string", description: "What players type to join, where that is known." },
      maxPlayers: {
        type: "integer",
        minimum: 1,
        description: "Players that fit in, where the configuration says it.",
      },
      refreshMs: count("How often the game reports, in milliseconds."),
      heartbeatMs: count("Time between two PING on the chat, in milliseconds."),
      verificationMs: count("Life of a link request in milliseconds."),
      messageLength: count("Longest chat text, in UTF-16 code units."),
      messagesPerSecond: count("Messages of a socket of the chat, lasting."),
      messagesBurst: count("The same, at once."),
      webChat: oneOf(
        "Who may write into the chat from the web: with `linked`, browsers that are linked to a player; with `read-only`, nobody; with `off` there is no chat.",
        "everybody",
        "linked",
        "read-only",
        "off",
      ),
      whitelistNames: oneOf(
        "Which names can be put on the whitelist: 1 to 16 of A-Z, a-z, 0-9 and _, or with `gamertag` letters of any script and single spaces, too.",
        "java",
        "gamertag",
      ),
      whitelist: { type: "boolean", description: "Whether the whitelist can be used at all." },
    },
    [
      "title",
      "refreshMs",
      "heartbeatMs",
      "verificationMs",
      "messageLength",
      "messagesPerSecond",
      "messagesBurst",
      "webChat",
      "whitelistNames",
      "whitelist",
    ],
  ),
  Health: constant("The process is up.", "ok"),
  Ready: constant("A game server is connected and reports.", "ready"),
  NotReady: object("No game server reports.", {
    status: oneOf("Always this word.", "unavailable"),
    reason: { type: "string", minLength: 1, description: "Why, for a person to read." },
  }),
  OpenApi: open("An OpenAPI 3.1 document.", {
    openapi: { type: "string", pattern: "^3\\.1\\.", description: "Version of OpenAPI." },
    info: { type: "object", description: "Title and version of the description." },
    paths: { type: "object", description: "The calls." },
  }),
  AsyncApi: open("An AsyncAPI 3 document.", {
    asyncapi: { type: "string", pattern: "^3\\.", description: "Version of AsyncAPI." },
    info: { type: "object", description: "Title and version of the description." },
    channels: { type: "object", description: "The channel of the chat with its messages." },
    operations: { type: "object", description: "Who sends which message." },
  }),
} satisfies Record<string, Schema>;
export type SchemaName = keyof typeof SCHEMAS;

/** The same, with the pattern of the names that can be put on the whitelist. */
export const schemasFor = (names: WhitelistNames): Record<string, Schema> => {
  const { WhitelistRequest: request } = SCHEMAS;
  const { playerName } = request.properties as Record<string, Schema>;
  const properties = { playerName: { ...playerName, pattern: NAME_PATTERNS[names] } };
  return { ...SCHEMAS, WhitelistRequest: { ...request, properties } };
};
