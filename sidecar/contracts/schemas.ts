import type { Schema } from "../../shared/public/declare.ts";
import * as messages from "../../shared/public/messages.ts";
import { NAME_PATTERNS, type WhitelistNames } from "../domain/whitelist.ts";

/** Every object of the public service with its name among the schemas, in the order of the document. */
export const declared = (names: WhitelistNames) => ({
  Metrics: messages.metrics,
  PlayerData: messages.playerData,
  Players: messages.players,
  ServerInfo: messages.serverInfo,
  ListedServer: messages.listedServer,
  Servers: messages.servers,
  ServerState: messages.serverState,
  HistoryPoint: messages.historyPoint,
  History: messages.historyData,
  KnownPlayer: messages.knownPlayer,
  Stay: messages.stay,
  KnownPlayers: messages.knownPlayers,
  KnownPlayerData: messages.knownPlayerData,
  HistoryMean: messages.historyMean,
  HistoryMeans: messages.historyMeans,
  FeedPlayer: messages.feedPlayer,
  ChatEvent: messages.chatEvent,
  PlayerEvent: messages.playerEvent,
  DeathEvent: messages.deathEvent,
  ServerEvent: messages.serverEvent,
  GapEvent: messages.gapEvent,
  EventObject: messages.eventObject,
  Events: messages.events,
  InitializationData: messages.initializationData,
  LinkRequest: messages.linkRequest,
  LinkedPlayerResponse: messages.linkedPlayerResponse,
  SessionData: messages.sessionData,
  SessionLabel: messages.sessionLabel,
  SignInState: messages.signInState,
  GoOnRequest: messages.goOnRequest,
  SignInEnd: messages.signInEnd,
  KnownSites: messages.knownSites,
  SiteEnded: messages.siteEnded,
  WhitelistRequest: messages.whitelistRequest(NAME_PATTERNS[names]),
  WhitelistRemoval: messages.whitelistRemoval,
  Whitelist: messages.whitelist,
  VerificationSent: messages.verificationSent,
  AlreadyPending: messages.alreadyPending,
  Unlinked: messages.unlinked,
  Removed: messages.removed,
  Whitelisted: messages.whitelisted,
  ShownServer: messages.shownServer,
  ServiceSettings: messages.serviceSettings,
  Health: messages.health,
  Ready: messages.ready,
  NotReady: messages.notReady,
  OpenApi: messages.openApi,
  AsyncApi: messages.asyncApi,
  Error: messages.error,
});
export type SchemaName = keyof ReturnType<typeof declared>;

/** The schemas of a service that takes these names on its whitelist. */
export const schemasFor = (names: WhitelistNames): Record<string, Schema> =>
  Object.fromEntries(Object.entries(declared(names)).map(([name, { schema }]) => [name, schema]));
