import { join } from "node:path";
import { readAllowList } from "../bds/allow-list.ts";
import { isFault } from "../bds/fault.ts";
import { readText } from "../bds/folder.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { checkListOfImage, setByVariable } from "./image.ts";
import type { Target } from "./target.ts";

/** Checks server.properties, with what the server takes where a key is missing. */
export function checkProperties(target: Target, needsResourcePack: boolean): Finding[] {
  return [
    contentLog(target),
    ...allowList(target),
    ...checkListOfImage(target),
    chat(target),
    watchdog(target),
    ...ports(target),
    ...(needsResourcePack ? [texturePack(target)] : []),
  ];
}

const settingOf = ({ server }: Target, key: string, standard: string): string =>
  (server.properties.get(key) || standard).toLowerCase();

const isOn = (target: Target, key: string, standard: boolean): boolean =>
  settingOf(target, key, String(standard)) === "true";

/** The edit of one key, in the place that counts. */
const set = (target: Target, pair: string): string =>
  setByVariable(target, pair) ?? `set ${pair} in ${target.server.propertiesFile}`;

function contentLog(target: Target): Finding {
  const key = "content-log-console-output-enabled";
  return isOn(target, key, false)
    ? ok("content-log", "what the pack says reaches the server's console")
    : problem(
        "content-log",
        `${key} is not true: what the pack says does not reach the console`,
        setByVariable(target, `${key}=true`) ?? target.setup,
      );
}

function allowList(target: Target): Finding[] {
  const { server, around } = target;
  const online = isOn(target, "online-mode", true);
  const path = join(server.root, "allowlist.json");
  if (!isOn(target, "allow-list", true)) {
    const fine = ok("allow-list", "allow-list is off: everybody can join");
    if (online) return [fine, ok("online-mode", "online-mode is on")];
    return [fine, note("online-mode", "online-mode is off: players may take the names of others")];
  }
  const mode = online
    ? ok("online-mode", "online-mode is on, as allow-list needs it")
    : problem(
        "online-mode",
        "allow-list is on, and works with online-mode only",
        set(target, "online-mode=true"),
      );
  const text = readText(path, around.files);
  const read = isFault(text) ? text : readAllowList(text?.text);
  if (isFault(read)) {
    const mend = read.isFolder ? "move it elsewhere" : "correct that place";
    return [mode, problem("allow-list", `${path}: the game does not read this list: ${read.fault}`, mend)];
  }
  const { count, wrong } = read;
  if (wrong.length > 0) {
    const what = `${path}: ${wrong.length} of its ${count + wrong.length} entries let nobody in: expected {"name":"..."}`;
    return [mode, problem("allow-list", what, wrong.slice(0, MOST_NAMED).map(rewritten).join("; "))];
  }
  if (count > 0) return [mode, ok("allow-list", `allow-list is on, and ${count} may join`)];
  const mend = `${set(target, "allow-list=false")}, or name each player on the server's console with: allowlist add`;
  return [mode, problem("allow-list", "allow-list is on and the list is empty: nobody can join", mend)];
}

/** Entries of the allowlist that are named at once. */
const MOST_NAMED = 5;

const rewritten = ({ entry, meant }: { entry: unknown; meant: object | undefined }): string =>
  meant === undefined
    ? `take ${JSON.stringify(entry)} out`
    : `write ${JSON.stringify(meant)} in the place of ${JSON.stringify(entry)}`;

function chat(target: Target): Finding {
  const value = settingOf(target, "chat-restriction", "none");
  if (value === "none") return ok("chat-restriction", "players may chat");
  const what = `chat-restriction is ${value}: what players write does not reach the web`;
  return problem("chat-restriction", what, set(target, "chat-restriction=None"));
}

/** Least time in a tick before the script counts as hanging, and least memory; below them it could not work. */
const LEAST_HANG_MS = 1000;
const LEAST_MEMORY_MB = 32;

function watchdog(target: Target): Finding {
  const id = "script-watchdog";
  const wrong = (key: string, why: string, better: string): Finding =>
    problem(id, `${key} is ${settingOf(target, key, "")}: ${why}`, set(target, `${key}=${better}`));
  if (!isOn(target, "script-watchdog-enable", true))
    return wrong("script-watchdog-enable", "a script that hangs would take the server with it", "true");
  const hang = Number(settingOf(target, "script-watchdog-hang-threshold", "10000"));
  if (!(hang >= LEAST_HANG_MS))
    return wrong("script-watchdog-hang-threshold", "scripts are ended too soon", "10000");
  const memory = Number(settingOf(target, "script-watchdog-memory-limit", "250"));
  if (memory !== 0 && !(memory >= LEAST_MEMORY_MB))
    return wrong("script-watchdog-memory-limit", "scripts end the server too soon", "250");
  return ok(id, "the script watchdog is on, with room for the pack");
}

function ports(target: Target): Finding[] {
  const { side } = target;
  if (side === undefined)
    return [skipped("ports", "ports of server and sidecar: those of the sidecar are not known")];
  const { bridge, modules } = side.config;
  const own = new Map([
    [String(modules.api.port), "modules.api.port"],
    [String(bridge.port), "bridge.port"],
  ]);
  const debug = settingOf(target, "force-inbound-debug-port", "19144");
  const clash = own.get(debug);
  if (clash !== undefined && isOn(target, "allow-inbound-script-debugging", false)) {
    const what = `force-inbound-debug-port ${debug} is ${clash} of the sidecar: only one of them can have it`;
    return [problem("ports", what, set(target, "force-inbound-debug-port=19144"))];
  }
  const games = [settingOf(target, "server-port", "19132"), settingOf(target, "server-portv6", "19133")];
  const shared = games.find(port => own.has(port));
  const fine = ok("ports", "server and sidecar have ports of their own");
  if (shared === undefined) return [fine];
  const what = `the server and ${own.get(shared)} both have ${shared}: one is UDP and the other TCP, so both work`;
  return [note("ports", what)];
}

function texturePack(target: Target): Finding {
  const key = "texturepack-required";
  const id = key;
  return isOn(target, key, false)
    ? ok(id, "players get the resource pack, as the chest form needs it")
    : problem(
        id,
        `${key} is not true: players could refuse the pack of the chest form`,
        setByVariable(target, `${key}=true`) ?? target.setup,
      );
}
