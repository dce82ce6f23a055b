import { join } from "node:path";
import { readAllowList } from "../../bds/allow-list.ts";
import {
  ALLOW_LIST_LOST,
  allowListVariable,
  CONTAINER_RESTART,
  CONTAINER_SETTINGS,
  isContainerImage,
} from "../../bds/container-image.ts";
import { isFault } from "../../bds/fault.ts";
import { encodingFault, parseFile } from "../../bds/folder.ts";
import { isSince, likelyGameVersion } from "../../bds/game-version.ts";
import { needsSamePort, ONE_PORT, SAME_PORT_EFFECT } from "../../bds/network.ts";
import { isListWritten } from "../../sidecar/config/admin-keys.ts";
import { note, ok, problem, type Verdict } from "./finding.ts";
import { byProperty, bySetting, bySetup, byVariable } from "./fixes.ts";
import { networkOfTarget } from "./game-network.ts";
import { wantsChest } from "./packs.ts";
import type { CheckedSidecar, Target } from "./target.ts";

/** Most entries of the allowlist that are named. */
const MAX_NAMED = 5;
/** The game's default port. */
const GAME_PORT = 19132;

/** A key in lower case, with the game's default. */
export const settingOf = ({ server }: Target, key: string, standard: string): string =>
  (server.properties.get(key) || standard).toLowerCase();

export const isOn = (target: Target, key: string, standard: boolean): boolean =>
  settingOf(target, key, String(standard)) === "true";

/** A key that setup turns on, unless a container's variable overwrites it. */
export const turnOn = (target: Target, key: string) => byVariable(target, `${key}=true`) ?? bySetup(target);

export function checkEncoding({ server }: Target): Verdict | undefined {
  const fault = encodingFault(server);
  return fault && problem(fault.what, fault.fix);
}

export function checkContentLog(target: Target): Verdict {
  const key = "content-log-console-output-enabled";
  if (!isOn(target, key, false))
    return problem(
      `${key} is not true: the add-on's log lines do not appear on the console`,
      turnOn(target, key),
    );
  switch (settingOf(target, "content-log-level", "info")) {
    case "error": {
      const what = "content-log-level is error: warnings of the add-on do not appear on the console";
      return problem(what, byProperty(target, "content-log-level=info"));
    }
    case "warning":
      return note("content-log-level is warning: the console does not show that the add-on has connected");
    default:
      return ok("the add-on's log lines appear on the server's console");
  }
}

export function checkChat(target: Target): Verdict {
  const key = "chat-restriction";
  const value = settingOf(target, key, "none");
  if (value === "none") return ok("chat is allowed");
  const what = `${key} is ${value}: chat messages of players do not reach the website`;
  return problem(what, byProperty(target, `${key}=None`));
}

/** Keys of the script watchdog with the game's defaults, and the values that are high enough for the pack. */
const WATCHDOG: readonly [key: string, usual: string, fits: (value: string) => boolean, why: string][] = [
  ["enable", "true", value => value === "true", "a script that hangs would stop the server"],
  ["hang-threshold", "10000", ms => Number(ms) >= 1000, "scripts are stopped too early"],
  ["memory-limit", "250", mb => Number(mb) === 0 || Number(mb) >= 32, "scripts stop the server too early"],
];

export function checkWatchdog(target: Target): Verdict {
  for (const [name, usual, fits, why] of WATCHDOG) {
    const key = `script-watchdog-${name}`;
    const value = settingOf(target, key, usual);
    if (!fits(value)) return problem(`${key} is ${value}: ${why}`, byProperty(target, `${key}=${usual}`));
  }
  return ok(
    "the game stops scripts that hang (script-watchdog-*), and leaves the add-on enough time and memory",
  );
}

export function checkTexturePack(target: Target): Verdict | undefined {
  const key = "texturepack-required";
  if (!wantsChest(target)) return undefined;
  if (isOn(target, key, false)) return ok("players get the resource pack, as the chest form needs it");
  return problem(`${key} is not true: players could refuse the pack of the chest form`, turnOn(target, key));
}

/** The fault of a switch that is neither on nor off. */
function switchFault(target: Target, key: "allow-list" | "online-mode"): Verdict | undefined {
  const value = settingOf(target, key, "true");
  if (value === "true" || value === "false") return undefined;
  const fix = byProperty(target, `${key}=true`, `, or ${key}=false`);
  return problem(`${key} is ${value}, which is neither true nor false`, fix);
}

/** An allowlist needs online mode: without it players can take any name. */
export function checkOnlineMode(target: Target): Verdict {
  const key = "online-mode";
  const fault = switchFault(target, key);
  if (fault !== undefined) return fault;
  const isListOn = isOn(target, "allow-list", true);
  if (isOn(target, key, true)) return ok(`${key} is on${isListOn ? ", which allow-list needs" : ""}`);
  if (!isListOn) return note(`${key} is off: players can use other players' names`);
  const version = likelyGameVersion(target.server, target.system.files);
  const isEnding = version === undefined || isSince(version, ONE_PORT);
  const then = isEnding ? "and stops" : "and hangs without opening a port";
  const what = `allow-list is on, and ${key} is off: the server reports an error ${then}`;
  return problem(what, byProperty(target, `${key}=true`, ", or allow-list=false"));
}

export function checkAllowList(target: Target): Verdict {
  const key = "allow-list";
  const fault = switchFault(target, key);
  if (fault !== undefined) return fault;
  if (!isOn(target, key, true)) return ok("allow-list is off: everybody can join");
  const path = join(target.server.root, "allowlist.json");
  const read = parseFile(path, target.system.files, readAllowList);
  if (isFault(read))
    return problem(
      `${path}: the game does not read this list: ${read.fault}`,
      read.isFolder ? "move it elsewhere" : "fix that line",
    );
  const { count, wrong } = read;
  if (wrong.length > 0) {
    const what = `${path}: ${wrong.length} of its ${count + wrong.length} entries are not valid: expected {"name":"..."}`;
    const edits = wrong.slice(0, MAX_NAMED).map(({ entry, suggestion }) => {
      const is = JSON.stringify(entry);
      return suggestion === undefined ? `remove ${is}` : `change ${is} to ${JSON.stringify(suggestion)}`;
    });
    return problem(what, edits.join("; "));
  }
  if (count > 0) return ok(`allow-list is on, with ${count === 1 ? "1 player" : `${count} players`}`);
  const names = ", or name each player on the server's console with: allowlist add";
  const fix = byProperty(target, "allow-list=false", names);
  return problem("allow-list is on and the list is empty: nobody can join", fix);
}

/** Whether the container overwrites names that were added through the API. */
export function checkListOfImage(
  { server, system }: Target,
  { config }: CheckedSidecar,
): Verdict | undefined {
  if (!isListWritten(config.modules.api) || !isContainerImage(server)) return undefined;
  const variable = allowListVariable(system.env);
  if (variable === undefined) return undefined;
  const what = `${variable} is set for the game server's container: ${ALLOW_LIST_LOST}`;
  const text = `remove ${variable} from ${CONTAINER_SETTINGS}; names that are on the list by then stay`;
  return problem(what, { text, command: CONTAINER_RESTART });
}

export function checkPorts(target: Target, sidecar: CheckedSidecar): Verdict {
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
    return problem(what, byProperty(target, "force-inbound-debug-port=19144"));
  }
  const network = networkOfTarget(target);
  const shared = own.find(each => network && needsSamePort(network, each, system.ownAddresses()));
  if (shared === undefined || isContainerImage(server))
    return ok("the server and the sidecar use different ports");
  const { key, port, usual } = shared;
  const what = `the server and ${key} both use port ${port}, and ${SAME_PORT_EFFECT}`;
  if (port !== GAME_PORT) return problem(what, byProperty(target, `server-port=${GAME_PORT}`));
  // The game keeps its usual port.
  const free = own.some(each => each.port === usual) ? usual + own.length : usual;
  return problem(what, bySetting(sidecar, key, String(free)));
}
