import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../bds/fault.ts";
import { openServer, packsOf, scriptFolder } from "../bds/folder.ts";
import { type GameProcess, startGame } from "../bds/game-process.ts";
import { parseJson } from "../bds/json-text.ts";
import { scriptModuleOf } from "../bds/manifest.ts";
import { systemFiles } from "../bds/system.ts";
import type { TestEnvironment } from "./probe.ts";
import {
  PROBE_BODY_BYTES,
  PROBE_REQUESTS,
  probeAddresses,
  startProbeHttpServer,
} from "./probe-http-server.ts";
import { askScript, commandOf, consoleCommandOf, READY } from "./script-client.ts";
import {
  copyServer,
  freePorts,
  keepWorld,
  type NamedServer,
  prepareCopy,
  useKeptWorld,
} from "./server-copy.ts";
import { makeSidecar, runTool, startSidecar } from "./sidecar-process.ts";
import { fieldsOf, listOf, seconds } from "./values.ts";

/** How long a start may take, in milliseconds: on a slow machine, with a new world. */
const START_MS = 180_000;
/** How long the script may take to load after that, in milliseconds. */
const SCRIPT_MS = 30_000;
const LAST_LINES = 4;

/** Levels that end with the game. */
const RUNNING = ["pack", "script", "stable", "console"] as const;

const GAMETEST = "@minecraft/server-gametest";

/** Paths of the built programs. */
export interface Programs {
  readonly sidecar: string;
  readonly setup: string;
  readonly doctor: string;
  /**
   * folder of the scripts with probes: `main.js`, `without-gametest.js` for a game without simulated players, and `console.js` for
   * the pack that keeps achievements
   */
  readonly probes: string;
  readonly pack: string;
}

export type OpenTestEnvironment = TestEnvironment & {
  /** Ends the game, the sidecar and the web server. */
  end(): Promise<void>;
};

/**
 * Copies a game server into a work folder, and starts the web server for the script.
 * @throws CannotRun
 */
export async function openTestEnvironment(
  named: NamedServer,
  work: string,
  ownPacks: ReadonlySet<string>,
  programs: Programs,
  signal: AbortSignal,
): Promise<OpenTestEnvironment> {
  const folder = join(work, "server");
  await copyServer(named.server, folder, ownPacks);
  const ports = await freePorts();
  prepareCopy(folder, named.program, ports);
  const sidecar = makeSidecar(join(work, "sidecar"), ports);
  const httpServer = await startProbeHttpServer();
  const levels: TestEnvironment["levels"] = new Set();
  let game: GameProcess | undefined;
  let crash: string | undefined;
  let writeCommand = commandOf;
  let stopSidecar: Promise<() => Promise<void>> | undefined;

  const running = (): GameProcess => {
    if (game === undefined) throw new Error("the server was not started");
    return game;
  };

  async function start(terminal?: boolean): Promise<void> {
    signal.throwIfAborted();
    const started = startGame({
      ...{ folder, program: named.program },
      ...(terminal !== undefined && { terminal }),
    });
    game = started;
    void started.ended.then(({ isRequested, afterMs, signal: by, code }) => {
      for (const level of RUNNING) levels.delete(level);
      if (isRequested) return;
      const words = [`it ended after ${seconds(afterMs)} (${by ?? `exit code ${code ?? "unknown"}`})`];
      crash ??= words.concat(started.console.lines().slice(-LAST_LINES)).join(" | ");
    });
    if ((await started.console.line(/^Server started\.$/, START_MS, 0)) !== undefined) return;
    const said = started.console.lines().slice(-LAST_LINES).join(" | ") || "it has not written a line";
    const end = started.end === undefined ? `not after ${seconds(START_MS)}` : "it ended";
    throw new Error(`the server did not say that it has started: ${end}: ${said}`);
  }

  const stop = async (): Promise<boolean> => game === undefined || game.end !== undefined || game.stop();

  const tool = (program: string, options: readonly string[]) =>
    runTool(program, ["--server", folder, "--config", sidecar.config, ...options], work, signal);

  return {
    folder,
    gamePort: ports.game,
    config: sidecar.config,
    httpServer,
    levels,
    web: { url: sidecar.url, key: sidecar.key },
    get console() {
      return running().console;
    },
    script: { ask: (name, input, ms) => askScript(running(), name, input, ms, writeCommand) },
    get crash() {
      return crash;
    },
    start,
    stop,
    async restart(by) {
      const before = new Set(levels);
      if (by === "kill") await running().kill();
      else await stop();
      await start();
      if (before.has("script") && (await running().console.line(READY, SCRIPT_MS, 0)) === undefined)
        throw new Error("the script did not load again");
      for (const level of before) levels.add(level);
    },
    setUp: (...options) => tool(programs.setup, [...options, "--yes"]),
    examine: () => tool(programs.doctor, ["--json"]),
    async startSidecar() {
      stopSidecar ??= startSidecar(programs.sidecar, sidecar, signal);
      await stopSidecar;
    },
    putProbes(gametest) {
      writeCommand = commandOf;
      putProbes(folder, programs, httpServer.url, gametest);
    },
    keepWorld: () => keepWorld(folder),
    useKeptWorld: logLevel => useKeptWorld(folder, logLevel),
    putConsoleProbes() {
      writeCommand = consoleCommandOf;
      const { pack, script } = packInCopy(folder, programs);
      copyFileSync(join(programs.probes, "console.js"), join(pack.folder, script.entry));
    },
    async end() {
      await stop();
      // One that is just starting is ended too.
      await (await stopSidecar?.catch(() => undefined))?.();
      await httpServer.close();
    },
  };
}

function packInCopy(folder: string, programs: Programs) {
  const server = openServer(folder, systemFiles);
  const [pack] = "faults" in server ? [] : packsOf(server, "behavior", programs.pack, systemFiles);
  const script = pack && scriptModuleOf(pack.manifest);
  if (pack === undefined || script === undefined) throw new Error("the pack is not in the copy");
  return { pack, script };
}

/** @param gametest version of the module with simulated players; undefined: without */
function putProbes(folder: string, programs: Programs, url: string, gametest: string | undefined): void {
  const { pack, script } = packInCopy(folder, programs);
  const from = join(programs.probes, gametest === undefined ? "without-gametest.js" : "main.js");
  copyFileSync(from, join(pack.folder, script.entry));
  change(join(pack.folder, "manifest.json"), all => ({
    ...all,
    dependencies: [
      ...listOf(all.dependencies).filter(each => fieldsOf(each).module_name !== GAMETEST),
      ...(gametest === undefined ? [] : [{ module_name: GAMETEST, version: gametest }]),
    ],
  }));
  change(join(scriptFolder(folder, script.uuid), "permissions.json"), all => {
    const modules = fieldsOf(all.module_permissions);
    const net = fieldsOf(modules["@minecraft/server-net"]);
    return {
      ...all,
      allowed_modules: [...new Set([...listOf(all.allowed_modules), GAMETEST])],
      module_permissions: {
        ...modules,
        "@minecraft/server-net": {
          ...net,
          allowed_uris: [...listOf(net.allowed_uris), ...probeAddresses(url)],
          max_concurrent_requests: PROBE_REQUESTS,
          max_body_bytes: PROBE_BODY_BYTES,
        },
      },
    };
  });
}

/** Changes a JSON file of setup or the game. */
function change(path: string, edit: (all: Record<string, unknown>) => object): void {
  const read = parseJson(readFileSync(path, "utf8"));
  if (isFault(read)) throw new Error(`${path}: ${read.fault}`);
  writeFileSync(path, `${JSON.stringify(edit({ ...fieldsOf(read.value) }), undefined, 2)}\n`);
}
