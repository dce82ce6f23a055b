import { createHash, timingSafeEqual } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { type Fault, isFault } from "../../bds/fault.ts";
import { readText, scriptFile, scriptFolder } from "../../bds/folder.ts";
import { isObject, valueAt } from "../../bds/json-text.ts";
import { addressesOf, permissionsFault, readValues, SCRIPT_MODULES } from "../../bds/script-config.ts";
import { PATHS } from "../../shared/frames.ts";
import { MAX_BODY_BYTES, MAX_REQUESTS_IN_FLIGHT } from "../../shared/limits.ts";
import { type Fix, note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byHand, bySetup } from "./fixes.ts";
import { isSeveral, tokenOwner } from "./game-servers.ts";
import type { CheckedSidecar, Target } from "./target.ts";

export function checkFolder(target: Target): Verdict {
  const { server, module, behavior, system } = target;
  const { files } = system;
  const wanted = scriptFolder(server.root, module);
  const place = relative(server.root, wanted);
  const names = files.list(join(server.root, "config"));
  if (names.includes(module) && files.kindOf(wanted) === "folder")
    return ok(`the add-on's settings are in ${place}`);
  const upper = names.find(name => name.toLowerCase() === module);
  if (upper !== undefined)
    return problem(
      `config/${upper}: expected its name in lower case, ${place}`,
      byHand(target, `rename the folder to ${module}`),
    );
  const isCommon = (name: string): boolean =>
    files.kindOf(join(server.root, "config", "default", name)) === "file";
  if (["variables.json", "secrets.json"].some(isCommon))
    return ok("the add-on uses the settings for all scripts, in config/default");
  const header = names.find(name => name.toLowerCase() === behavior.manifest.uuid);
  const what =
    header === undefined
      ? `${place} is missing`
      : `config/${header} has the uuid of the add-on's header: the server looks for that of its script module, ${place}`;
  return problem(what, bySetup(target));
}

/** How a file of the script's settings is fixed that cannot be read. `config/default` belongs to all scripts. */
function fileFix(target: Target, path: string, { isFolder }: Fault): Fix {
  if (isFolder) return bySetup(target, "move it elsewhere first");
  return dirname(path) === scriptFolder(target.server.root, target.module)
    ? bySetup(target, "fix that line; or delete the file first, and setup makes it again")
    : { text: byHand(target, "fix that line in an editor; do not delete the file: other packs use it too") };
}

type Values = { values: Record<string, unknown>; path: string } | { wrong: Verdict };

function valuesOf(target: Target, name: string): Values {
  const { server, system, module } = target;
  const path = scriptFile(server.root, module, name, system.files);
  const text = readText(path, system.files);
  if (text === undefined)
    return { wrong: problem(`${relative(server.root, path)} is missing`, bySetup(target)) };
  const read = isFault(text) ? text : readValues(text.text);
  if (!isFault(read)) return { ...read, path };
  return { wrong: problem(`${path}: ${read.fault}`, fileFix(target, path, read)) };
}

export function checkPermissions(target: Target): Verdict {
  const read = valuesOf(target, "permissions.json");
  if ("wrong" in read) return read.wrong;
  const { values, path } = read;
  const wrong = permissionsFault(values);
  if (wrong !== undefined) return problem(`${path}: ${wrong.fault}`, fileFix(target, path, wrong));
  const modules = modulesFault(values.allowed_modules);
  const own = join(scriptFolder(target.server.root, target.module), "permissions.json");
  if (modules !== undefined && target.system.files.kindOf(own) === undefined) {
    const what = `${relative(target.server.root, own)} is missing, and in config/default/permissions.json ${modules}`;
    return problem(what, bySetup(target));
  }
  const { max_body_bytes, max_concurrent_requests } = netIn(values);
  const faults = [
    modules,
    limitFault("max_body_bytes", max_body_bytes, MAX_BODY_BYTES),
    limitFault("max_concurrent_requests", max_concurrent_requests, MAX_REQUESTS_IN_FLIGHT),
  ].filter(fault => fault !== undefined);
  if (faults.length === 0) return ok("the add-on may use the modules that it needs");
  return problem(`permissions.json: ${faults.join(", and ")}`, bySetup(target));
}

function netIn(values: Record<string, unknown>): Record<string, unknown> {
  const net = valueAt(values, ["module_permissions", "@minecraft/server-net"]);
  return isObject(net) ? net : {};
}

function modulesFault(value: unknown): string | undefined {
  if (!Array.isArray(value))
    return "allowed_modules is missing, and the default one has no @minecraft/server-net";
  const missing = SCRIPT_MODULES.filter(name => !value.includes(name));
  return missing.length === 0 ? undefined : `allowed_modules lacks ${missing.join(", ")}`;
}

const limitFault = (key: string, value: unknown, least: number): string | undefined =>
  value === undefined || (typeof value === "number" && value >= least)
    ? undefined
    : `${key} is ${JSON.stringify(value)}, expected ${least} or more`;

export function checkUris(target: Target): Verdict | undefined {
  const url = target.address?.url;
  const read = valuesOf(target, "permissions.json");
  if (url === undefined || "wrong" in read) return undefined;
  const fault = uriFault(url, netIn(read.values));
  if (fault === undefined) return ok(`the add-on may reach ${url}`);
  return problem(`permissions.json: ${fault}`, bySetup(target));
}

function uriFault(url: string, net: Record<string, unknown>): string | undefined {
  const { allowed_uris: uris, force_tls } = net;
  if (force_tls === true && !/^https:/i.test(url))
    return `force_tls is true, and the address of the sidecar is ${url}`;
  if (uris === undefined) return undefined;
  if (!Array.isArray(uris)) return "allowed_uris: expected a list of addresses";
  // It is not known whether the server compares prefixes or whole addresses, so both are needed.
  const missing = addressesOf(url, Object.values(PATHS)).filter(each => !uris.includes(each));
  return missing.length === 0 ? undefined : `allowed_uris lacks ${missing.join(", ")}`;
}

export function checkVariables(target: Target): Verdict | undefined {
  const read = valuesOf(target, "variables.json");
  return "wrong" in read ? read.wrong : undefined;
}

export function checkAddress(target: Target): Verdict | undefined {
  if (target.address === undefined) return undefined;
  const { state, what, fix, isUnchanged } = target.address;
  if (state !== "problem") return { state, what };
  return problem(what, isUnchanged ? { text: fix } : bySetup(target, fix));
}

/** The pack needs the world's name in its settings: the game does not report it. */
export function checkWorldName(target: Target): Verdict {
  const { levelName, propertiesFile } = target.server;
  const read = valuesOf(target, "variables.json");
  const value = "wrong" in read ? undefined : read.values["world-name"];
  if (value === levelName) return ok(`variables.json has the name of the world, ${levelName}`);
  if (value === undefined)
    return note(
      "variables.json has no world-name: log and /bridge:status cannot name the world until setup is run again",
    );
  const what = `variables.json: world-name is ${JSON.stringify(value)}, and level-name in ${propertiesFile} is ${levelName}`;
  return problem(what, bySetup(target));
}

export function checkToken(target: Target, sidecar: CheckedSidecar): Verdict {
  const { name, token: wanted } = sidecar;
  const of = isSeveral(sidecar) ? ` for ${name}` : "";
  const is = "bridge-token in secrets.json is";
  const wrong = (what: string): Verdict => problem(what, bySetup(target));
  const read = valuesOf(target, "secrets.json");
  if ("wrong" in read) return read.wrong;
  const token = read.values["bridge-token"];
  if (token === undefined) return wrong("secrets.json has no bridge-token");
  if (typeof token !== "string") return wrong("secrets.json: bridge-token: expected a text in quotes");
  if (wanted !== undefined && isSameText(token, wanted)) return ok(`${is} the sidecar's${of}`);
  const owner = tokenOwner(sidecar, token);
  if (owner !== undefined)
    return problem(
      `${is} that of ${owner}, and this game server was set up as ${name}`,
      bySetup(target, `if it is ${owner}, use --as ${owner} instead`, ` --as ${name}`),
    );
  if (wanted !== undefined) return wrong(`${is} not the sidecar's${of}`);
  if (of !== "") return wrong(`the sidecar has no token${of} yet`);
  return skipped("bridge-token in secrets.json: the sidecar's is not known");
}

function isSameText(one: string, other: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
