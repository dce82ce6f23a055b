import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isFault } from "../../bds/fault.ts";
import { type InstalledPack, openServer, readText, type ServerFolder } from "../../bds/folder.ts";
import { likelyGameVersion } from "../../bds/game-version.ts";
import { isObject, parseJson } from "../../bds/json-text.ts";
import { readLevelDat } from "../../bds/level-dat.ts";
import { showVersion } from "../../bds/manifest.ts";
import { systemFiles } from "../../bds/system.ts";
import { Bounded } from "./bounded.ts";
import { createServerCommands } from "./server-commands.ts";
import { createServerConsole } from "./server-console.ts";
import { createServerInput, type ServerInput } from "./server-input.ts";
import { createServerOutput, type Write } from "./server-output.ts";
import { isStablePack, packsOfWorld, type Refusals, refusalOf, scriptSettings } from "./server-scripts.ts";
import { createSimulator, type Simulator } from "./simulator.ts";
import type { AllowListEntry, ListFile, SavedWorld, SimulatorOptions } from "./types.ts";

/** Version of the game if the folder does not have it. */
const VERSION = [1, 26, 60, 6];
const LINES = 2000;
/** Modules that a script can import if its manifest names them. */
const MODULES = ["server", "server-ui", "server-net", "server-admin", "server-gametest"].map(
  name => `@minecraft/${name}`,
);

/** Names of experiments in the console, where they differ from level.dat. */
const SHOWN_EXPERIMENTS: Record<string, string> = { gametest: "gtst" };

/** Settings of the game that are not in the folder. */
interface ServerFolderOptions
  extends Omit<SimulatorOptions, "pack" | "variables" | "secrets" | "net" | "log" | "saved" | "beforeTick"> {
  /** header UUID of the pack whose script runs, if there are several. Default: the first one. */
  readonly pack?: string;
  /** gets every line of the server console */
  readonly stdout?: (line: string) => void;
  /** Writes allowlist.json whenever the list changes, as a server does. Default: the folder is not changed. */
  readonly keepsList?: boolean;
  /** What this game does not allow scripts. Default: nothing. */
  readonly refuses?: Refusals;
  /** Opens the ports for players and returns whether that worked. Default: no ports, and no line about them. */
  readonly open?: () => Promise<boolean>;
  /** The saved world of an earlier run in this folder. The allowlist still comes from the folder. */
  readonly earlier?: SavedWorld;
}

/** A game configured by the folder of a dedicated server. */
export interface ServerFolderGame {
  readonly simulator: Simulator;
  /** header UUID of the pack whose script was started; undefined: none, and the game runs without */
  readonly started: string | undefined;
  /** false: it did not start, and has printed the reason */
  readonly isUp: boolean;
  /** lines of the server console, newest last, at most 2000 */
  readonly stdout: readonly string[];
  /** Types a line in the server console. Resolves when a tick has run it; for `stop` when the game has ended. */
  type(line: string): Promise<void>;
}

/**
 * Starts a game as a dedicated server in this folder would. The pack runs only if everything in the folder is
 * right.
 * @throws if it is not a server folder
 */
export async function createServerFolderSimulator(
  folder: string,
  options: ServerFolderOptions = {},
): Promise<ServerFolderGame> {
  const server = openServer(folder, systemFiles);
  if ("faults" in server) throw new Error(server.faults.join("\n"));
  const { pack: wanted, stdout, earlier, keepsList = false, refuses, open, ...rest } = options;
  const lines = new Bounded<string>(LINES);
  const print = (line: string): void => {
    lines.push(line);
    stdout?.(line);
  };
  const { now = Date.now, quirks } = options;
  const write = createServerOutput(print, now, quirks?.console);
  const version = likelyGameVersion(server, systemFiles) ?? VERSION;
  const console = createServerConsole(server, version, write);

  console.header();
  const experiments = experimentsOf(server, line => write("error", line));
  const active = Object.keys(experiments.on).map(name => SHOWN_EXPERIMENTS[name] ?? name);
  if (active.length > 0) write("info", `Experiment(s) active: ${active.join(" ")}`);
  write("info", `Opening level 'worlds/${server.levelName}/db'`);
  packsOfWorld(server, "resource", systemFiles, line => write("error", line));
  const packs = packsOfWorld(server, "behavior", systemFiles, line => write("error", line));
  write("info", `[Packs] [SERVER] Pack Stack - ${packs.length === 0 ? "None" : ""}`.trimEnd());
  for (const [index, pack] of packs.entries()) write("info", stackLine(pack, index, server));

  const mayStart = console.mayStart();
  const script = mayStart
    ? chosenScript(packs, wanted, server, experiments.betaApis, console.content, refuses)
    : undefined;
  const saved = savedWorld(server, line => write("warn", line));
  let input: ServerInput | undefined;
  const simulator = await createSimulator({
    ...watchdog(server),
    ...rest,
    saved: { ...saved, ...leftOf(earlier) },
    ...(keepsList && { allowListFile: listFile(server, line => write("warn", line)) }),
    log: console.content,
    happened: console.happened,
    beforeTick: () => input?.tick(),
    ...(script === undefined ? { pack: "" } : script.options),
    omit: [...(rest.omit ?? []), ...(script?.options.omit ?? [])],
  });
  if (mayStart) {
    const isOpen = open === undefined || (await open());
    console.listening(saved.allowList.entries.length === 0, isOpen);
    console.started();
  }
  const maxPlayers = server.properties.get("max-players") || undefined;
  const run = createServerCommands(simulator, write, quirks?.console, maxPlayers);
  input = createServerInput(run, quirks?.console);
  const { type } = input;
  return { simulator, started: script?.pack.manifest.uuid, stdout: lines.items, type, isUp: mayStart };
}

/** The part of a saved world that is not in the folder. */
function leftOf(earlier: SavedWorld | undefined): Partial<SavedWorld> {
  if (earlier === undefined) return {};
  const { tick, dynamicProperties, players } = earlier;
  return { tick, dynamicProperties, players };
}

const stackLine = ({ folder, manifest }: InstalledPack, index: number, { root }: ServerFolder): string => {
  const place = relative(root, folder).replaceAll("\\", "/");
  const { name, uuid, version } = manifest;
  return `[Packs] [SERVER] [${String(index).padStart(2, "0")}] ${name} (id: ${uuid}, version: ${showVersion(version)}) @ ${place}`;
};

/** Experiments of the world. A server creates a missing world without any. */
function experimentsOf(
  { world }: ServerFolder,
  complain: (line: string) => void,
): { on: Record<string, boolean>; betaApis: boolean } {
  const bytes = systemFiles.kindOf(world.levelDat) === "file" ? systemFiles.read(world.levelDat) : undefined;
  const level = bytes === undefined ? undefined : readLevelDat(bytes);
  if (level === undefined) return { on: {}, betaApis: false };
  if (isFault(level)) {
    complain(`${world.levelDat}: ${level.fault}`);
    return { on: {}, betaApis: false };
  }
  const on = Object.entries(level.experiments).filter(([name, isOn]) => isOn && !/experiments/.test(name));
  return { on: Object.fromEntries(on), betaApis: level.betaApis };
}

type Script = {
  pack: InstalledPack;
  options: Pick<SimulatorOptions, "pack" | "variables" | "secrets" | "net" | "omit" | "isStable">;
};

/** The script that runs. Scripts that may not run are named in the log, as the server does. */
function chosenScript(
  packs: readonly InstalledPack[],
  wanted: string | undefined,
  server: ServerFolder,
  betaApis: boolean,
  log: Write,
  refuses: Refusals | undefined,
): Script | undefined {
  const error = (line: string): void => log("error", line);
  const ready = packs.flatMap((pack): Script[] => {
    const { manifest, folder } = pack;
    const script = manifest.modules.find(({ type }) => type === "script");
    if (script === undefined || script.entry === "") return [];
    const [name, version, id] = [manifest.name, showVersion(manifest.version), manifest.uuid];
    log(
      "info",
      `[Scripting] Plugin Discovered [${name} v${version}] PackId [${id}_${version}] ModuleId [${script.uuid}]`,
    );
    const { allowedModules, ...settings } = scriptSettings(server.root, script.uuid, systemFiles, error);
    const refusal = refusalOf(pack, allowedModules, betaApis, refuses);
    if (refusal !== undefined) error(`[Scripting] ${refusal}`);
    if (refusal !== undefined) return [];
    const path = join(folder, script.entry);
    if (systemFiles.kindOf(path) !== "file") {
      error(`[Scripting] Plugin [${name} - ${version}] - [${script.entry}] file not found.`);
      return [];
    }
    const omit = MODULES.filter(name => !manifest.dependencies.some(({ id }) => id === name));
    const isStable = isStablePack(manifest);
    return [{ pack, options: { ...settings, omit, isStable, pack: readFileSync(path, "utf8") } }];
  });
  const chosen = wanted === undefined ? ready[0] : ready.find(({ pack }) => pack.manifest.uuid === wanted);
  for (const { pack } of ready)
    if (pack !== chosen?.pack)
      log("warn", `simulator: runs one script only, and not that of ${pack.manifest.name}`);
  return chosen;
}

function watchdog({ properties }: ServerFolder): Pick<SimulatorOptions, "hangMs" | "memoryLimitBytes"> {
  const hang = Number(properties.get("script-watchdog-hang-threshold"));
  const megabytes = Number(properties.get("script-watchdog-memory-limit"));
  return {
    ...(hang > 0 && { hangMs: hang }),
    ...(megabytes > 0 && { memoryLimitBytes: megabytes * 1024 * 1024 }),
  };
}

/** A new world with the allow list of the folder. */
function savedWorld({ root, properties }: ServerFolder, warn: (line: string) => void): SavedWorld {
  const enabled = (properties.get("allow-list") || "true") === "true";
  const entries = allowListEntries(join(root, "allowlist.json"), warn);
  return { version: 1, tick: 0, dynamicProperties: {}, allowList: { enabled, entries }, players: {} };
}

const listFile = ({ root }: ServerFolder, warn: (line: string) => void): ListFile => {
  const path = join(root, "allowlist.json");
  return {
    read: () => allowListEntries(path, warn),
    write(entries) {
      const written = entries.map(({ name, xuid, ignoresPlayerLimit }) => ({
        ignoresPlayerLimit,
        name,
        xuid,
      }));
      writeFileSync(path, `${JSON.stringify(written, undefined, 4)}\n`);
    },
  };
};

function allowListEntries(path: string, warn: (line: string) => void): AllowListEntry[] {
  const text = readText(path, systemFiles);
  const read = isFault(text) ? text : parseJson(text?.text || "[]");
  if (isFault(read)) warn(`${path}: ${read.fault}`);
  if (isFault(read) || !Array.isArray(read.value)) return [];
  return read.value.filter(isObject).map(({ name, xuid, ignoresPlayerLimit }) => ({
    ...(typeof name === "string" && { name }),
    ...(typeof xuid === "string" && { xuid }),
    ignoresPlayerLimit: ignoresPlayerLimit === true,
  }));
}
