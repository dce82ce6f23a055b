import type { SchemaName } from "../../../shared/public/schemas.ts";
import type { Example } from "../../kernel/http/description.ts";
import { example, status } from "./example-forms.ts";
import { MODERATION_EXAMPLES } from "./moderation-examples.ts";

const steve = {
  name: "Steve",
  uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a",
  health: 20,
  deaths: 0,
  playerKills: 0,
  playtimeSeconds: 3,
};
const alex = { ...steve, name: "Alex", uuid: "18859a70-6806-56f2-8df1-7b996e8151cb" };
const userId = "faa3b7a4-83ac-4f2a-b301-e28f85630885";
const figures = { tps: 20, onlinePlayerCount: 2, memoryUsedMB: 512, cpuUsage: 12.5 };
const noFigures = { tps: null, onlinePlayerCount: null, memoryUsedMB: null, cpuUsage: null };
const averages = {
  tps: 19.98,
  onlinePlayerCount: 1.67,
  memoryUsedMB: 511.5,
  cpuUsage: 12.25,
  peakPlayers: 3,
  onlineMs: 1_800_000,
};
const info = { title: "Game Server Web Bridge", version: "1.2.3" };

const named = (player: typeof steve): { name: string; uuid: string } => ({
  name: player.name,
  uuid: player.uuid,
});
const known = {
  ...named(steve),
  online: true,
  firstSeen: 1_764_547_200_000,
  lastSeen: 1_767_225_603_000,
  visits: 12,
  playtimeSeconds: 86_400,
  deaths: 4,
  playerKills: 1,
};
const herobrine = {
  name: "Herobrine",
  uuid: null,
  known: false,
  servers: null,
  reason: "Please read the rules",
  by: "moderator",
  at: 1767225600000,
  until: 1767830400000,
};
const said = { event: "chat", at: 1_767_225_601_000, from: "game", content: "§§<Steve> §§hi" };
const died = { event: "death", at: 1_767_225_603_000, player: named(alex), killer: named(steve) };

/** Examples of every schema that is the body of a request or a response. */
export const EXAMPLES = {
  Metrics: {
    visible: example("The process of the game server is visible", {
      status: "Online",
      tps: 20,
      onlinePlayerCount: 2,
      memoryUsedMB: 512,
      memoryMaxMB: 4096,
      cpuUsage: 12.5,
    }),
    notVisible: example("The process is not visible", {
      status: "Online",
      tps: 19.7,
      onlinePlayerCount: 2,
      memoryUsedMB: 0,
      memoryMaxMB: 0,
      cpuUsage: -1,
    }),
  },
  Players: { two: example("Two players", [steve, alex]), none: example("No players online", []) },
  KnownPlayers: {
    page: example("The first two of three", {
      players: [known, { ...known, ...named(alex), online: false, visits: 3, playtimeSeconds: 7_200 }],
      total: 3,
      next: "WyJsYXN0LXNlZW4iLCIiLC0xNzY3MjI1NjAzMDAwLCIxODg1OWE3MC02ODA2LTU2ZjItOGRmMS03Yjk5NmU4MTUxY2IiXQ",
    }),
    none: example("No known players", { players: [], total: 0, next: null }),
  },
  KnownPlayerData: {
    withoutKey: example("Without a key", known),
    withKey: example("With a key", {
      ...known,
      stays: [
        { from: 1_767_225_600_000, to: null },
        { from: 1_767_139_200_000, to: 1_767_142_800_000 },
      ],
    }),
  },
  ServerInfo: {
    complete: example("Everything is known", {
      title: "Oak & Stone",
      address: "play.example.com:19132",
      version: "1.26.40",
      maxPlayers: 20,
    }),
    unknown: example("Nothing is known", { title: null, address: null, version: null, maxPlayers: null }),
  },
  Servers: {
    two: example("Two game servers; the second is offline", [
      {
        name: "main",
        title: "Oak & Stone",
        state: "online",
        onlinePlayerCount: 2,
        maxPlayers: 20,
        version: "1.26.40",
        address: "play.example.com:19132",
      },
      {
        name: "lobby",
        title: null,
        state: "away",
        onlinePlayerCount: null,
        maxPlayers: null,
        version: null,
        address: null,
      },
    ]),
  },
  History: {
    gap: example("No game server reported for a minute", {
      intervalMs: 5_000,
      points: [
        { at: 1_767_225_601_000, ...figures },
        { at: 1_767_225_606_000, ...noFigures },
        { at: 1_767_225_666_000, ...figures },
      ],
    }),
  },
  HistoryMeans: {
    week: example("The last three half-hours of a week; in the second one no game server reported", {
      intervalMs: 1_800_000,
      points: [
        { at: 1_767_223_800_000, ...averages },
        { at: 1_767_225_600_000, ...noFigures, peakPlayers: null, onlineMs: 0 },
        { at: 1_767_227_400_000, ...averages },
      ],
    }),
  },
  Events: {
    two: example("Steve sent a message, then killed Alex", [
      { id: "1767225600000-1", ...said, player: named(steve) },
      { id: "1767225600000-2", ...died },
    ]),
    gap: example("Some of the missed events are no longer available", [
      { event: "gap" },
      { id: "1767225600000-2", ...died },
    ]),
    none: example("No events", []),
  },
  InitializationData: {
    new: example("A new session, with its cookie", { status: "new", userId }),
    existing: example("The cookie has a session", { status: "existing", userId }),
  },
  LinkRequest: { steve: example("Send a request to Steve", { username: "Steve" }) },
  LinkedPlayerResponse: {
    ...status("No request was sent", "not_linked"),
    ...status("The player has not responded yet", "pending"),
    declined: example("The player declined", { status: "declined", reason: "declined" }),
    timedOut: example("The player did not answer in time", { status: "declined", reason: "timed_out" }),
    accepted: example("Linked, and the player is online", { status: "accepted", playerData: steve }),
    offline: example("Linked, and the player is offline", { status: "accepted" }),
  },
  SessionData: {
    accepted: example("Linked to Steve, online or not", {
      userId,
      status: "accepted",
      player: named(steve),
      linkedAt: 1_767_225_601_000,
      scopes: [],
    }),
    moderator: example("Linked to Steve, who may moderate", {
      userId,
      status: "accepted",
      player: named(steve),
      linkedAt: 1_767_225_601_000,
      scopes: ["players:kick", "chat:mute"],
    }),
    pending: example("Steve has not responded yet", {
      userId,
      status: "pending",
      player: null,
      linkedAt: null,
      scopes: [],
    }),
    alike: example("Another session with the same first characters sent a request to Steve", {
      userId,
      status: "declined",
      player: null,
      linkedAt: null,
      scopes: [],
      reason: "same_characters",
    }),
  },
  SessionLabel: { label: example("The browser's chat messages have it", { label: "kxwtmhzr" }) },
  SignInState: {
    begun: example("Steve is linked to the browser already", {
      site: { id: "example-site", name: "Example site", host: "site.example" },
      status: "begun",
      player: named(steve),
      asked: null,
      leftMs: null,
      alike: false,
      withName: true,
      silent: false,
    }),
    waiting: example("Steve has a request in the game", {
      site: { id: "example-site", name: "Example site", host: "site.example" },
      status: "waiting",
      player: null,
      asked: "Steve",
      leftMs: 118_000,
      alike: false,
      withName: true,
      silent: false,
    }),
  },
  GoOnRequest: { steve: example("Continue as Steve", { uuid: steve.uuid }) },
  SignInEnd: {
    end: example("Where the browser continues", {
      location: "https://play.example.com/sign-in/authorize/PZm0cXhu5rXo3kWv9sJ2q",
    }),
  },
  KnownSites: {
    one: example("One site", [{ id: "example-site", name: "Example site", at: 1_767_225_601_000 }]),
    none: example("No sites", []),
  },
  SiteEnded: status("The site is disconnected", "ended"),
  WhitelistRequest: { herobrine: example("Add Herobrine", { playerName: "Herobrine" }) },
  WhitelistRemoval: { vale: example("Remove Ari Vale", { playerName: "Ari Vale" }) },
  Whitelist: { names: example("Two names", ["Ari Vale", "Herobrine"]), empty: example("No names", []) },
  KickRequest: {
    reason: example("Kick Herobrine", { playerName: "Herobrine", reason: "Please stop spamming" }),
    none: example("Without a reason", { playerName: "Herobrine" }),
  },
  AnnounceRequest: {
    restart: example("Before a restart", { content: "The server restarts in five minutes" }),
  },
  ...MODERATION_EXAMPLES,
  BanRequest: {
    week: example("Ban Herobrine for a week", {
      playerName: "Herobrine",
      reason: "Please read the rules",
      for: "7d",
    }),
    uuid: example("Ban a player permanently, by UUID", { uuid: steve.uuid }),
  },
  UnbanRequest: {
    name: example("Unban Herobrine", { playerName: "Herobrine" }),
    uuid: example("By UUID", { uuid: steve.uuid }),
  },
  Bans: {
    two: example("One by name, and one on the lobby server only", [
      herobrine,
      {
        ...named(steve),
        known: true,
        servers: ["lobby"],
        reason: null,
        by: "game:Alex",
        at: 1767225600000,
        until: null,
      },
    ]),
    none: example("No bans", []),
  },
  VerificationSent: status("The link request was sent", "verification_sent"),
  AlreadyPending: status("An earlier request is pending", "already_pending"),
  LinkRequestCancelled: status("The link request was cancelled", "cancelled"),
  Unlinked: status("The link is removed", "unlinked"),
  Removed: status("The name is removed from the list", "removed"),
  Whitelisted: status("The name is on the list", "whitelisted"),
  Kicked: status("The player was kicked", "kicked"),
  Announced: status("The game has shown it", "announced"),
  Banned: {
    banned: example("Herobrine, whom no game server has seen", { status: "banned", ban: herobrine }),
  },
  Unbanned: status("The player is unbanned", "unbanned"),
  ServiceSettings: {
    linked: example("Only linked players can write in the chat", {
      title: "Oak & Stone",
      accent: "#7a3b12",
      logo: "assets/logo.0a1b2c3d.svg",
      joinAddress: "play.example.com:19132",
      maxPlayers: 20,
      refreshMs: 5_000,
      heartbeatMs: 20_000,
      verificationMs: 120_000,
      messageLength: 512,
      messagesPerSecond: 2,
      messagesBurst: 20,
      webChat: "linked",
      gameChat: "all",
      whitelistNames: "java",
      knownPlayers: "key",
      whitelist: true,
      moderation: true,
      moderators: false,
    }),
  },
  Health: status("The service is running", "ok"),
  Ready: {
    ready: example("A game server is online", {
      status: "ready",
      servers: [{ name: "main", state: "online" }],
    }),
  },
  NotReady: {
    unavailable: example("No game server is online", {
      status: "unavailable",
      servers: [{ name: "main", state: "away" }],
      reason: "no game server has reported lately",
    }),
  },
  OpenApi: { shortened: example("Shortened", { openapi: "3.1.0", info, paths: {} }) },
  AsyncApi: {
    shortened: example("Shortened", { asyncapi: "3.0.0", info, channels: {}, operations: {} }),
  },
} satisfies Partial<Record<SchemaName, Record<string, Example>>>;

/** Examples of a schema. @throws if it has none */
export function examplesOf(name: SchemaName): Record<string, Example> {
  const all: Partial<Record<SchemaName, Record<string, Example>>> = EXAMPLES;
  const found = all[name];
  if (found === undefined)
    throw new Error(`${name} is the body of a request or an answer, and has no example`);
  return found;
}

const [sent, fell] = [
  { ...said, player: named(steve) },
  { event: "death", at: 1_767_225_603_000, player: named(alex) },
].map(({ event: _event, ...data }) => JSON.stringify(data));

/** Examples of an event stream, as sent. */
export const STREAM_EXAMPLES: Record<string, Example> = {
  live: example(
    "Steve sends a message and Alex falls; a subscriber of deaths gets only the id of the message",
    `retry: 2000\n: heartbeat every 20000 ms\nid: 1767225600000-0\n\n: heartbeat\nid: 1767225600000-1\n\nid: 1767225600000-2\nevent: death\ndata: ${fell}\n\n`,
  ),
  resumed: example(
    "A subscriber, also of `players`, that reconnects after some events are no longer available",
    `retry: 2000\n: heartbeat every 20000 ms\n\nid: 1767225600000-0\nevent: gap\ndata: {}\n\nid: 1767225600000-1\nevent: chat\ndata: ${sent}\n\nevent: players\ndata: ${JSON.stringify([steve])}\n\n`,
  ),
};
