import { dirname, join, resolve } from "node:path";
import { configOption, quoted } from "../../cli/commands.ts";
import { ownMend } from "../../cli/errno.ts";
import { type RunBy, readRunBy } from "../../cli/run-by.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { configIn } from "../../sidecar/config/load.ts";
import { isBridgeToken } from "../../sidecar/config/net-kinds.ts";
import { RUN_BY_FILE } from "../../sidecar/config/run-by.ts";
import { SETTINGS, SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { tokenFile } from "../../sidecar/config/token.ts";
import { fileWarning, isWeak, tokenWarning, unusedWarning } from "../../sidecar/config/warnings.ts";
import { isOfLoopback } from "../bds/address.ts";
import { readText } from "../bds/folder.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { checkEntries } from "./own-entry.ts";
import { asOwner } from "./owner.ts";
import { readable } from "./readable.ts";
import { checkCookie, checkKeyFile } from "./sign-in.ts";
import { type Asked, configCommand, type Side, type Surroundings } from "./target.ts";

/** Room that a disk should have left, in bytes. */
const LEAST_FREE = 200 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

/** A sidecar as its configuration has it, and what is said of that. */
export interface SideRead {
  side: Side | undefined;
  findings: Finding[];
}

/** Reads the sidecar's configuration as it does itself, and makes nothing. */
export function readSide(asked: Asked, around: Surroundings, setup: string): SideRead {
  const configFile = resolve(asked.config);
  const { files } = around;
  const text = readText(configFile, files);
  if (text === undefined) {
    const what = `${configFile}: there is no such configuration of the sidecar (--config names another)`;
    return { side: undefined, findings: [problem("config", what, setup)] };
  }
  const bytes = files.read(configFile) ?? new Uint8Array();
  const read = "fault" in text ? { faults: [text.fault] } : configIn(bytes, around.env, dirname(configFile));
  if ("faults" in read) {
    const findings = read.faults.map(fault =>
      problem("config", `${configFile}: ${fault}`, mendOf(fault, configFile, around)),
    );
    return { side: undefined, findings };
  }
  const { config, written, yaml, warnings } = read;
  const open = fileWarning(configFile, yaml, around.modeOf(configFile) ?? 0, around.platform);
  const { token, finding } = tokenOf(config, configFile, around, setup);
  const others = config.servers.map(each => ({
    ...each,
    ...fileToken(each, config, around, setup),
  }));
  const held = [{ name: config.server.name, token }, ...others];
  return {
    side: {
      configFile,
      config,
      written,
      name: config.server.name,
      token,
      tokens: new Map(held.flatMap(({ name, token }) => (token === undefined ? [] : [[name, token]]))),
      runBy: runByOf(config, around),
    },
    findings: [
      ok("config", `the sidecar's configuration is valid: ${configFile}`),
      ...warnings.map(warning => note("config", warning)),
      ...(open === undefined ? [] : [note("config-mode", open)]),
      finding,
      ...others.flatMap(({ fault }) => (fault === undefined ? [] : [fault])),
      ...config.servers
        .filter(({ token }) => isWeak(token))
        .map(({ name }) => note("token-file", tokenWarning(name))),
    ],
  };
}

/** The same, where the sidecar could listen with what it says; else why not, as it says itself. */
export async function listening(read: SideRead, around: Surroundings): Promise<SideRead> {
  if (read.side === undefined) return read;
  const { configFile, config } = read.side;
  const listeners = [
    { key: "modules.api", host: config.modules.api.host, usual: SETTINGS.modules.api.host.default },
    { key: "bridge", host: config.bridge.host, usual: SETTINGS.bridge.host.default },
  ];
  const faults = await Promise.all(
    listeners.map(async ({ key, host, usual }) => {
      const fault = await around.listenFault(key, host);
      const mend = configCommand({ configFile }, around, "set", `${key}.host`, String(usual));
      return fault === undefined ? [] : [problem("config", `${configFile}: ${fault}`, mend)];
    }),
  );
  const findings = faults.flat();
  return findings.length === 0 ? read : { side: undefined, findings };
}

type Config = Side["config"];

/** What mends a fault of the configuration. */
function mendOf(fault: string, configFile: string, around: Surroundings): string {
  const then = "start the sidecar again";
  const key = /^([\w.-]+): (?!blank|given twice|unknown)/.exec(fault)?.[1] ?? "";
  const setting = SETTINGS_BY_PATH.get(key);
  if (setting === undefined) return `correct it there, then ${then}`;
  const command = (...words: string[]): string => configCommand({ configFile }, around, ...words);
  return `${command("remove", key)}  (to its default; for another value: ${command("set", key, "-")}), then ${then}`;
}

/** What runs the sidecar, as far as anybody tells: only the words of advice depend on it. */
function runByOf(config: Config, around: Surroundings): RunBy | undefined {
  const told = around.env[RUN_BY];
  if (told !== undefined) return readRunBy(told);
  const { folder } = config.storage;
  const note = readable("sidecar", () => readText(join(folder, RUN_BY_FILE), around.files));
  return note !== undefined && "text" in note ? readRunBy(note.text) : undefined;
}

function tokenOf(
  { bridge, storage }: Config,
  configFile: string,
  around: Surroundings,
  setup: string,
): { token: string | undefined; finding: Finding } {
  const id = "token-file";
  const away = configCommand({ configFile }, around, "remove", "bridge.token");
  if (bridge.token !== "")
    return {
      token: bridge.token,
      finding: isWeak(bridge.token)
        ? note(id, `bridge.token could be guessed: to have a good one made: ${away}, then: ${setup}`)
        : ok(id, "the sidecar's token is in its configuration"),
    };
  const read = fileToken({ name: undefined, token: "" }, { storage }, around, setup);
  if (read.fault !== undefined) return { token: read.token, finding: read.fault };
  const missing = `${join(storage.folder, tokenFile(undefined))}: the sidecar has no token yet`;
  return {
    token: read.token,
    finding:
      read.token === undefined
        ? problem(id, missing, setup)
        : ok(id, "the sidecar's token is in a file for its user only"),
  };
}

/** The token of a game server; undefined where it is not made yet. `fault`: what is wrong with its file. */
function fileToken(
  { name, token: configured }: { name: string | undefined; token: string },
  { storage }: Pick<Config, "storage">,
  around: Surroundings,
  setup: string,
): { token: string | undefined; fault?: Finding } {
  if (configured !== "") return { token: configured };
  const id = "token-file";
  const file = join(storage.folder, tokenFile(name));
  const text = readText(file, around.files);
  const mode = around.modeOf(file) ?? 0;
  if (text === undefined) return { token: undefined };
  const token = "fault" in text ? undefined : text.text.trim();
  if (token === undefined || !isBridgeToken(token)) {
    const mend = `delete it, then: ${setup}`;
    return { token: undefined, fault: problem(id, `${file}: what is in it cannot be a token`, mend) };
  }
  if (around.platform !== "win32" && (mode & OTHERS) !== 0) {
    const what = `${file}: others may read it (mode ${(mode & 0o777).toString(8)})`;
    return { token, fault: problem(id, what, `chmod 600 ${quoted(file)}`) };
  }
  return { token };
}

/** What can be said of the sidecar without asking it. */
export function checkSide(side: Side, asked: Asked, around: Surroundings): Finding[] {
  const { config } = side;
  const { bridge, storage, modules } = config;
  const { api } = modules;
  const set = (key: string, value: string): string => configCommand(side, around, "set", key, value);
  const port = (id: string, key: string, value: number, usual: number): Finding =>
    value === 0
      ? problem(id, `${key} is 0: it would be another one at each start`, set(key, String(usual)))
      : ok(id, `${key} is ${value}`);
  return [
    port("public-port", "modules.api.port", api.port, 8080),
    port("bridge-port", "bridge.port", bridge.port, 8081),
    checkStorage(storage.folder, asked, around, `${set("storage.folder", "-")}, which reads another folder`),
    ...checkUnused(config),
    ...checkOrigins(config),
    ...checkNames(side, around),
    ...checkProxy(config, set("modules.api.trust-proxy", "loopback")),
    checkKey(side, around),
    ...checkEntries(side),
    ...checkKeyFile(side, around),
    ...checkCookie(side, around),
    checkNode(around.nodeVersion),
  ];
}

function checkKey(side: Side, around: Surroundings): Finding {
  const id = "admin-key";
  const { adminApiKey, adminKeys } = side.config.modules.api;
  if (adminApiKey === "" && adminKeys.length === 0)
    return note(id, "modules.api.admin-api-key is blank: the whitelist cannot be changed from the web");
  if (!isWeak(adminApiKey)) return ok(id, "there is a key for the whitelist");
  const other = `${around.programs.key} <name> --write${configOption(side.configFile, around.programs)}`;
  const away = configCommand(side, around, "remove", "modules.api.admin-api-key");
  return note(
    id,
    `modules.api.admin-api-key could be guessed: have another key made: ${other}, then: ${away}`,
  );
}

/** Of each line of Node that gets fixes, the first version with the security fixes of October 2026. */
const FIXED = [
  [22, 23, 4],
  [24, 22, 1],
  [26, 12, 1],
] as const;

/** One that is too old for the product does not come as far as this. */
function checkNode(version: string): Finding {
  const id = "node";
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const fixed = FIXED.find(([line]) => line >= major);
  if (fixed === undefined) return ok(id, `this is Node ${version}`);
  const [line, fixedMinor, fixedPatch] = fixed;
  if (major < line) return note(id, `this is Node ${version}, a line without fixes: install Node ${line}`);
  return minor > fixedMinor || (minor === fixedMinor && patch >= fixedPatch)
    ? ok(id, `this is Node ${version}`)
    : note(
        id,
        `this is Node ${version}, which has known security holes: update it to ${fixed.join(".")} or later`,
      );
}

function checkStorage(folder: string, asked: Asked, around: Surroundings, another: string): Finding {
  const why = around.writeFault(folder);
  if (why === undefined) return ok("storage", `the sidecar can keep its data in ${folder}`);
  const own = /^(EACCES|EPERM)$/.test(why) ? ownMend(folder) : undefined;
  const give = own === undefined ? "let the sidecar's user write there" : asOwner(folder, own, asked, around);
  const mend = `${give}, or: ${another}`;
  return problem("storage", `${folder}: the sidecar cannot write there: ${why}`, mend);
}

/** A listener on loopback answers to loopback's names alone, unless the owner has said who else calls it. */
function checkNames(side: Side, around: Surroundings): Finding[] {
  const { host, hosts, trustProxy } = side.config.modules.api;
  if (!isOfLoopback(host) || hosts.length > 0 || trustProxy) return [];
  const add = configCommand(side, around, "add", "modules.api.hosts", "-");
  const what = `modules.api.host is ${host}: browsers are answered by 127.0.0.1 and localhost only; for another name: ${add}`;
  return [note("names", what)];
}

function checkUnused(config: Config): Finding[] {
  const what = unusedWarning(config);
  return what === undefined ? [] : [note("storage-url", what)];
}

function checkOrigins({ modules: { api } }: Config): Finding[] {
  const plain = api.corsOrigins.filter(origin => /^http:\/\/(?!localhost\b|127\.|\[::1\])/.test(origin));
  if (plain.length === 0 || api.trustProxy === false) return [];
  const what = `modules.api.cors-origins has ${plain.join(", ")}: a site behind a proxy with TLS begins with https://`;
  return [note("cors-origins", what)];
}

function checkProxy({ modules: { api }, signIn }: Config, set: string): Finding[] {
  const addresses = [...api.corsOrigins, ...(signIn.enabled ? [signIn.issuer] : [])];
  if (api.trustProxy !== false || !addresses.some(address => address.startsWith("https://"))) return [];
  const what = `modules.api.trust-proxy is false: behind a proxy with TLS on this machine cookies are not marked Secure, until: ${set}`;
  return [note("trust-proxy", what)];
}

/** Whether the disks have room. */
export function checkDisks(folders: readonly string[], around: Surroundings): Finding {
  const id = "disk-space";
  const free = folders.map(folder => ({ folder, bytes: around.freeBytes(folder) }));
  const low = free.find(({ bytes }) => bytes !== undefined && bytes < LEAST_FREE);
  if (low?.bytes !== undefined) {
    const what = `${low.folder}: ${Math.floor(low.bytes / MEGABYTE)} MB are free`;
    return problem(id, what, `free at least ${LEAST_FREE / MEGABYTE} MB there`);
  }
  if (free.every(({ bytes }) => bytes === undefined))
    return skipped(id, "room on the disk: the system does not say");
  return ok(id, "there is room on the disk");
}
