import { isIP } from "node:net";
import { join } from "node:path";
import { isLoopbackUrl, isWildcard, urlOf } from "../../bds/address.ts";
import { readAllowList } from "../../bds/allow-list.ts";
import {
  ALLOW_LIST_LOST,
  allowListVariable,
  CONTAINER_RESTART,
  CONTAINER_SETTINGS,
  isContainerImage,
} from "../../bds/container-image.ts";
import { isFault } from "../../bds/fault.ts";
import { encodingFault, readText } from "../../bds/folder.ts";
import { isSince, likelyGameVersion } from "../../bds/game-version.ts";
import {
  type Network,
  needsSamePort,
  networkFaults,
  networkOf,
  ONE_PORT,
  SAME_PORT_EFFECT,
} from "../../bds/network.ts";
import { isListWritten } from "../../sidecar/config/admin-keys.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byProperty, bySetting, bySetup, byVariable } from "./fixes.ts";
import { wantsChest } from "./packs.ts";
import type { CheckedSidecar, Target } from "./target.ts";

/** Entries of the allowlist that are named at once. */
const MOST_NAMED = 5;
/** The port that the game takes where none is chosen. */
const GAME_PORT = 19132;

/** A key of server.properties in lower case, with what the server takes where it is missing. */
const settingOf = ({ server }: Pick<Target, "server">, key: string, standard: string): string =>
  (server.properties.get(key) || standard).toLowerCase();

export const isOn = (target: Pick<Target, "server">, key: string, standard: boolean): boolean =>
  settingOf(target, key, String(standard)) === "true";

/** Whether all lines of server.properties are in one encoding. */
export function checkEncoding({ server }: Target): Verdict[] {
  const old = encodingFault(server);
  return old === undefined ? [] : [problem(old.what, { text: old.fix })];
}

/** Whether what the pack logs reaches the console. */
export function checkContentLog(target: Target): Verdict[] {
  const key = "content-log-console-output-enabled";
  if (!isOn(target, key, false)) {
    const what = `${key} is not true: what the pack logs does not reach the console`;
    return [problem(what, byVariable(target, `${key}=true`) ?? bySetup(target))];
  }
  const level = settingOf(target, "content-log-level", "info");
  if (level === "error") {
    const what = "content-log-level is error: warnings of the pack do not reach the console";
    return [problem(what, byProperty(target, "content-log-level=info"))];
  }
  if (level === "warning")
    return [note("content-log-level is warning: the console does not show that the pack has connected")];
  return [ok("what the pack logs reaches the server's console")];
}

/** Whether players may chat. */
export function checkChat(target: Target): Verdict[] {
  const key = "chat-restriction";
  const value = settingOf(target, key, "none");
  if (value === "none") return [ok("players may chat")];
  const what = `${key} is ${value}: what players write does not reach the web`;
  return [problem(what, byProperty(target, `${key}=None`))];
}

/** Keys of the script watchdog: what the game takes where they are missing, and whether the pack could work with a value. */
const WATCHDOG: readonly [key: string, usual: string, fits: (value: string) => boolean, why: string][] = [
  ["enable", "true", value => value === "true", "a script that hangs would take the server with it"],
  ["hang-threshold", "10000", ms => Number(ms) >= 1000, "scripts are ended too soon"],
  ["memory-limit", "250", mb => Number(mb) === 0 || Number(mb) >= 32, "scripts end the server too soon"],
];

/** Whether the script watchdog is on, with room for the pack. */
export function checkWatchdog(target: Target): Verdict[] {
  for (const [name, usual, fits, why] of WATCHDOG) {
    const key = `script-watchdog-${name}`;
    const value = settingOf(target, key, usual);
    if (!fits(value)) return [problem(`${key} is ${value}: ${why}`, byProperty(target, `${key}=${usual}`))];
  }
  return [ok("the script watchdog is on, with room for the pack")];
}

/** Whether players have to take the resource pack, where it is needed. */
export function checkTexturePack(target: Target): Verdict[] {
  const key = "texturepack-required";
  if (!wantsChest(target)) return [];
  if (isOn(target, key, false)) return [ok("players get the resource pack, as the chest form needs it")];
  const what = `${key} is not true: players could refuse the pack of the chest form`;
  return [problem(what, byVariable(target, `${key}=true`) ?? bySetup(target))];
}

/** A switch that is neither on nor off; undefined: it is one of them. */
function neither(target: Target, key: "allow-list" | "online-mode"): Verdict | undefined {
  const value = settingOf(target, key, "true");
  if (value === "true" || value === "false") return undefined;
  const fix = byProperty(target, `${key}=true`, `, or ${key}=false`);
  return problem(`${key} is ${value}, which is neither true nor false`, fix);
}

/** Whether players have to prove their names, as the allowlist needs it. */
export function checkOnlineMode(target: Target): Verdict[] {
  const key = "online-mode";
  const odd = neither(target, key);
  const isListOn = isOn(target, "allow-list", true);
  if (odd !== undefined) return [odd];
  if (isOn(target, key, true)) return [ok(`${key} is on${isListOn ? ", as allow-list needs it" : ""}`)];
  if (!isListOn) return [note(`${key} is off: players may take the names of others`)];
  const version = likelyGameVersion(target.server, target.system.files);
  const isEnding = version === undefined || isSince(version, ONE_PORT);
  const then = isEnding ? "and ends" : "and hangs without opening a port";
  const what = `allow-list is on, and ${key} is off: the server calls it an error, ${then}`;
  return [problem(what, byProperty(target, `${key}=true`, ", or allow-list=false"))];
}

/** Whether anybody may join. */
export function checkAllowList(target: Target): Verdict[] {
  const key = "allow-list";
  const path = join(target.server.root, "allowlist.json");
  const odd = neither(target, key);
  if (odd !== undefined) return [odd];
  if (!isOn(target, key, true)) return [ok("allow-list is off: everybody can join")];
  const text = readText(path, target.system.files);
  const read = isFault(text) ? text : readAllowList(text?.text);
  if (isFault(read)) {
    const fix = { text: read.isFolder ? "move it elsewhere" : "correct that place" };
    return [problem(`${path}: the game does not read this list: ${read.fault}`, fix)];
  }
  const { count, wrong } = read;
  if (wrong.length > 0) {
    const what = `${path}: ${wrong.length} of its ${count + wrong.length} entries let nobody in: expected {"name":"..."}`;
    const edits = wrong.slice(0, MOST_NAMED).map(({ entry, suggestion }) => {
      const is = JSON.stringify(entry);
      return suggestion === undefined
        ? `take ${is} out`
        : `write ${JSON.stringify(suggestion)} instead of ${is}`;
    });
    return [problem(what, { text: edits.join("; ") })];
  }
  if (count > 0) return [ok(`allow-list is on, and ${count} may join`)];
  const names = ", or name each player on the server's console with: allowlist add";
  const fix = byProperty(target, "allow-list=false", names);
  return [problem("allow-list is on and the list is empty: nobody can join", fix)];
}

/** Whether the game server's container throws away the names that the web adds to the allowlist. */
export function checkListOfImage({ server, system }: Target, { config }: CheckedSidecar): Verdict[] {
  if (!isListWritten(config.modules.api) || !isContainerImage(server)) return [];
  const variable = allowListVariable(system.env);
  if (variable !== undefined) {
    const what = `${variable} is set for the game server's container: ${ALLOW_LIST_LOST}`;
    const text = `take ${variable} out of ${CONTAINER_SETTINGS}; names that are on the list by then stay`;
    return [problem(what, { text, command: CONTAINER_RESTART })];
  }
  return [];
}

/** How players reach the server; undefined: nothing tells which game it is. */
export function networkOfTarget({ server, system }: Pick<Target, "server" | "system">): Network | undefined {
  const version = likelyGameVersion(server, system.files);
  return version && networkOf(server, version);
}

/** Checks what server.properties says of how players come. */
export function checkNetwork(target: Target): Verdict[] {
  const { server, system } = target;
  const version = likelyGameVersion(server, system.files);
  if (version === undefined) return [skipped("how players come: nothing tells which game it is")];
  const { transport, port, host } = networkOf(server, version);
  const faults = networkFaults(server, version).map(({ what, fix }) =>
    fix === undefined
      ? note(what)
      : problem(what, "pair" in fix ? byProperty(target, fix.pair) : { text: fix.words }),
  );
  const by = transport === "raknet" ? "RakNet" : "NetherNet";
  return [ok(`players come over ${by}, to port ${port}`), ...faults, ...checkHost(target, host)];
}

/** Whether the address that the server is to bind is one of this machine. In a container it need not be. */
function checkHost(target: Target, host: string): Verdict[] {
  if (isIP(host) === 0 || isWildcard(host) || isContainerImage(target.server)) return [];
  if (isLoopbackUrl(urlOf({ host, port: 1 })))
    return [note(`server-ip is ${host}: only players on this machine can join`)];
  if (target.system.ownAddresses().includes(host)) return [];
  const what = `server-ip is ${host}, and this machine has no such address: nobody can join`;
  return [problem(what, byProperty(target, "server-ip="))];
}

/** Whether server and sidecar need the same port. */
export function checkPorts(target: Target, sidecar: CheckedSidecar): Verdict[] {
  const { server, system } = target;
  const { modules, bridge } = sidecar.config;
  const own = [
    { key: "modules.api.port", ...modules.api, usual: 8080 },
    { key: "bridge.port", ...bridge, usual: 8081 },
  ];
  const debug = Number(settingOf(target, "force-inbound-debug-port", "19144"));
  const debugged = own.find(({ port }) => port === debug);
  if (debugged !== undefined && isOn(target, "allow-inbound-script-debugging", false)) {
    const what = `force-inbound-debug-port ${debug} is ${debugged.key} of the sidecar: only one of them can have it`;
    return [problem(what, byProperty(target, "force-inbound-debug-port=19144"))];
  }
  const network = networkOfTarget(target);
  const shared = own.find(each => network && needsSamePort(network, each, system.ownAddresses()));
  if (shared === undefined || isContainerImage(server))
    return [ok("server and sidecar have ports of their own")];
  const { key, port, usual } = shared;
  const what = `the server and ${key} both have ${port}, and ${SAME_PORT_EFFECT}`;
  if (port !== GAME_PORT) return [problem(what, byProperty(target, `server-port=${GAME_PORT}`))];
  // The game keeps its usual port.
  const free = own.some(each => each.port === usual) ? usual + own.length : usual;
  return [problem(what, bySetting(sidecar, system, key, String(free)))];
}
