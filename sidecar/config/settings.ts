import type { LinkForm } from "../../shared/frames.ts";
import { adminKeys } from "./admin-keys.ts";
import { bool, duration, int, oneOf } from "./kind.ts";
import { MESSAGES } from "./messages.ts";
import { bridgeToken, cookieName, headerKey, host, hosts, origins, trustProxy } from "./net-kinds.ts";
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
 * environment, and the file that the first start makes come from it.
 */
export const SETTINGS = {
  modules: {
    api: {
      host: setting(host, "0.0.0.0")`Address of the public listener; localhost is 127.0.0.1`,
      port: setting(port, 8080)`Port of the public listener; 0 takes any free one`,
      hosts: setting(hosts, [])`Names that the public listener answers to, besides its own address and those
        for loopback; none: to any, on loopback to none but those`,
      corsOrigins: setting(origins, [])`Websites whose pages may call: exact origins such as
        https://example.com, no wildcards`,
      adminApiKey: secret(headerKey)`Key for the whitelist and for links of browsers, with the name admin;
        blank: none`,
      adminKeys: setting(adminKeys, [])`More keys, one for each person or program: a list of {name, sha256,
        scopes, servers}, as npm run key prints them`,
      whitelistNames: setting(oneOf("java", "gamertag"), "java")`Names that can be put on the whitelist: java
        (1 to 16 of A-Z, a-z, 0-9 and _) or gamertag (letters of any script and spaces, too)`,
      metricsRefreshInterval: setting(duration("100ms", "1h"), "5s")`How often the game sends metrics and
        players`,
      heartbeatInterval: setting(duration("100ms", "1h"), "20s")`How often each WebSocket gets a PING`,
      verificationTimeout: setting(duration("500ms", "30d"), "2m")`How long a player may answer a link
        request`,
      linkForm: setting(oneOf<LinkForm>("buttons", "chest"), "buttons")`How the link form looks: buttons, or
        chest for players who have the resource pack of this product`,
      chat: {
        web: setting(webChat, "everybody")`Who may write into the chat from the web: everybody, linked
          browsers only, nobody (read-only), or off: no chat on the web`,
        relay: setting(bool, false)`Whether what is said on one game server is shown on the others; only where
          there are servers beside the first`,
      },
      events: {
        keep: setting(int(0, 10_000), 500)`How much of what happened is kept for those who were away: events,
          at most half of them lines of the web, 0 for none`,
        keepFor: setting(duration("1s", "30d"), "1h")`How long it is kept`,
      },
      knownPlayers: {
        show: setting(knownShow, "key")`Who reads of everybody who has been here: everybody, key (with the
          scope players:read), or off: nothing is remembered, and what was is erased`,
        keepFor: setting(duration("1ms", "3650d"), "730d")`How long a player who does not come is remembered`,
        staysFor: setting(duration("1ms", "3650d"), "30d")`How long is remembered when a player was here`,
      },
      sessionCookie: {
        name: setting(cookieName, "website_user_uuid")`Name of the cookie that tells browsers apart`,
        maxAge: setting(duration("1s", "400d", "whole seconds"), "30d")`How long a browser keeps the cookie`,
      },
      /** as Express takes it under that name */
      trustProxy: setting(trustProxy, false)`Proxies whose X-Forwarded headers are believed: false, true, how
        many, or their addresses`,
      limits: {
        bodyBytes: setting(int(64, 1_048_576), 16_384)`Largest body of a request`,
        connections: setting(int(1, 100_000), 8000)`Connections open at once, WebSockets included`,
        connectionsPerAddress: setting(int(1, 100_000), 3000)`Connections open at once from one address;
          believed proxies have no limit`,
        websocketClients: setting(int(1, 100_000), 5000)`WebSockets open at once`,
        websocketClientsPerAddress: setting(int(1, 100_000), 2000)`WebSockets open at once from one address`,
        websocketBufferBytes: setting(int(1024, 1_073_741_824), 1_048_576)`Unsent bytes after which a
          WebSocket that does not read is closed`,
        eventClients: setting(int(1, 100_000), 5000)`Event streams open at once`,
        eventClientsPerAddress: setting(int(1, 100_000), 2000)`Event streams open at once from one address`,
        messageBytes: setting(int(64, 1_048_576), 131_072)`Largest WebSocket message`,
        /** in UTF-16 code units */
        messageLength: setting(int(1, 1500), 512)`Longest chat from the web, in characters`,
        messagesPerSecond: setting(int(1, 10_000), 2)`Messages per WebSocket, lasting`,
        messagesBurst: setting(int(1, 10_000), 20)`Messages per WebSocket, at once`,
        messagesPerMinutePerAddress: setting(perMinute, 120)`Chat lines from one address`,
        chatLinesPerSecond: setting(int(1, 10_000), 10)`Chat lines from all of the web, lasting`,
        chatLinesBurst: setting(int(1, 10_000), 60)`Chat lines from all of the web, at once`,
        linkRequestsPerMinute: setting(perMinute, 20)`Link requests per browser`,
        linkRequestsPerMinutePerAddress: setting(perMinute, 120)`Link requests per address`,
        linkRequestsPerMinutePerPlayer: setting(int(1, 1_000), 10)`Link requests that reach one player, from
          everybody together`,
        linkRequestsPerSecond: setting(int(1, 10_000), 10)`Link requests from all of the web that go to the
          game, lasting; those for players online and those for other names apart`,
        linkRequestsBurst: setting(int(1, 10_000), 60)`The same, at once`,
        linkCoolDown: setting(duration("0s", "1h"), "30s")`How long an address or browser waits that one
          player refused three times; doubles with each further refusal; 0s: never`,
        requestsPerMinute: setting(perMinute, 3000)`Requests per address`,
        knownPlayers: setting(int(1, 1_000_000), 100_000)`Players who are remembered; past it the one who was
          unseen for longest is forgotten`,
      },
    },
    web: {
      enabled: setting(bool, true)`Whether the web console is served at /, and the page of the interface at
        /docs`,
      title: setting(title, "Game server")`Name that the web console shows`,
      accent: setting(accent, "")`Colour of what stands out on the web console, made legible; blank: green`,
      logo: setting(optionalPath, "")`Image that the web console shows beside its name: an SVG, PNG, WebP or
        JPEG file of at most 128 KiB; blank: none`,
      joinAddress: setting(joinAddress, "")`Address that the web console shows to players, to copy; blank:
        that of server.info.address`,
      frameOrigins: setting(origins, [])`Websites whose pages may show the web console in a frame: exact
        origins, no wildcards`,
    },
  },
  bridge: {
    host: setting(host, "127.0.0.1")`Address of the listener for the behavior pack; localhost is 127.0.0.1`,
    port: setting(port, 8081)`Port of the listener for the behavior pack`,
    /** made up on first start when it is empty, see `bridgeToken` */
    token: secret(bridgeToken)`Secret shared with the behavior pack; empty: made on first start, in the file
      bridge-token of the storage folder`,
  },
  webhooks: setting(webhooks, [])`Where events are sent to: a list of {url, events, format, secret,
    allow-private}`,
  signIn: {
    enabled: setting(bool, false)`Whether other sites can ask the players themselves who a visitor is`,
    issuer: setting(issuer, "")`Address under which browsers reach the service, such as
      https://play.example.com; needed where sign-in is enabled`,
    clients: setting(signInClients, [])`Sites that may ask: a list of {id, name, redirect-uris,
      secret-sha256}, as npm run key -- --sign-in prints them`,
  },
  storage: {
    kind: setting(oneOf("embedded", "redis"), "embedded")`Where links and all that is shared live: embedded
      (in the folder, for one sidecar) or redis (for any number of them)`,
    folder: setting(path, "data")`Folder of the storage, counted from this file`,
    url: secret(redisUrls)`Where Redis or Valkey is, such as redis://user:password@redis.example:6379 or
      rediss:// for TLS; several addresses of one service with commas between`,
    prefix: setting(redisPrefix, "web-bridge")`What every key in Redis begins with: another one for each
      bridge`,
    sentinel: setting(redisName, "")`Name of the service where the addresses are those of Redis Sentinel;
      blank: they are those of Redis`,
    ca: setting(optionalPath, "")`File with the certificates that those of rediss:// are checked by, in PEM;
      blank: those that Node trusts`,
    clientCert: setting(optionalPath, "")`File with the certificate that a rediss:// server asks its clients
      for, in PEM; blank: none`,
    clientKey: setting(optionalPath, "")`File with the key of storage.client-cert, in PEM, without a
      passphrase`,
    sentinelUser: setting(redisLogin, "")`User at the Sentinels, where storage.sentinel-password is set;
      blank: the default user`,
    sentinelPassword: secret(redisLogin)`Password of the Sentinels where it is not that of Redis; blank: that
      of storage.url, else none`,
  },
  server: {
    name: setting(serverName, "main")`What the first game server is called where there are several: 1 to 32 of
      a-z, 0-9 and -`,
    process: setting(processName, "auto")`Game server whose memory and CPU are shown: auto, a process id, or
      the path of a pid file`,
    info: {
      title: setting(INFO.title, "")`Name of the game server, as GET /server tells it; blank: not told`,
      address: setting(INFO.address, "")`Address that players type to join, as GET /server tells it; blank:
        not told`,
      version: setting(INFO.version, "")`Version of the game, as GET /server tells it; blank: as the game
        server at the port below tells it`,
      maxPlayers: setting(INFO.maxPlayers, 0)`Players that fit in, as GET /server tells it; 0: as the game
        server at the port below tells it`,
      port: setting(INFO.port, 0)`Port of the game server on this machine (server-port), where it is asked for
        what is blank above; 0: it is not asked`,
    },
  },
  servers: setting(servers, [])`Further game servers beside the first: a list of {name, title, token, process,
    info}, of which only name is needed`,
  log: {
    level: setting(oneOf("debug", "info", "warn", "error", "silent"), "info")`Least level that is logged:
      debug, info, warn, error, silent`,
    format: setting(oneOf("auto", "pretty", "json"), "auto")`Form of the log: json, pretty, or auto: pretty
      where a person reads it and json elsewhere`,
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
