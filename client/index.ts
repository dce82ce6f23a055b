export * from "./chat.ts";
export * from "./colours.ts";
export type { ConnectionOptions, ConnectionState } from "./connection.ts";
export * from "./conversation.ts";
export * from "./events.ts";
export * from "./http.ts";
export type { Sent } from "./lines.ts";
export * from "./link.ts";
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
export type { CallOptions, ClientOptions } from "./request.ts";
export * from "./types.ts";
