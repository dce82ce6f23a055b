import { join } from "node:path";
import { readAllowList } from "../bds/allow-list.ts";
import { isFault } from "../bds/fault.ts";
import { oldLinesFault, readText } from "../bds/folder.ts";
import { type Finding, note, ok, problem } from "./finding.ts";
import { checkListOfImage, setByVariable } from "./image.ts";
import { checkNetwork } from "./network.ts";
import { checkOnlineMode, neither } from "./online.ts";
import { isOn, set, settingOf } from "./setting.ts";
import type { Target } from "./target.ts";

/** Checks server.properties, with what the server takes where a key is missing. */
export function checkProperties(target: Target, needsResourcePack: boolean): Finding[] {
  return [
    ...encoding(target),
    contentLog(target),
    ...allowList(target),
    ...checkListOfImage(target),
    chat(target),
    watchdog(target),
    ...checkNetwork(target),
    ...(needsResourcePack ? [texturePack(target)] : []),
  ];
}

function encoding({ server }: Target): Finding[] {
  const fault = oldLinesFault(server);
  return fault === undefined ? [] : [problem("properties-encoding", fault.what, fault.mend)];
}

function contentLog(target: Target): Finding {
  const id = "content-log";
  const key = "content-log-console-output-enabled";
  if (!isOn(target, key, false)) {
    const what = `${key} is not true: what the pack says does not reach the console`;
    return problem(id, what, setByVariable(target, `${key}=true`) ?? target.setup);
  }
  const level = settingOf(target, "content-log-level", "info");
  if (level === "error") {
    const what = "content-log-level is error: no trouble of the pack reaches the console";
    return problem(id, what, set(target, "content-log-level=info"));
  }
  return level === "warning"
    ? note(
        id,
        "content-log-level is warning: the console shows the pack's troubles, and not that it has connected",
      )
    : ok(id, "what the pack says reaches the server's console");
}

function allowList(target: Target): Finding[] {
  const { server, around } = target;
  const mode = checkOnlineMode(target);
  const path = join(server.root, "allowlist.json");
  const odd = neither(target, "allow-list");
  if (odd !== undefined) return [mode, odd];
  if (!isOn(target, "allow-list", true))
    return [mode, ok("allow-list", "allow-list is off: everybody can join")];
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
