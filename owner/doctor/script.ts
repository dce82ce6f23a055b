import { createHash, timingSafeEqual } from "node:crypto";
import { join, relative } from "node:path";
import { PATHS } from "../../shared/frames.ts";
import { MAX_BODY_BYTES, MAX_REQUESTS_IN_FLIGHT } from "../../shared/limits.ts";
import { urlOf } from "../bds/address.ts";
import { isFault } from "../bds/fault.ts";
import { readText, scriptFile, scriptFolder } from "../bds/folder.ts";
import { isObject, valueAt } from "../bds/json-text.ts";
import { addressesOf, permissionsFault, readValues, SCRIPT_MODULES } from "../bds/script-config.ts";
import { checkUrl } from "./address.ts";
import { type Finding, isProblem, mendOfFile, ok, problem, skipped } from "./finding.ts";
import { holderOf, isSeveral } from "./own-entry.ts";
import { readable } from "./readable.ts";
import type { Target } from "./target.ts";
import { checkOtherServers, checkWorldName } from "./world-name.ts";

/** Whether the script has its settings, and whether they lead to this sidecar. */
export function checkScript(target: Target): Finding[] {
  const folder = checkFolder(target);
  if (isProblem(folder))
    return [folder, skipped("script", "settings of the script: their folder is missing")];
  const { url, findings } = checkVariables(target);
  return [
    folder,
    ...checkPermissions(target, url),
    ...findings,
    checkSecrets(target),
    ...checkOtherServers(target),
  ];
}

function checkFolder({ server, around: { files }, module, behavior, setup }: Target): Finding {
  const id = "script-folder";
  const wanted = scriptFolder(server.root, module);
  const place = relative(server.root, wanted);
  const names = files.list(join(server.root, "config"));
  if (names.includes(module) && files.kindOf(wanted) === "folder")
    return ok(id, `the settings of the script are in ${place}`);
  const upper = names.find(name => name.toLowerCase() === module);
  if (upper !== undefined)
    return problem(
      id,
      `config/${upper}: expected its name in lower case, ${place}`,
      `rename the folder to ${module}`,
    );
  const common = ["variables.json", "secrets.json"].filter(
    name => files.kindOf(join(server.root, "config", "default", name)) === "file",
  );
  if (common.length > 0)
    return ok(id, `the settings of the script are those for all scripts, in config/default`);
  const header = names.find(name => name.toLowerCase() === behavior.manifest.uuid);
  if (header === undefined) return problem(id, `${place} is missing`, setup);
  const what = `config/${header} has the uuid of the pack's header: the server looks for that of its script module, ${place}`;
  return problem(id, what, setup);
}

type Values = { values: Record<string, unknown>; path: string } | { finding: Finding };

/** Reads one file of the script's settings. */
function valuesOf({ server, around, module, setup }: Target, id: string, name: string): Values {
  const path = scriptFile(server.root, module, name, around.files);
  const text = readable("server", () => readText(path, around.files));
  if (text !== undefined && "finding" in text) return text;
  if (text === undefined) return { finding: problem(id, `${relative(server.root, path)} is missing`, setup) };
  const read = isFault(text) ? text : readValues(text.text);
  if (!isFault(read)) return { ...read, path };
  return { finding: problem(id, `${path}: ${read.fault}`, mendOfFile(read, setup)) };
}

function checkPermissions(target: Target, url: string | undefined): Finding[] {
  const { setup } = target;
  const read = valuesOf(target, "permissions", "permissions.json");
  if ("finding" in read) return [read.finding];
  const found = (id: string, fault: string | undefined, fine: string): Finding =>
    fault === undefined ? ok(id, fine) : problem(id, `permissions.json: ${fault}`, setup);
  const wrong = permissionsFault(read.values);
  if (wrong !== undefined)
    return [problem("permissions", `${read.path}: ${wrong.fault}`, mendOfFile(wrong, setup))];
  const modules = modulesFault(read.values.allowed_modules);
  const own = join(scriptFolder(target.server.root, target.module), "permissions.json");
  if (modules !== undefined && target.around.files.kindOf(own) === undefined) {
    const what = `${relative(target.server.root, own)} is missing, and in that for all scripts ${modules}`;
    return [problem("permissions", what, setup)];
  }
  const net = valueAt(read.values, ["module_permissions", "@minecraft/server-net"]);
  const settings = isObject(net) ? net : {};
  return [
    found("allowed-modules", modules, "the script may use its modules"),
    url === undefined
      ? skipped("allowed-uris", "allowed_uris: the address of the sidecar is not known")
      : found("allowed-uris", urisFault(settings.allowed_uris, url), `the script may reach ${url}`),
    found("force-tls", tlsFault(settings.force_tls, url), "force_tls fits the address of the sidecar"),
    found(
      "max-body-bytes",
      limitFault("max_body_bytes", settings.max_body_bytes, MAX_BODY_BYTES),
      "max_body_bytes is large enough",
    ),
    found(
      "max-concurrent-requests",
      limitFault("max_concurrent_requests", settings.max_concurrent_requests, MAX_REQUESTS_IN_FLIGHT),
      "max_concurrent_requests is large enough",
    ),
  ];
}

function modulesFault(value: unknown): string | undefined {
  if (!Array.isArray(value))
    return "allowed_modules is missing, and the default one has no @minecraft/server-net";
  const missing = SCRIPT_MODULES.filter(name => !value.includes(name));
  return missing.length === 0 ? undefined : `allowed_modules lacks ${missing.join(", ")}`;
}

/** What is absent is not enforced. Whether the server compares beginnings or the whole is not known, so both are needed. */
function urisFault(value: unknown, url: string): string | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return "allowed_uris: expected a list of addresses";
  const missing = addressesOf(url, Object.values(PATHS)).filter(each => !value.includes(each));
  return missing.length === 0 ? undefined : `allowed_uris lacks ${missing.join(", ")}`;
}

const tlsFault = (value: unknown, url: string | undefined): string | undefined =>
  value === true && url !== undefined && !/^https:/i.test(url)
    ? `force_tls is true, and the address of the sidecar is ${url}`
    : undefined;

function limitFault(key: string, value: unknown, least: number): string | undefined {
  if (value === undefined || (typeof value === "number" && value >= least)) return undefined;
  return `${key} is ${JSON.stringify(value)}, expected ${least} or more`;
}

/** The address that the rest of the settings have to fit: the one that is set, or when it is wrong, the right one. */
function checkVariables(target: Target): { findings: Finding[]; url: string | undefined } {
  const read = valuesOf(target, "variables", "variables.json");
  if ("finding" in read) return { findings: [read.finding], url: undefined };
  const { urlFault, side } = target;
  const { finding, url } =
    urlFault === undefined
      ? checkUrl(target, read.values["bridge-url"])
      : { finding: urlFault, url: side && urlOf(side.config.bridge) };
  return { findings: [finding, checkWorldName(target, read.values["world-name"])], url };
}

function checkSecrets(target: Target): Finding {
  const id = "bridge-token";
  const { side, setup } = target;
  const read = valuesOf(target, "secrets", "secrets.json");
  if ("finding" in read) return read.finding;
  const token = read.values[id];
  if (token === undefined) return problem(id, `secrets.json has no ${id}`, setup);
  if (typeof token !== "string") return problem(id, `secrets.json: ${id}: expected a text in quotes`, setup);
  if (side === undefined) return skipped(id, `${id} in secrets.json: the sidecar's is not known`);
  const of = isSeveral(side) ? ` for ${side.name}` : "";
  const is = side.token !== undefined && isSameText(token, side.token);
  if (is) return ok(id, `${id} in secrets.json is the sidecar's${of}`);
  const holder = holderOf(side, token);
  if (holder !== undefined) {
    const what = `${id} in secrets.json is that of ${holder}, and this game server was set up as ${side.name}`;
    return problem(
      id,
      what,
      `${setup} --as ${side.name}  (or, where it is ${holder}: ${setup} --as ${holder})`,
    );
  }
  if (side.token !== undefined) return problem(id, `${id} in secrets.json is not the sidecar's${of}`, setup);
  return of === ""
    ? skipped(id, `${id} in secrets.json: the sidecar's is not known`)
    : problem(id, `the sidecar has no token${of} yet`, setup);
}

function isSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
