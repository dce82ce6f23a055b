import { dirname, join, resolve } from "node:path";
import { readText } from "../../bds/folder.ts";
import { quoted } from "../../cli/commands.ts";
import { type RunBy, readRunBy } from "../../cli/run-by.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { configIn } from "../../sidecar/config/load.ts";
import { isBridgeToken } from "../../sidecar/config/net-kinds.ts";
import { RUN_BY_FILE } from "../../sidecar/config/run-by.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { tokenFile } from "../../sidecar/config/token.ts";
import { fileWarning, isWeak, tokenWarning } from "../../sidecar/config/warnings.ts";
import { type Fix, note, ok, problem, type Verdict } from "./finding.ts";
import { configCommand, thenRestart } from "./fixes.ts";
import type { CheckedSidecar, DoctorOptions, DoctorSystem } from "./target.ts";

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

/** A sidecar as its configuration has it, and what is found of that. */
export interface ReadSidecar {
  sidecar: CheckedSidecar | undefined;
  config: readonly Verdict[];
  /** of the names by which it is called from another machine */
  hosts: readonly Verdict[];
  /** of the files of its tokens */
  tokens: readonly Verdict[];
}

type Config = CheckedSidecar["config"];

/**
 * Reads the sidecar's configuration as it does itself, and makes nothing.
 * @param setup how a missing configuration or token is made
 */
export function readSidecar(asked: DoctorOptions, system: DoctorSystem, setup: Fix): ReadSidecar {
  const configFile = resolve(asked.config);
  const text = readText(configFile, system.files);
  if (text === undefined) {
    const what = `${configFile}: there is no such configuration of the sidecar (--config names another)`;
    return { sidecar: undefined, config: [problem(what, setup)], hosts: [], tokens: [] };
  }
  const bytes = system.files.read(configFile) ?? new Uint8Array();
  const read = "fault" in text ? { faults: [text.fault] } : configIn(bytes, system.env, dirname(configFile));
  if ("faults" in read) {
    const wrong = (fault: string): Verdict =>
      problem(`${configFile}: ${fault}`, fixOf(fault, configFile, system));
    return { sidecar: undefined, config: read.faults.map(wrong), hosts: [], tokens: [] };
  }
  const { config, written, yaml, warnings } = read;
  const open = fileWarning(configFile, yaml, system.accessOf(configFile)?.mode ?? 0, system.platform);
  const own = { name: undefined, token: config.bridge.token };
  const tokens = [own, ...config.servers].map(each => readToken(each, config, configFile, system, setup));
  const [token] = tokens;
  const sidecar = {
    configFile,
    config,
    written,
    name: config.server.name,
    token: token?.token,
    tokens: new Map(tokens.flatMap(each => (each.token === undefined ? [] : [[each.name, each.token]]))),
    runBy: runByOf(config, system),
  };
  const said = [
    ok(`the sidecar's configuration is valid: ${configFile}`),
    ...system.usedInstead(asked.config).map(line => note(line)),
    ...warnings.map(warning => note(warning)),
    ...(open === undefined ? [] : [note(open)]),
  ];
  const faultsOfTokens = tokens.flatMap(({ fault }) => fault ?? []);
  return { config: said, tokens: faultsOfTokens, ...reachedBy(sidecar, asked.sidecar, system) };
}

/** How a fault of the configuration is fixed: by the default of its key. */
function fixOf(fault: string, configFile: string, system: DoctorSystem): Fix {
  const key = /^([\w.-]+): (?!blank|given twice|unknown)/.exec(fault)?.[1] ?? "";
  if (!SETTINGS_BY_PATH.has(key)) return { text: "correct it there, then start the sidecar again" };
  const text = "this removes it, to have its default; or set another value; then start the sidecar again";
  return { text, command: configCommand({ configFile }, system, "remove", key) };
}

/** What runs the sidecar; only the words of advice depend on it. */
function runByOf({ storage }: Config, system: DoctorSystem): RunBy | undefined {
  const told = system.env[RUN_BY];
  if (told !== undefined) return readRunBy(told);
  const found = readText(join(storage.folder, RUN_BY_FILE), system.files);
  return found !== undefined && "text" in found ? readRunBy(found.text) : undefined;
}

/** The token of a game server, undefined where it is not made yet, and what is wrong with it. */
function readToken(
  { name, token: configured }: { name: string | undefined; token: string },
  { storage, server }: Config,
  configFile: string,
  system: DoctorSystem,
  setup: Fix,
): { name: string; token?: string; fault?: Verdict } {
  const of = { name: name ?? server.name };
  if (configured !== "")
    return { ...of, token: configured, ...(isWeak(configured) && { fault: note(tokenWarning(name)) }) };
  const file = join(storage.folder, tokenFile(name));
  const text = readText(file, system.files);
  // That of another game server is looked at with its own folder.
  if (text === undefined)
    return name === undefined
      ? { ...of, fault: problem(`${file}: the sidecar has no token yet`, setup) }
      : of;
  // Root would send the file of another user to the address that this configuration names.
  const owners = [file, configFile].map(path => system.accessOf(path)?.uid);
  if (process.geteuid?.() === 0 && owners[1] !== 0 && owners[0] !== owners[1]) {
    const what = `${file}: belongs to another user (${owners[0]}) than ${configFile} (${owners[1]})`;
    return { ...of, fault: problem(what, { text: "give both to the user that the sidecar runs as" }) };
  }
  const token = "fault" in text ? undefined : text.text.trim();
  if (token === undefined || !isBridgeToken(token)) {
    const again = { ...setup, text: setup.text ?? "delete it first" };
    return { ...of, fault: problem(`${file}: what is in it cannot be a token`, again) };
  }
  const mode = system.accessOf(file)?.mode ?? 0;
  if (system.platform === "win32" || (mode & OTHERS) === 0) return { ...of, token };
  const what = `${file}: others may read it (mode ${(mode & 0o777).toString(8)})`;
  return { ...of, token, fault: problem(what, { command: `chmod 600 ${quoted(file)}` }) };
}

/** The sidecar as it is reached from here, where it runs on another machine or in another container. */
function reachedBy(
  sidecar: CheckedSidecar,
  host: string | undefined,
  system: DoctorSystem,
): Pick<ReadSidecar, "sidecar" | "hosts"> {
  if (host === undefined) return { sidecar, hosts: [] };
  const { config } = sidecar;
  const { api } = config.modules;
  const modules = { ...config.modules, api: { ...api, host } };
  const reached = { ...sidecar, config: { ...config, bridge: { ...config.bridge, host }, modules } };
  if (api.hosts.length === 0 || api.hosts.includes(host)) return { sidecar: reached, hosts: [] };
  const what = `modules.api.hosts does not list ${host}, by which this doctor has to call the sidecar`;
  const text = thenRestart(sidecar, system);
  const command = configCommand(sidecar, system, "add", "modules.api.hosts", host);
  return { sidecar: reached, hosts: [problem(what, { text, command })] };
}
