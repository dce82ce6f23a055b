export { type Chat, type ChatOptions, type ChatState, createChat, type SocketLike } from "./chat.ts";
export { isSurelyFromWeb, type Segment, segments } from "./colours.ts";
export type { ConnectionOptions, ConnectionState } from "./connection.ts";
export {
  type Conversation,
  type ConversationOptions,
  createConversation,
  type Said,
} from "./conversation.ts";
export { createEvents, type Events, type EventsOptions } from "./events.ts";
export {
  type Answer,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type EventsQuery,
  type KnownQuery,
} from "./http.ts";
export type { Sent } from "./lines.ts";
export { type LinkEnd, type LinkOptions, link } from "./link.ts";
export type {
  Answered,
  Asked,
  Happening,
  PieceReader,
  Signal,
  Streamed,
  Surroundings,
  Timers,
} from "./platform.ts";
export * from "./types.ts";
