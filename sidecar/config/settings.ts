import type { LinkForm } from "../../shared/frames.ts";
import { adminKeys, moderators } from "./admin-keys.ts";
import { bool, duration, int, oneOf } from "./kind.ts";
import { MESSAGES } from "./messages.ts";
import {
  bridgeToken,
  cookieName,
  headerKey,
  host,
  hosts,
  origins,
  publicOrigins,
  requestUrlOrBlank,
  trustProxy,
} from "./net-kinds.ts";
import { redisLogin, redisName, redisPrefix, redisUrls } from "./redis-kinds.ts";
import { INFO, serverName, servers } from "./servers.ts";
import { mapSettings, type Setting, secret, setting, type Values } from "./setting.ts";
import { issuer, signInClients } from "./sign-in.ts";
import {
  accent,
  joinAddress,
  knownShow,
  optionalPath,
  path,
  processName,
  title,
  webChat,
} from "./text-kinds.ts";
import { webhooks } from "./webhooks.ts";

const port = int(0, 65_535);
const perMinute = int(1, 10_000_000);

/**
 * The one table of settings, in the order of the file, each with its kind, its default and its comment. Types, reading, the
 * environment, and the file of the first start are derived from it.
 */
export const SETTINGS = {
  modules: {
    api: {
      host: setting(host, "0.0.0.0")`Address that the public listener binds to; localhost means 127.0.0.1`,
      port: setting(port, 8080)`Port of the public listener; 0 takes any free one`,
      hosts: setting(
        hosts,
        [],
      )`Names by which browsers may reach the public listener, besides localhost and its own address; none: any name, or
        only these two if host is 127.0.0.1`,
      corsOrigins: setting(origins, [])`Websites that may call the API from a browser: exact origins such as
        https://example.com, no wildcards`,
      publicOrigins: setting(
        publicOrigins,
        "",
      )`Websites that may read what needs no cookie and no key, such as
        status and players: "*" in quotes means any website; blank: only those of cors-origins`,
      adminApiKey: secret(
        headerKey,
      )`Key with the name admin, for the whitelist and browser links; blank: none`,
      adminKeys: setting(adminKeys, [])`More keys, one for each person or program: a list of {name, sha256,
        scopes, servers}, as the key command prints them`,
      moderators: setting(moderators, [])`Players who may moderate by the link of their browser, without a
        key: a list of {player, scopes, servers}, where player is a uuid or a name`,
      whitelistNames: setting(oneOf("java", "gamertag"), "java")`Names that the whitelist accepts: java (1 to
        16 of A-Z, a-z, 0-9 and _) or gamertag (also letters of any script, and spaces)`,
      metricsRefreshInterval: setting(duration("100ms", "1h"), "5s")`How often the game server reports metrics
        and players`,
      heartbeatInterval: setting(duration("100ms", "1h"), "20s")`How often each WebSocket gets a PING`,
      verificationTimeout: setting(duration("500ms", "30d"), "2m")`How long a player has to answer a link
        request`,
      linkForm: setting(oneOf<LinkForm>("buttons", "chest"), "buttons")`How players see link requests:
        buttons, or chest, which needs this product's resource pack`,
      chat: {
        web: setting(webChat, "everybody")`Who may write in the chat from the website: everybody, linked (only
          linked browsers), read-only (nobody), or off: no chat on the website`,
        relay: setting(bool, false)`Whether chat of one game server is shown on the others; only with several
          game servers`,
      },
      events: {
        keep: setting(int(0, 10_000), 500)`How many recent events are kept for visitors who come later, at
          most half of them chat from the website; 0: none`,
        keepFor: setting(duration("1s", "30d"), "1h")`How long recent events are kept`,
      },
      knownPlayers: {
        show: setting(knownShow, "key")`Who can see the list of past players: everybody, key (with the scope
          players:read), or off (keep no list and delete the old one)`,
        keepFor: setting(duration("1ms", "3650d"), "730d")`How long a past player stays on the list after the
          last visit`,
        staysFor: setting(duration("1ms", "3650d"), "30d")`How long the times of a player's visits are kept`,
      },
      sessionCookie: {
        name: setting(cookieName, "website_user_uuid")`Name of the session cookie, which tells browsers
          apart`,
        maxAge: setting(duration("1s", "400d", "whole seconds"), "30d")`How long a browser keeps the session
          cookie`,
      },
      /** as Express takes it under that name */
      trustProxy: setting(trustProxy, false)`Proxies whose X-Forwarded headers are trusted: false, true, how
        many, or their addresses`,
      limits: {
        bodyBytes: setting(int(64, 1_048_576), 16_384)`Largest request body, in bytes`,
        connections: setting(int(1, 100_000), 8000)`Open connections, including WebSockets`,
        connectionsPerAddress: setting(int(1, 100_000), 3000)`Open connections from one address; trusted
          proxies have no limit`,
        websocketClients: setting(int(1, 100_000), 5000)`Open WebSockets`,
        websocketClientsPerAddress: setting(int(1, 100_000), 2000)`Open WebSockets from one address`,
        websocketBufferBytes: setting(int(1024, 1_073_741_824), 1_048_576)`Unsent bytes after which a
          WebSocket that does not keep up is closed`,
        eventClients: setting(int(1, 100_000), 5000)`Open event streams`,
        eventClientsPerAddress: setting(int(1, 100_000), 2000)`Open event streams from one address`,
        messageBytes: setting(int(64, 1_048_576), 131_072)`Largest WebSocket message, in bytes`,
        /** in UTF-16 code units */
        messageLength: setting(int(1, 1500), 512)`Longest chat message from the website, in characters`,
        messagesPerSecond: setting(int(1, 10_000), 2)`Sustained messages per second per WebSocket`,
        messagesBurst: setting(int(1, 10_000), 20)`Burst size of messages per WebSocket`,
        messagesPerMinutePerAddress: setting(perMinute, 120)`Chat messages per minute from one address`,
        chatLinesPerSecond: setting(int(1, 10_000), 10)`Sustained chat messages per second from the website,
          all visitors together`,
        chatLinesBurst: setting(int(1, 10_000), 60)`Burst size of chat messages from the website, all visitors
          together`,
        linkRequestsPerMinute: setting(perMinute, 20)`Link requests per minute per browser`,
        linkRequestsPerMinutePerAddress: setting(perMinute, 120)`Link requests per minute per address`,
        linkRequestsPerMinutePerPlayer: setting(int(1, 1_000), 10)`Link requests per minute that reach one
          player, from all visitors together`,
        linkRequestsPerSecond: setting(int(1, 10_000), 10)`Sustained link requests per second that go to the
          game, all visitors together; counted separately for online players and for other names`,
        linkRequestsBurst: setting(int(1, 10_000), 60)`Burst size of link requests that go to the game`,
        linkCoolDown: setting(duration("0s", "1h"), "30s")`How long an address or browser has to wait after
          one player declined three requests; doubles with each further one; 0s: never`,
        requestsPerMinute: setting(perMinute, 3000)`Requests per minute per address`,
        knownPlayers: setting(int(1, 1_000_000), 100_000)`Past players on the list; beyond that, those not
          seen for the longest time are removed`,
      },
    },
    web: {
      enabled: setting(bool, true)`Whether the web console is served at / and the API documentation at /docs`,
      title: setting(title, "Game server")`Title of the web console`,
      accent: setting(accent, "")`Accent colour of the web console, adjusted for contrast; blank: green`,
      logo: setting(optionalPath, "")`Logo of the web console: an SVG, PNG, WebP or JPEG file of at most 128
        KiB; blank: none`,
      joinAddress: setting(joinAddress, "")`Address that the web console shows for players to join; blank:
        that of server.info.address`,
      frameOrigins: setting(origins, [])`Websites that may embed the web console in a frame: exact origins, no
        wildcards`,
    },
    updates: setting(
      requestUrlOrBlank,
      "",
    )`Address that the sidecar requests once a day to hear of a new release;
      blank: none`,
  },
  bridge: {
    host: setting(host, "127.0.0.1")`Address that the bridge listener, for the add-on, binds to;
      localhost means 127.0.0.1`,
    port: setting(port, 8081)`Port of the bridge listener, for the add-on`,
    /** generated at the first start if empty, see `bridgeToken` */
    token: secret(bridgeToken)`Password between the add-on and the sidecar; empty: created on first
      start, in the file bridge-token of the storage folder`,
  },
  webhooks: setting(webhooks, [])`Addresses that events are sent to: a list of {url, events, format, secret,
    allow-private}`,
  signIn: {
    enabled: setting(bool, false)`Whether players can sign in to other sites`,
    issuer: setting(issuer, "")`Address by which browsers reach the service, such as https://play.example.com;
      required if sign-in is enabled`,
    clients: setting(signInClients, [])`Sites that players can sign in to: a list of {id, name, redirect-uris,
      secret-sha256}, as the key command prints them with --sign-in`,
  },
  storage: {
    kind: setting(oneOf("embedded", "redis"), "embedded")`Where links and other data are stored: embedded (in
      the folder, for one sidecar) or redis (for any number of them)`,
    folder: setting(path, "data")`Folder for data, relative to this file`,
    url: secret(redisUrls)`Address of Redis or Valkey, such as redis://user:password@redis.example:6379, or
      rediss:// for TLS; several addresses of one service separated by commas`,
    prefix: setting(redisPrefix, "web-bridge")`Prefix of every key in Redis; each bridge needs its own`,
    sentinel: setting(redisName, "")`Name of the service if the addresses are those of Redis Sentinel; blank:
      they are those of Redis`,
    ca: setting(optionalPath, "")`File with the CA certificates for rediss://, in PEM; blank: those that Node
      trusts`,
    clientCert: setting(optionalPath, "")`File with the client certificate for rediss://, in PEM; blank:
      none`,
    clientKey: setting(optionalPath, "")`File with the key of storage.client-cert, in PEM, without a
      passphrase`,
    sentinelUser: setting(redisLogin, "")`User name for the Sentinels, if storage.sentinel-password is set;
      blank: the default user`,
    sentinelPassword: secret(redisLogin)`Password for the Sentinels, if it differs from that of Redis; blank:
      that of storage.url, if any`,
  },
  server: {
    name: setting(serverName, "main")`Name of the first game server, used with several: 1 to 32 of a-z, 0-9
      and -`,
    process: setting(processName, "auto")`Process whose memory and CPU are shown: auto, a process id, or the
      path of a pid file`,
    info: {
      title: setting(INFO.title, "")`Name of the game server in GET /server; blank: none`,
      address: setting(INFO.address, "")`Address that players enter to join, in GET /server; blank: none`,
      version: setting(INFO.version, "")`Version of the game in GET /server; blank: as the game server at the
        port below reports it`,
      maxPlayers: setting(INFO.maxPlayers, 0)`Most players in GET /server; 0: as the game server at the port
        below reports it`,
      port: setting(
        INFO.port,
        0,
      )`Port of the game server on this machine (server-port). The sidecar asks it for
        the version and the player limit if they are not set; 0: it does not ask`,
    },
  },
  servers: setting(servers, [])`More game servers besides the first: a list of {name, title, token, process,
    info}; only name is required`,
  log: {
    level: setting(oneOf("debug", "info", "warn", "error", "silent"), "info")`Lowest level that is logged:
      debug, info, warn, error, silent`,
    format: setting(oneOf("auto", "pretty", "json"), "auto")`Format of the log: json, pretty, or auto: pretty
      for a terminal, a file or the journal, else json`,
  },
  messages: MESSAGES,
};

/** The checked configuration. Durations are in milliseconds, paths are absolute. */
export type Config = Values<typeof SETTINGS>;

const byPath = new Map<string, Setting<unknown>>();
mapSettings(SETTINGS, (at, each) => byPath.set(at, each));

/** Every setting by its path in the file, such as `modules.api.cors-origins`. */
export const SETTINGS_BY_PATH: ReadonlyMap<string, Setting<unknown>> = byPath;

export const VARIABLE_PREFIX = "WEB_BRIDGE_";

/** The environment variable that overrides the setting at a path. */
export const variableOf = (at: string): string =>
  `${VARIABLE_PREFIX}${at.toUpperCase().replace(/[.-]/g, "_")}`;
