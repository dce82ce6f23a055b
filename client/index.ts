export {
  type Chat,
  type ChatOptions,
  type ChatState,
  createChat,
  type SocketLike,
  type Timers,
} from "./chat.ts";
export { isSurelyFromWeb, type Segment, segments } from "./colours.ts";
export { type Answer, type CallOptions, type Client, type ClientOptions, createClient } from "./http.ts";
export * from "./types.ts";
