import type { ServerFolder } from "../../bds/folder.ts";
import { knownGameVersion } from "../../bds/game-version.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { isOwners } from "./choices.ts";
import type { Disk } from "./disk.ts";
import { entryIn, infoOf, SERVERS } from "./server-entries.ts";
import { type EditResult, textAfter, withInElement, withValue } from "./yaml-edit.ts";

/** Which names the whitelist takes: gamertags of Bedrock have spaces. */
export const NAMES = "modules.api.whitelist-names";
/** Settings that setup fills in: information about the server without its address, and the names. */
export const INFO_KEYS = [
  "server.info.title",
  "server.info.version",
  "server.info.max-players",
  "server.info.port",
  NAMES,
] as const;
type Key = (typeof INFO_KEYS)[number];

/** Values for the sidecar's configuration, by key. */
export type ServerInfo = Partial<Record<Key, string | number>>;

/**
 * What a server's folder says for certain. Titles lose their formatting codes.
 * @param filled values of earlier runs; undefined: this is the first one
 */
export function readServerInfo(server: ServerFolder, disk: Disk, filled?: ServerInfo): ServerInfo {
  const { properties } = server;
  const serverInfo: ServerInfo = {
    "server.info.title": (properties.get("server-name") ?? "").replace(/\u00a7./gu, "").trim(),
    "server.info.version": knownGameVersion(server, disk) ?? "",
    "server.info.max-players": Number(properties.get("max-players") ?? 0),
    "server.info.port": Number(properties.get("server-port") ?? 0),
    [NAMES]: filled === undefined || filled[NAMES] !== undefined ? "gamertag" : "java",
  };
  return pick(key => {
    const value = serverInfo[key];
    return !isDefault(key, value) && isValid(key, value) ? value : undefined;
  });
}

/**
 * The values that have to be written: where the configuration has none, or that of an earlier run. Values that the owner has
 * written, or removed, stay.
 * @param filled values of earlier runs
 * @param as name in `servers`; undefined: the first game server
 */
export function infoToWrite(
  text: string,
  serverInfo: ServerInfo,
  filled: ServerInfo,
  as?: string,
): ServerInfo {
  const now = infoIn(text, as);
  return pick(key =>
    now[key] === filled[key] && now[key] !== serverInfo[key] && !(key === NAMES && isOwners(text, NAMES))
      ? serverInfo[key]
      : undefined,
  );
}

/** The values that are for all game servers. */
export const namesOf = ({ [NAMES]: names }: ServerInfo): ServerInfo =>
  names === undefined ? {} : { [NAMES]: names };

/** The text with values in it; values that cannot be written are left out. */
export function setInfo(text: string, info: ServerInfo, as?: string): string {
  return INFO_KEYS.reduce((before, key) => {
    const value = info[key];
    return value === undefined ? before : textAfter(withInfo(before, key, value, as), before);
  }, text);
}

/** Path of a key in an entry of `servers`; undefined: it is for all game servers. */
const inEntry = (key: Key): string | undefined => (key === NAMES ? undefined : key.replace("server.", ""));

function withInfo(text: string, key: Key, value: string | number, as: string | undefined): EditResult {
  const path = inEntry(key);
  if (as === undefined || path === undefined) return withValue(text, key, value);
  const { list, index } = entryIn(text, as);
  return withInElement(text, SERVERS, list, index, path, value);
}

/** The values in a text that are not blank. */
export function infoIn(text: string, as?: string): ServerInfo {
  const { values } = readFileValues(text);
  const info = as === undefined ? undefined : infoOf(entryIn(text, as).entry);
  return pick(key => {
    const path = inEntry(key);
    const value = as === undefined || path === undefined ? values.get(key) : info?.[path];
    return (typeof value === "string" || typeof value === "number") && !isDefault(key, value)
      ? value
      : undefined;
  });
}

const isDefault = (key: Key, value: unknown): boolean => SETTINGS_BY_PATH.get(key)?.default === value;

const isValid = (key: Key, value: unknown): boolean =>
  "value" in (SETTINGS_BY_PATH.get(key)?.read(value, "/") ?? {});

const pick = (read: (key: Key) => string | number | undefined): ServerInfo =>
  Object.fromEntries(
    INFO_KEYS.flatMap(key => {
      const value = read(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
