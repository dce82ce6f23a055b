import type { FeedEvent } from "../shared/public/events.ts";
import type { HistoryData, HistoryMeans, Metrics, PlayerData } from "../shared/public/game-server.ts";
import type { LinkedPlayerResponse, SessionData } from "../shared/public/linking.ts";
import type { ServiceSettings } from "../shared/public/service.ts";
import type { HistorySpan, ServiceErrorCode } from "../shared/public/words.ts";

// Messages of the service are declared once for both sides. The client uses their types, and two lists of words.
export type { ChatMessage } from "../shared/public/chat.ts";
export type { EventObject, FeedEvent, FeedPlayer } from "../shared/public/events.ts";
export type {
  HistoryData,
  HistoryMean,
  HistoryMeans,
  HistoryPoint,
  ListedServer,
  Metrics,
  PlayerData,
  ServerInfo,
} from "../shared/public/game-server.ts";
export type { KnownPlayer, KnownPlayerData, KnownPlayers } from "../shared/public/known-players.ts";
export type {
  InitializationData,
  LinkedPlayerResponse,
  SessionData,
  SessionLabel,
} from "../shared/public/linking.ts";
export type { AuditEntry, Ban, Banned, Mute, Permissions } from "../shared/public/moderation.ts";
export type { NotReady, Ready, SelectableServer, ServiceSettings } from "../shared/public/service.ts";
export type { KnownSites, SignInEnd, SignInState } from "../shared/public/sign-in.ts";
export {
  ERROR_CODES,
  type Exception,
  type HistorySpan,
  type MessageType,
  type Scope,
  type ServiceErrorCode,
  STORED_EVENTS,
  type StoredEventType,
} from "../shared/public/words.ts";

/** Who may write in the chat from the website; `off`: there is no chat. */
export type WebChatMode = ServiceSettings["webChat"];

/** `java`: 1 to 16 of A-Z, a-z, 0-9 and _. `gamertag`: letters of any script and single spaces, too. */
export type WhitelistNames = ServiceSettings["whitelistNames"];

/** The history of a span: points of the last hour, or roll-ups. */
export type HistoryOf<S extends HistorySpan> = S extends "1h" ? HistoryData : HistoryMeans;

export type LinkStatus = SessionData["status"];

/** Why a link request was declined. */
export type DeclineReason = NonNullable<LinkedPlayerResponse["reason"]>;

export type BannedPlayer = { playerName: string } | { uuid: string };

/** A response without other data. */
export interface Acknowledgement<S extends string> {
  status: S;
}

export type EventType = StreamEvent["event"];

/** An event of the stream `GET /events`. `status`, `players`: current ones first, then each change; they are not stored. */
export type StreamEvent =
  | (FeedEvent & { id: string })
  | { event: "status"; metrics: Metrics }
  | { event: "players"; players: PlayerData[] };

/**
 * A code of the service, or of this client: `already_pending` (409), `wrong_key` (401 without a body), `unknown` (not an answer of
 * this service), and without an answer, with status 0: `unreachable`, `aborted` (by the signal of the call), `bad_address`.
 */
export type ErrorCode =
  | ServiceErrorCode
  | "already_pending"
  | "wrong_key"
  | "unreachable"
  | "aborted"
  | "bad_address"
  | "unknown";

/** A failed call. */
export interface Failure {
  ok: false;
  /** HTTP status; 0 without a response */
  status: number;
  code: ErrorCode;
  /** what was wrong and expected according to the service, for developers; omitted without a response of the service */
  message?: string;
  /** the field of the body, parameter of the query or part of the path at fault, if any */
  field?: string;
  /** seconds after which the service accepts another call */
  retryAfter?: number;
  /** identifies the line in the service's log */
  requestId?: string;
  /** without an answer: the error of `fetch`, the reason of the signal, or a timeout */
  cause?: unknown;
}

/** The result of every call. Calls do not throw. `next`: the `after` of the next page, while there is one. */
export type Result<T> = { ok: true; value: T; next?: string | undefined } | Failure;
