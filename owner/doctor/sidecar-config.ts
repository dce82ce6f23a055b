import { dirname, join, resolve } from "node:path";
import { readText, textAt } from "../../bds/folder.ts";
import { firstServer } from "../../bds/registered-servers.ts";
import { quoted } from "../../cli/commands.ts";
import { readRunBy } from "../../cli/run-by.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { configIn } from "../../sidecar/config/load.ts";
import { isBridgeToken } from "../../sidecar/config/net-kinds.ts";
import { RUN_BY_FILE } from "../../sidecar/config/run-by.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { tokenFile } from "../../sidecar/config/token.ts";
import { fileWarning, isWeak, tokenWarning } from "../../sidecar/config/warnings.ts";
import { sharedModeFault } from "./file-permissions.ts";
import { type Fix, note, ok, problem, type Verdict } from "./finding.ts";
import { configCommand, thenRestart } from "./fixes.ts";
import type { CheckedSidecar, DoctorOptions, DoctorSystem } from "./target.ts";

/** The sidecar's configuration, and the findings about it. */
export interface ReadSidecar {
  sidecar: CheckedSidecar | undefined;
  config: readonly Verdict[];
  /** about the host names by which another machine reaches it */
  hosts: readonly Verdict[];
  /** about the files with its tokens */
  tokens: readonly Verdict[];
}

/**
 * Reads the sidecar's configuration as the sidecar does, but creates nothing.
 * @param setup makes a missing configuration or token
 */
export function readSidecar(options: DoctorOptions, system: DoctorSystem, setup: Fix): ReadSidecar {
  const configFile = resolve(options.config);
  const unusable = (...config: Verdict[]) => ({ sidecar: undefined, config, hosts: [], tokens: [] });
  const text = readText(configFile, system.files);
  if (text === undefined) {
    const what = `${configFile}: the sidecar's configuration does not exist (pass another file with --config)`;
    return unusable(problem(what, setup));
  }
  const bytes = system.files.read(configFile) ?? new Uint8Array();
  const read = "fault" in text ? { faults: [text.fault] } : configIn(bytes, system.env, dirname(configFile));
  if ("faults" in read)
    return unusable(
      ...read.faults.map(fault => problem(`${configFile}: ${fault}`, fixOf(fault, { configFile, system }))),
    );
  const { config, written, yaml, warnings } = read;
  const open = fileWarning(configFile, yaml, system.accessOf(configFile)?.mode ?? 0, system.platform);
  const servers = [{ name: undefined, token: config.bridge.token }, ...config.servers];
  const tokens = servers.map(({ name, token }) => ({
    name: name ?? config.server.name,
    ...readToken(name, token, join(config.storage.folder, tokenFile(name)), configFile, system, setup),
  }));
  const runBy = system.env[RUN_BY] ?? textAt(join(config.storage.folder, RUN_BY_FILE), system.files);
  const sidecar: CheckedSidecar = {
    system,
    configFile,
    config,
    written,
    name: config.server.name,
    token: tokens[0]?.token,
    tokens: new Map(tokens.flatMap(({ name, token }) => (token === undefined ? [] : [[name, token]]))),
    // Only the words of advice depend on it.
    runBy: readRunBy(runBy, firstServer(config.storage.folder)),
  };
  const notes = [...system.usedInstead(options.config), ...warnings, ...(open === undefined ? [] : [open])];
  return {
    config: [ok(`the sidecar's configuration is valid: ${configFile}`), ...notes.map(note)],
    tokens: tokens.flatMap(({ fault }) => fault ?? []),
    ...reachedBy(sidecar, options.sidecar),
  };
}

/** A setting with a mistake is reset to its default. */
function fixOf(fault: string, sidecar: Pick<CheckedSidecar, "configFile" | "system">): Fix {
  const key = /^([\w.-]+): (?!blank|given twice|unknown)/.exec(fault)?.[1] ?? "";
  if (!SETTINGS_BY_PATH.has(key)) return { text: "fix that line, then start the sidecar again" };
  const text = "this resets it to its default (or set another value); then start the sidecar again";
  return { text, command: configCommand(sidecar, "remove", key) };
}

/**
 * The token of a game server, undefined if it does not exist yet, and its fault.
 * @param name undefined: the first game server
 * @param file of the token, unless the configuration has it
 */
function readToken(
  name: string | undefined,
  configured: string,
  file: string,
  configFile: string,
  system: DoctorSystem,
  setup: Fix,
): { token?: string; fault?: Verdict } {
  if (configured !== "")
    return { token: configured, ...(isWeak(configured) && { fault: note(tokenWarning(name)) }) };
  const text = readText(file, system.files);
  if (text === undefined) {
    // A missing token of another game server is reported with its own folder.
    return name === undefined ? { fault: problem(`${file}: the sidecar has no token yet`, setup) } : {};
  }
  // Root would send the file of another user to the address that this configuration names.
  const [owner, configOwner] = [file, configFile].map(path => system.accessOf(path)?.uid);
  if (process.geteuid?.() === 0 && configOwner !== 0 && owner !== configOwner) {
    const what = `${file}: belongs to another user (${owner}) than ${configFile} (${configOwner})`;
    return { fault: problem(what, "give both to the user that the sidecar runs as") };
  }
  const token = "fault" in text ? undefined : text.text.trim();
  if (token === undefined || !isBridgeToken(token)) {
    const again = { ...setup, text: setup.text ?? "delete it first" };
    return { fault: problem(`${file}: does not contain a valid token`, again) };
  }
  const shared = sharedModeFault(file, system);
  return { token, ...(shared && { fault: problem(shared, { command: `chmod 600 ${quoted(file)}` }) }) };
}

/** The sidecar as it is reached from another machine or container. */
function reachedBy(
  sidecar: CheckedSidecar,
  host: string | undefined,
): Pick<ReadSidecar, "sidecar" | "hosts"> {
  if (host === undefined) return { sidecar, hosts: [] };
  const { config } = sidecar;
  const { api } = config.modules;
  const modules = { ...config.modules, api: { ...api, host } };
  const reached = { ...sidecar, config: { ...config, bridge: { ...config.bridge, host }, modules } };
  if (api.hosts.length === 0 || api.hosts.includes(host)) return { sidecar: reached, hosts: [] };
  const what = `modules.api.hosts does not list ${host}, the name by which doctor reaches the sidecar`;
  const command = configCommand(sidecar, "add", "modules.api.hosts", host);
  return { sidecar: reached, hosts: [problem(what, { text: thenRestart(sidecar), command })] };
}
