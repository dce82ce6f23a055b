export * from "./chat.ts";
export * from "./colours.ts";
export type { ConnectionOptions, ConnectionState } from "./connection.ts";
export * from "./conversation.ts";
export * from "./events.ts";
export * from "./http.ts";
export type { SendResult } from "./lines.ts";
export * from "./link.ts";
export type {
  ChunkReader,
  FetchedResponse,
  FetchedStream,
  FetchOptions,
  PageEvent,
  PageState,
  Signal,
  Timers,
} from "./platform.ts";
export type { CallOptions, ClientOptions } from "./request.ts";
export * from "./types.ts";
