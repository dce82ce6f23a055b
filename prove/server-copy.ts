import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, constants, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isFault } from "../bds/fault.ts";
import { installedPacks, openServer, type ServerFolder } from "../bds/folder.ts";
import { LAN_PORT } from "../bds/network.ts";
import { isForWindows, programIn } from "../bds/program.ts";
import { setProperties } from "../bds/properties.ts";
import { runningServers, sharesNetwork } from "../bds/running-servers.ts";
import { inside, realFolder } from "../bds/safe-paths.ts";
import { systemFiles, systemProcesses } from "../bds/system.ts";
import { decodeText, encodeText } from "../bds/text-encoding.ts";
import { isErrno, orElse, reasonOf } from "../cli/errno.ts";
import { freePort } from "../cli/free-port.ts";
import { CannotRun } from "./probe.ts";

const LEVEL = "prove";
/** The world of the pack that keeps achievements. */
const KEPT_LEVEL = "prove-kept";
/** Deepest folder that is copied: links may form a circle. */
const MAX_DEPTH = 30;

/**
 * The owner's files beside the program: worlds, backups, player lists, packs in development, settings and secrets of scripts,
 * keys, logs, files and packs of setup, hidden files, and archives.
 */
const LEFT_OUT = [
  /^(worlds?([ ._-][^/]*)?|([^/]*[ ._-])?back-?ups?([ ._-][^/]*)?)(\/|$)/i,
  /^(keys|development_[^/]*|logs?|dumps|crash[^/]*|minecraftpe|premium_cache|treatments)(\/|$)/i,
  /^(allowlist|whitelist|permissions|(in)?valid_known_packs|packet-statistics)\.(json|txt)$/i,
  /^web-bridge[^/]*(\/|$)|\.web-bridge-tmp$/i,
  /^(behavior|resource)_packs\/web_bridge(\/|$)/i,
  /^config\/(?!default(\/|$))./i,
  /^config\/default\/(secrets|variables)\.json$/i,
  /(^|\/)\.|^lost\+found(\/|$)/,
  /^[^/]*\.(zip|7z|rar|tar|t?gz|xz|zst|bz2|mcworld|mctemplate)$/i,
  /^(ContentLog|Dedicated_Server|profiler)[^/]*$/i,
  /^[^/]*\.(log|pid|dmp|core)$|^core\.\d+$/i,
];

/** Whether a path in the server's folder, with `/`, does not belong to the program. */
export const isLeftOut = (path: string): boolean => LEFT_OUT.some(pattern => pattern.test(path));

export interface NamedServer {
  readonly server: ServerFolder;
  readonly program: string;
}

/** @throws CannotRun for a folder that holds no server, or one for another system */
export function findServer(folder: string): NamedServer {
  const server = openServer(folder, systemFiles);
  if ("faults" in server) throw new CannotRun(...server.faults);
  const program = programIn(readdirSync(folder));
  if (program === undefined)
    throw new CannotRun(`${folder}: expected bedrock_server or bedrock_server-<version> in it`);
  const isWindows = isForWindows(program);
  if (isWindows !== (process.platform === "win32"))
    throw new CannotRun(
      `${folder}: contains the game server for ${isWindows ? "Windows" : "Linux"}: download the one for this system`,
    );
  return { server, program };
}

/**
 * Copies the program of a game server without the owner's worlds, players, keys and secrets, and without these packs. Writes
 * nothing into the folder.
 * @param ownPacks uuids of packs
 * @throws CannotRun where something cannot be read or written
 */
export async function copyServer(
  server: ServerFolder,
  to: string,
  ownPacks: ReadonlySet<string>,
): Promise<void> {
  const from = server.root;
  const root = realFolder(from);
  const installed = (["behavior", "resource"] as const)
    .flatMap(kind => installedPacks(server, kind, systemFiles))
    .filter(({ manifest }) => ownPacks.has(manifest.uuid))
    .map(({ folder }) => folder);
  const isWanted = (source: string): boolean => {
    const path = relative(from, source).split(sep).join("/");
    if (path === "") return true;
    if (isLeftOut(path) || installed.includes(source) || path.split("/").length > MAX_DEPTH) return false;
    if (inside(root, realFolder(source)) === undefined) return false;
    // Broken links, pipes and sockets are no part of the program.
    const found = orElse(() => statSync(source), undefined);
    return found?.isFile() === true || found?.isDirectory() === true;
  };
  try {
    await cp(from, to, {
      recursive: true,
      dereference: true,
      mode: constants.COPYFILE_FICLONE,
      filter: isWanted,
    });
  } catch (error) {
    const why = isErrno(error, "EACCES", "EPERM")
      ? "run this as the user of the game server"
      : "choose another folder with --work";
    throw new CannotRun(`${from} could not be copied to ${to}: ${reasonOf(error)}: ${why}`);
  }
}

export interface Ports {
  /** of the game: TCP with NetherNet, UDP with RakNet; over IPv6 too, and for players */
  readonly game: number;
  readonly gameV6: number;
  readonly players: number;
  /** of the sidecar */
  readonly web: number;
  readonly bridge: number;
}

/** Ports that were free a moment ago, below the ephemeral ports of systems. */
export async function freePorts(): Promise<Ports> {
  return {
    game: await freePort(),
    gameV6: await freePort(),
    players: await freePort(),
    web: await freePort(),
    bridge: await freePort(),
  };
}

/**
 * Settings of the copy: a new world, its own ports on this machine only, hidden from the local network, and a complete
 * console.
 */
export const propertiesOf = ({ game, gameV6, players }: Ports): Record<string, string | undefined> => ({
  "server-name": "web bridge prove",
  "level-name": LEVEL,
  "level-seed": "",
  gamemode: "survival",
  difficulty: "normal",
  "allow-cheats": "true",
  "max-players": "10",
  "server-port": String(game),
  "server-portv6": String(gameV6),
  "server-udp-ports": String(players),
  "server-ip": "127.0.0.1",
  "enable-lan-visibility": "false",
  // Without them it needs no internet.
  "online-mode": "false",
  "allow-list": "false",
  "emit-server-telemetry": "false",
  "allow-player-joining": undefined,
  "chat-restriction": "None",
  "content-log-level": "verbose",
  "allow-inbound-script-debugging": undefined,
  "allow-outbound-script-debugging": undefined,
  "script-debugger-auto-attach": undefined,
});

/** Makes the copy independent of the original server. */
export function prepareCopy(folder: string, program: string, ports: Ports): void {
  chmodSync(join(folder, program), 0o755);
  for (const name of ["allowlist.json", "permissions.json"]) writeFileSync(join(folder, name), "[]\n");
  const path = join(folder, "server.properties");
  chmodSync(path, 0o644);
  const read = decodeText(readFileSync(path));
  if (isFault(read)) throw new CannotRun(`server.properties: ${read.fault}`);
  // This key may be given several times, and each line counts.
  const once = setProperties(read.text, { "server-udp-ports": undefined });
  writeFileSync(path, encodeText({ ...read, text: setProperties(once, propertiesOf(ports)) }));
}

/** Copies the new world of a copy. */
export const keepWorld = (folder: string): void =>
  cpSync(join(folder, "worlds", LEVEL), join(folder, "worlds", KEPT_LEVEL), { recursive: true });

/** Makes the game open that world, without cheats, as one with achievements is. */
export function useKeptWorld(folder: string, logLevel: string | undefined): void {
  const values = { "level-name": KEPT_LEVEL, "allow-cheats": "false", "content-log-level": logLevel };
  const path = join(folder, "server.properties");
  writeFileSync(path, setProperties(readFileSync(path, "utf8"), values));
}

/**
 * Game servers share one UDP port, so a machine runs one at a time.
 * @throws CannotRun where one runs
 */
export async function refuseBesideServer(port = LAN_PORT): Promise<void> {
  const socket = createSocket("udp4");
  try {
    socket.bind({ port, exclusive: true });
    await once(socket, "listening");
  } catch {
    const game = runningServers(systemProcesses).find(
      ({ pid }) => sharesNetwork(pid, systemProcesses) === true,
    );
    const who =
      game === undefined ? "another program" : `the game server in ${game.root} (process ${game.pid})`;
    throw new CannotRun(
      `UDP port ${port} is in use by ${who}. Every game server needs it, so a machine runs one at a time: stop it and run this again`,
    );
  } finally {
    socket.close();
  }
}
