// All that is declared, for what describes it and for the types of the client.
export * from "./chat.ts";
export * from "./events.ts";
export * from "./game.ts";
export * from "./known.ts";
export * from "./linking.ts";
export * from "./moderation.ts";
export * from "./service.ts";
export * from "./sign-in.ts";
export * from "./whitelist.ts";
