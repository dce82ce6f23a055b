import { LINK_FORMS, LOG_FORMATS, LOG_LEVELS } from "./config.ts";
import { duration, flag, type Kind, whole, wholeSeconds, word } from "./kind.ts";
import { MESSAGE_KEYS, MESSAGES, type MessageKey } from "./messages.ts";
import { bridgeToken, cookieName, headerKey, host, origins, trustProxy } from "./net-kinds.ts";
import { MESSAGE_KINDS, path, processName, title } from "./text-kinds.ts";

/** One setting. The default is in the form in which the file has it. */
export interface Setting<T> {
  kind: Kind<T>;
  standard: string | number | boolean | string[];
  /** one line, as the comment in the file */
  help: string;
  /** never shown, not even when it is wrong */
  secret?: true;
}

type Standard = Setting<unknown>["standard"];

const set = <T>(kind: Kind<T>, standard: Standard, help: string): Setting<T> => ({ kind, standard, help });
const secret = (kind: Kind<string>, help: string): Setting<string> => ({
  ...set(kind, "", help),
  secret: true,
});

const port = whole(0, 65_535);
const perMinute = whole(1, 10_000_000);

/** Every setting but the texts, by its path in the file, in the order of the file. */
const OWN = {
  "modules.api.host": set(host, "0.0.0.0", "Address of the public listener"),
  "modules.api.port": set(port, 8080, "Port of the public listener; 0 takes any free one"),
  "modules.api.cors-origins": set(
    origins,
    [],
    "Websites whose pages may call: exact origins such as https://example.com, no wildcards",
  ),
  "modules.api.admin-api-key": secret(headerKey, "Key for the whitelist; blank turns the whitelist off"),
  "modules.api.metrics-refresh-interval": set(
    duration("100ms", "1h"),
    "5s",
    "How often the game sends metrics and players",
  ),
  "modules.api.heartbeat-interval": set(
    duration("100ms", "1h"),
    "20s",
    "How often each WebSocket gets a PING",
  ),
  "modules.api.verification-timeout": set(
    duration("500ms", "30d"),
    "2m",
    "How long a player may answer a link request",
  ),
  "modules.api.link-form": set(
    word(...LINK_FORMS),
    "buttons",
    "How the link form looks: buttons, or chest for players who have the resource pack of this product",
  ),
  "modules.api.session-cookie.name": set(
    cookieName,
    "website_user_uuid",
    "Name of the cookie that tells browsers apart",
  ),
  "modules.api.session-cookie.max-age": set(
    wholeSeconds("1s", "400d"),
    "30d",
    "How long a browser keeps the cookie",
  ),
  "modules.api.trust-proxy": set(
    trustProxy,
    false,
    "Proxies whose X-Forwarded headers are believed: false, true, how many, or their addresses",
  ),
  "modules.api.limits.body-bytes": set(whole(64, 1_048_576), 16_384, "Largest body of a request"),
  "modules.api.limits.websocket-clients": set(whole(1, 100_000), 5000, "WebSockets open at once"),
  "modules.api.limits.websocket-clients-per-address": set(
    whole(1, 100_000),
    2000,
    "WebSockets open at once from one address",
  ),
  "modules.api.limits.websocket-buffer-bytes": set(
    whole(1024, 1_073_741_824),
    1_048_576,
    "Unsent bytes after which a WebSocket that does not read is closed",
  ),
  "modules.api.limits.message-bytes": set(whole(64, 1_048_576), 131_072, "Largest WebSocket message"),
  "modules.api.limits.message-length": set(whole(1, 1500), 512, "Longest chat from the web, in characters"),
  "modules.api.limits.messages-per-second": set(whole(1, 10_000), 5, "Messages per WebSocket, lasting"),
  "modules.api.limits.messages-burst": set(whole(1, 10_000), 20, "Messages per WebSocket, at once"),
  "modules.api.limits.messages-per-minute-per-address": set(perMinute, 600, "Chat lines from one address"),
  "modules.api.limits.link-requests-per-minute": set(perMinute, 20, "Link requests per browser"),
  "modules.api.limits.link-requests-per-minute-per-address": set(perMinute, 120, "Link requests per address"),
  "modules.api.limits.requests-per-minute": set(perMinute, 3000, "Requests per address"),
  "modules.web.enabled": set(flag, true, "Whether the web console is served at /"),
  "modules.web.title": set(title, "Game server", "Name that the web console shows"),
  "modules.web.frame-origins": set(
    origins,
    [],
    "Websites whose pages may show the web console in a frame: exact origins, no wildcards",
  ),
  "bridge.host": set(host, "127.0.0.1", "Address of the listener for the behavior pack"),
  "bridge.port": set(port, 8081, "Port of the listener for the behavior pack"),
  "bridge.token": secret(
    bridgeToken,
    "Secret shared with the behavior pack; empty: made on first start, in the file bridge-token of the storage folder",
  ),
  "storage.kind": set(word("embedded"), "embedded", "Where links live"),
  "storage.folder": set(path, "data", "Folder of the storage, counted from this file"),
  "server.process": set(
    processName,
    "auto",
    "Game server whose memory and CPU are shown: auto, a process id, or the path of a pid file",
  ),
  "log.level": set(
    word(...LOG_LEVELS),
    "info",
    "Least level that is logged: debug, info, warn, error, silent",
  ),
  "log.format": set(
    word(...LOG_FORMATS),
    "auto",
    "Form of the log: json, pretty, or auto: pretty on a terminal and json elsewhere",
  ),
};

type MessageSettings = Record<`messages.${MessageKey}`, Setting<string>>;

export type Settings = typeof OWN & MessageSettings;
export type SettingPath = keyof Settings;
/** The value of every setting, in the form of `Config`. */
export type Values = { [P in SettingPath]: Settings[P] extends Setting<infer T> ? T : never };

const texts = Object.fromEntries(
  MESSAGE_KEYS.map(key => [
    `messages.${key}`,
    set(MESSAGE_KINDS[key], MESSAGES[key].text, MESSAGES[key].help),
  ]),
) as MessageSettings;

/** The one table of settings: reading, defaults, the environment and the file made on first start come from it. */
export const SETTINGS: Settings = { ...OWN, ...texts };

export const SETTING_PATHS = Object.keys(SETTINGS) as SettingPath[];

/** The setting at a path, of whichever type. */
export const settingAt = (at: SettingPath): Setting<unknown> => SETTINGS[at];

export const isSettingPath = (at: string): at is SettingPath => Object.hasOwn(SETTINGS, at);

/** The environment variable that overrides a setting. */
export const variableOf = (at: SettingPath): string =>
  `${VARIABLE_PREFIX}${at.toUpperCase().replace(/[.-]/g, "_")}`;

export const VARIABLE_PREFIX = "WEB_BRIDGE_";
