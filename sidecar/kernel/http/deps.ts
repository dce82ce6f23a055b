import type { Duplex } from "node:stream";
import type { RequestHandler, Response } from "express";
import type { Answer, Client } from "../../../client/http.ts";
import type { Config } from "../../config/settings.ts";
import type { Bans } from "../../features/bans/bans.ts";
import type { Chat } from "../../features/chat/chat.ts";
import type { LabelOf } from "../../features/chat/labels.ts";
import type { ChatRates } from "../../features/chat/socket/rates.ts";
import type { WebChat } from "../../features/chat/web-chat.ts";
import type { WebFile } from "../../features/console/web-files.ts";
import type { Feed } from "../../features/feed/feed.ts";
import type { KnownList } from "../../features/known-players/known-list.ts";
import type { Links } from "../../features/linking/links.ts";
import type { Announce } from "../../features/moderation/announce.ts";
import type { World, Worlds } from "../../features/servers/world.ts";
import type { Sites } from "../../features/sites/sites.ts";
import type { SidecarMetrics } from "../../platform/metrics.ts";
import type { Clock, Log, Rates } from "../storage/ports.ts";
import type { Storage } from "../storage/waiting.ts";
import type { Admission } from "./admission.ts";
import type { Handler } from "./body.ts";
import type { Trust } from "./client-address.ts";
import { sendError } from "./errors.ts";
import { retryAfter } from "./headers.ts";
import type { Keys } from "./keys.ts";
import type { Patience } from "./overload/server.ts";
import type { Refusals } from "./refusals.ts";
import type { StrangerLog } from "./stranger-log.ts";

/** How a page looks, by paths from where it lies. */
export interface Look {
  /** of the console */
  title: string;
  /** `#rrggbb`; blank: that of the style sheet */
  accent: string;
  icon: string | undefined;
}

/** What describes the service, made anew with each call. */
export interface Descriptions {
  /** of the calls */
  openApi(): object;
  /** of the chat */
  asyncApi(): object;
  /** both for people, as HTML */
  page(look: Look): string;
}

/** What the routes and sockets of the public listener work with. */
export interface PublicDeps {
  clock: Clock;
  log: Log;
  /** for lines that only owners can cause: none of them is left out */
  ownerLog: Log;
  api: Config["modules"]["api"];
  web: Config["modules"]["web"];
  /** files of the web console, empty when it was not built */
  webFiles: readonly WebFile[];
  /** the owner's, where the console is served */
  logo: WebFile | undefined;
  worlds: Worlds;
  feed: Feed;
  links: Links;
  /** undefined: nobody is remembered who has been here */
  knownList: KnownList | undefined;
  sites: Sites;
  /** makes the routes of sign-ins; undefined: other sites cannot ask who somebody is */
  signInRoutes: ((deps: PublicDeps) => Record<string, Handlers>) | undefined;
  /** why nothing can be stored at the moment, if so */
  storageFault: Storage["fault"];
  keys: Keys;
  chat: Chat;
  announce: Announce;
  bans: Bans;
  chatRates: ChatRates;
  rates: Rates;
  refusals: Refusals;
  webChat: WebChat;
  labelOf: LabelOf;
  metrics: SidecarMetrics;
  descriptions: Descriptions;
  patience: Patience;
  /** connections that the system leaves room for */
  possibleConnections: number;
}

/** The same for the routes of one game server. */
export type WorldDeps = PublicDeps & { world: World };

/** What router and sockets work with besides. */
export interface ListenerDeps extends PublicDeps {
  trust: Trust;
  admission: Admission;
  noteStranger: StrangerLog;
  /** to be called with a connection that is written to from now on: it stays when its address is shut out */
  lasts(socket: Duplex): void;
}

type Api = PublicDeps["api"];

/** When a client should ask again while what it needs is not there. */
export const retryAfterRefresh = (api: Api): ReturnType<typeof retryAfter> =>
  retryAfter(Math.max(1, Math.ceil(api.metricsRefreshInterval / 1000)));

/** Answers that no game server is there, or nothing can be stored. */
export const sendUnavailable = (res: Response, api: Api): void =>
  sendError(res, "server_unavailable", retryAfterRefresh(api));

/** What answers a path, by methods. */
export interface Handlers {
  get?: RequestHandler;
  post?: RequestHandler;
  delete?: RequestHandler;
  /** answers a preflight itself */
  options?: RequestHandler;
}

/** The handler behind a call of the client: it answers what the client has a type for, or an error, or `Other`. */
export type Route<K extends keyof Client, Other = never> = Handler<Answer<K> | Other>;
