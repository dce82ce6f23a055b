/** Body of `GET /status`. */
export interface Metrics {
  status: "Online";
  /** ticks per second over the last minute, at most 20 */
  tps: number;
  onlinePlayerCount: number;
  /** MiB; 0 when not visible */
  memoryUsedMB: number;
  /** MiB; 0 when not visible */
  memoryMaxMB: number;
  /** percent of the whole machine; -1 when not visible */
  cpuUsage: number;
}

/** An online player. */
export interface PlayerData {
  name: string;
  /** the same player always has the same one */
  uuid: string;
  health: number;
  deaths: number;
  playerKills: number;
  playtimeSeconds: number;
}

/** Body of `GET /server`. What is not known is null. */
export interface ServerInfo {
  /** name of the game server */
  title: string | null;
  /** what players type to join */
  address: string | null;
  /** of the game */
  version: string | null;
  /** players that fit in */
  maxPlayers: number | null;
}

/** The game at a moment. All null: from then on no game server reported, until the next point. */
export interface HistoryPoint {
  /** milliseconds since 1970 */
  at: number;
  tps: number | null;
  onlinePlayerCount: number | null;
  /** null when not visible, as is `cpuUsage` */
  memoryUsedMB: number | null;
  cpuUsage: number | null;
}

/** Body of `GET /history`. */
export interface HistoryData {
  /** time that one point stands for, in milliseconds */
  intervalMs: number;
  /** of the last hour, oldest first, at most 720 */
  points: readonly HistoryPoint[];
}

/** Body of `GET /initialize`. */
export interface InitializationData {
  status: "new" | "existing";
  userId: string;
}

/** Who may write into the chat from the web; `off`: there is no chat. */
export type WebChatMode = "everybody" | "linked" | "read-only" | "off";

/** `java`: 1 to 16 of A-Z, a-z, 0-9 and _. `gamertag`: letters of any script and single spaces, too. */
export type WhitelistNames = "java" | "gamertag";

/** Body of `GET /console.json`. */
export interface ServiceSettings {
  /** name of the web console */
  title: string;
  /** colour of what stands out on it, `#rrggbb`, where the owner has chosen one */
  accent?: string;
  /** path of the owner's logo below the address of the service, where there is one */
  logo?: string;
  /** what players type to join, where the configuration says so */
  joinAddress?: string;
  /** players that fit in, where that is known */
  maxPlayers?: number;
  /** how often the game reports, in milliseconds */
  refreshMs: number;
  /** time between two PING on the chat, in milliseconds */
  heartbeatMs: number;
  /** life of a link request in milliseconds */
  verificationMs: number;
  /** longest chat text, in UTF-16 code units */
  messageLength: number;
  /** chat messages of a socket, lasting and at once */
  messagesPerSecond: number;
  messagesBurst: number;
  webChat: WebChatMode;
  /** which names can be put on the whitelist */
  whitelistNames: WhitelistNames;
  /** whether the whitelist can be used at all */
  whitelist: boolean;
}

export type LinkStatus = "not_linked" | "pending" | "declined" | "accepted";

/** Body of `GET /linked-player`. */
export interface LinkedPlayerResponse {
  status: LinkStatus;
  /** only when accepted and the player is online */
  playerData?: PlayerData;
}

/** Body of `GET /session` and of `GET /sessions/<id>`. */
export interface SessionData {
  /** the session */
  userId: string;
  status: LinkStatus;
  /** null unless accepted; also while the player is offline */
  player: { name: string; uuid: string } | null;
  /** when the player accepted, in milliseconds since 1970; null unless accepted */
  linkedAt: number | null;
  /** where it is declined because another session, which begins alike, asked the same player: nobody should accept */
  reason?: "same_characters";
}

/** Body of `GET /session/label`. */
export interface SessionLabel {
  /** as in the lines of this session in the feed */
  label: string;
}

/** An answer that says one thing. */
export interface Acknowledged<S extends string> {
  status: S;
}

/** Body of `GET /readyz` when no game server reports. */
export interface NotReady {
  status: "unavailable";
  reason: string;
}

/** Type of a message on `/chat`. */
export type MessageType = "CHAT" | "PING" | "PONG" | "VERIFICATION" | "EXCEPTION";

/** A message on `/chat`. */
export interface ChatMessage {
  type: MessageType;
  content: string;
}

/** A player as the feed names one. */
export interface FeedPlayer {
  name: string;
  /** as in `PlayerData` */
  uuid: string;
}

/** Something that happened, as the feed keeps it. `at`: milliseconds since 1970. What is not known is left out. */
export type FeedEvent =
  /**
   * `content`: of the game as in a message of `/chat`, of the web the text as sent, in which no marker means anything.
   * `label`: of the web eight letters that are the same for one browser session, null without one; of lines that an earlier
   * version has kept it is not known.
   */
  | {
      event: "chat";
      at: number;
      from: "game" | "web";
      content: string;
      player?: FeedPlayer;
      label?: string | null;
    }
  | { event: "join" | "leave"; at: number; player: FeedPlayer }
  /** `killer`: where another player did it */
  | { event: "death"; at: number; player: FeedPlayer; killer?: FeedPlayer }
  /** when `GET /status` begins and ceases to answer 200 */
  | { event: "server"; at: number; state: "online" | "away" };

/** Events that are kept for those who were away; readers who pick nothing get these. */
export const KEPT_EVENTS = [
  "chat",
  "join",
  "leave",
  "death",
  "server",
] as const satisfies FeedEvent["event"][];
export type KeptEvent = FeedEvent["event"];
export type EventType = StreamEvent["event"];

/** What the stream of `GET /events` tells. `status`, `players`: the present ones first, then each change; they are not kept. */
export type StreamEvent =
  | (FeedEvent & { id: string })
  | { event: "status"; metrics: Metrics }
  | { event: "players"; players: PlayerData[] };

/** An element of `GET /events` as JSON; a gap comes first where something before the others is gone. */
export type EventObject = (FeedEvent & { id: string }) | { event: "gap" };

/** Why the service did not take what a socket sent. */
export type Exception = "bad message" | "rate limited" | "not allowed" | "server unavailable";

/** Every code that the service answers an error with. */
export const ERROR_CODES = [
  "invalid_name",
  "missing_username",
  "player_offline",
  "invalid_query",
  "missing_session",
  "origin_not_allowed",
  "not_linked",
  "not_found",
  "not_whitelisted",
  "unknown_session",
  "forbidden",
  "invalid_body",
  "method_not_allowed",
  "host_not_allowed",
  "upgrade_required",
  "rate_limited",
  "bad_request",
  "server_unavailable",
  "unexpected_result",
  "admin_api_disabled",
  "too_many_connections",
] as const;
export type ServiceErrorCode = (typeof ERROR_CODES)[number];

/**
 * A code of the service, or one of this client: `already_pending` (409), `wrong_key` (401 without a body),
 * `unknown` (an answer that this service does not give), and where no answer came, with status 0: `unreachable`,
 * `aborted` (by the signal of the call), `bad_address` (there can be no service at this address).
 */
export type ErrorCode =
  | ServiceErrorCode
  | "already_pending"
  | "wrong_key"
  | "unreachable"
  | "aborted"
  | "bad_address"
  | "unknown";

/** What went wrong with a call. */
export interface Failure {
  ok: false;
  /** HTTP status; 0 when no answer came */
  status: number;
  code: ErrorCode;
  /** seconds after which the service wants to be asked again */
  retryAfter?: number;
  /** names the line in the service's log */
  requestId?: string;
  /** where no answer came: the error of `fetch`, the reason of the signal, or that the time is over */
  cause?: unknown;
}

/** Answer of every call. Calls do not throw. */
export type Result<T> = { ok: true; value: T } | Failure;
