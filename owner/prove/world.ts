import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../cli/errno.ts";
import { isFault } from "../bds/fault.ts";
import { isObject, parseJson } from "../bds/json-text.ts";
import { setProperties } from "../bds/properties.ts";
import { decodeText, encodeText } from "../bds/text.ts";
import { CannotRun } from "./fault.ts";
import { type Ports, udpPortsOf } from "./network.ts";

/** Name of the new world. */
const LEVEL = "prove";
/** Permission bits of files with secrets. */
const PRIVATE = 0o600;

/** Who may come to the copy. */
export interface Openness {
  /** whether online-mode and allow-list are on */
  online: boolean;
  /** whether a player from another machine may join */
  isOpen: boolean;
  /** whether it may be seen in the local network, and tells anybody of itself */
  isSeen: boolean;
}

/**
 * What server.properties of the copy says, whatever its owner has there: a new world, ports and an address of its own, nobody who
 * sees it in the local network, and no line kept from its console. The rest stays as it is.
 */
export const propertiesFor = (
  ports: Ports,
  { online, isOpen, isSeen }: Openness,
): Record<string, string | undefined> => ({
  "server-name": "web bridge trial",
  "level-name": LEVEL,
  "level-seed": "",
  gamemode: "survival",
  difficulty: "normal",
  "allow-cheats": "true",
  "max-players": "10",
  "server-port": String(ports.game),
  "server-portv6": String(ports.gameV6),
  "server-ip": isOpen ? "" : "127.0.0.1",
  "server-udp-ports": udpPortsOf(ports),
  "enable-lan-visibility": String(isSeen),
  "online-mode": String(online),
  "allow-list": String(online),
  "allow-player-joining": undefined,
  "chat-restriction": "None",
  "content-log-level": "verbose",
  "allow-inbound-script-debugging": undefined,
  "allow-outbound-script-debugging": undefined,
  "script-debugger-auto-attach": undefined,
  "emit-server-telemetry": "false",
});

const REPEATED = "server-udp-ports";

/** Changes server.properties of the copy. */
export function setUpProperties(folder: string, values: Record<string, string | undefined>): void {
  const path = join(folder, "server.properties");
  const text = decodeText(readFileSync(path));
  if (isFault(text)) throw new CannotRun(`server.properties: ${text.fault}`);
  // A key may stand there several times, and all its lines count: each would say the same.
  const once = setProperties(text.text, REPEATED in values ? { [REPEATED]: undefined } : {});
  writeFileSync(path, encodeText({ ...text, text: setProperties(once, values) }));
}

/** The lists of players of a new server, which say that nobody is known. */
export function emptyLists(folder: string): void {
  for (const name of ["allowlist.json", "permissions.json"]) writeFileSync(join(folder, name), "[]\n");
}

/** What the script of the probes is to be allowed beside what setup allows the pack. */
export interface Allowed {
  addresses: readonly string[];
  requests: number;
  /** largest body of one, in bytes */
  bodyBytes: number;
  modules: readonly string[];
}

/**
 * Lets a script use and ask more. The file is one that setup has made.
 * @throws where it cannot be read
 */
export function allowMore(
  folder: string,
  module: string,
  { addresses, requests, bodyBytes, modules }: Allowed,
): void {
  const path = join(folder, "config", module.toLowerCase(), "permissions.json");
  const read = parseJson(readFileSync(path, "utf8"));
  if (isFault(read)) throw new Error(`permissions.json: ${read.fault}`);
  const { value } = read;
  const all = isObject(value) && isObject(value.module_permissions) ? value.module_permissions : {};
  const net = all["@minecraft/server-net"];
  if (!isObject(value) || !isObject(net)) throw new Error("permissions.json: has nothing of server-net");
  value.allowed_modules = union(value.allowed_modules, modules);
  net.allowed_uris = union(net.allowed_uris, addresses);
  net.max_concurrent_requests = requests;
  net.max_body_bytes = bodyBytes;
  writeFileSync(path, JSON.stringify(value, undefined, 2));
}

const union = (have: unknown, more: readonly string[]): unknown[] => [
  ...new Set<unknown>([...(Array.isArray(have) ? have : []), ...more]),
];

/** A file below a folder; undefined where there is none. */
export function readBelow(folder: string, path: string): string | undefined {
  if (path.split("/").includes("..")) throw new RangeError(`${path}: leads out of the copy`);
  const full = join(folder, ...path.split("/"));
  try {
    return existsSync(full) ? readFileSync(full, "utf8") : undefined;
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`);
  }
}

/** Writes a file that only this user may read. */
export function writePrivate(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: PRIVATE, flag: "wx" });
}
