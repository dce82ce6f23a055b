// All schemas, for the documents and for the types of the client.
export * from "./chat.ts";
export * from "./events.ts";
export * from "./game-server.ts";
export * from "./known-players.ts";
export * from "./linking.ts";
export * from "./moderation.ts";
export * from "./service.ts";
export * from "./sign-in.ts";
export * from "./whitelist.ts";
