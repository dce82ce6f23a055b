import { existsSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commandsIn, configOption, rootOfSidecar } from "../cli/commands.ts";
import { messageOf } from "../cli/errno.ts";
import { REFUSED_CONFIGURATION, UNDER_LAUNCH } from "../cli/launch-channel.ts";
import { CONFIG_FILE, RUN_BY } from "../cli/variables.ts";
import { PRODUCT_VERSION } from "../shared/version.ts";
import { loadConfig, readConfigFile } from "./config/load.ts";
import { noteAddress, notedAddress, noteRunBy } from "./config/run-by.ts";
import { type Config, variableOf } from "./config/settings.ts";
import { commonDigest, digestsOf } from "./config/startup-settings.ts";
import { bridgeToken, serverTokens } from "./config/token.ts";
import { type KeyWatch, watchKeys } from "./config/watch-keys.ts";
import { isInContainer, openAt } from "./features/console/open-at.ts";
import { readWebFiles, type WebFile } from "./features/console/web-files.ts";
import { openAuditFile } from "./features/moderation/audit-file.ts";
import type { CreateServerProbes } from "./features/servers/game-server.ts";
import { createAskGame } from "./features/status/process/ask-game.ts";
import { createProcessProbe } from "./features/status/process/probe.ts";
import { logBounds } from "./features/webhooks/webhooks.ts";
import { openFolder } from "./files.ts";
import { embedded } from "./kernel/embedded.ts";
import { healthFault } from "./kernel/http/listen.ts";
import type { SharedState } from "./kernel/shared.ts";
import { createLaunchMessages, readFromLaunch, STOP_WITHOUT_LAUNCH_MS } from "./launch.ts";
import { isBug } from "./platform/bugs.ts";
import { systemClock } from "./platform/clock.ts";
import { createTerminalCheck, keepTicksFast, possibleConnections } from "./platform/descriptors.ts";
import type { Log } from "./platform/log.ts";
import { createLog } from "./platform/log.ts";
import { throttledLog } from "./platform/throttled-log.ts";
import { type Sidecar, startSidecar } from "./sidecar.ts";
import { createStores, type Stores, streamsOf } from "./stores.ts";

const commands = commandsIn(rootOfSidecar(fileURLToPath(import.meta.url)));

/** Configuration if none is given. */
const HOME = commands.home;

const USAGE = `usage: ${commands.start} [--config <file>] [--health]

Starts the sidecar. To start it together with a game server: ${commands.launch} --server <folder>

  --config <file>  configuration file; created with every key and its default if it is missing (default: ${HOME})
  --health         check whether the sidecar with this configuration is healthy; exit code 0 if it is
  --version        print the version
  --help           print this`;

/** Interval of a timer that only keeps the process alive, in milliseconds. */
const WAIT_MS = 60_000;

/** Exits with code 1, after one line for each problem. */
function refuse(...lines: string[]): never {
  exitWith(1, lines);
}

function exitWith(code: number, lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(code);
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        config: { type: "string" },
        health: { type: "boolean", default: false },
        [UNDER_LAUNCH]: { type: "boolean", default: false },
        version: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    return { ...values, config: values.config ?? HOME, isNamed: values.config !== undefined };
  } catch (error) {
    return refuse(messageOf(error), USAGE);
  }
}

/** Without `--config`: refuses to create a second configuration if the current folder has one. */
function refuseSecond(): void {
  const here = resolve("config.yml");
  if (process.env[CONFIG_FILE] || existsSync(HOME) || !existsSync(here)) return;
  refuse(
    `${HOME}: does not exist, but ${here} does: name the one to use:${configOption(here, { home: HOME })}`,
  );
}

function webFiles(config: Config, log: Log): WebFile[] {
  const files = readWebFiles();
  if (config.modules.web.enabled && files.length === 0)
    log.warn({}, "The files of the web console are missing: it is not served");
  return files;
}

/** Name of this sidecar, among several on one Redis. */
const nameOf = ({ modules: { api } }: Config): string => `${hostname()}:${api.port || `pid-${process.pid}`}`;

/** `settings`: digest of the current settings */
async function openShared(
  config: Config,
  token: string,
  log: Log,
  settings: () => string,
): Promise<{ shared: SharedState; stores: Stores }> {
  const { folder, kind, ...where } = config.storage;
  const bounds = logBounds(config);
  const serverNames = config.servers.map(({ name }) => name);
  if (kind === "embedded") {
    const { secrets, ...own } = openFolder(folder, log);
    const shared = embedded(systemClock, own, serverNames);
    return { shared, stores: createStores(shared, { bounds, secrets }) };
  }
  const { openRedis } = await import("./kernel/storage/redis/open.ts");
  const { migrateRedis } = await import("./migrations/redis.ts");
  const self = {
    name: nameOf(config),
    version: PRODUCT_VERSION,
    get settings() {
      return settings();
    },
  };
  const shared = await openRedis({
    settings: where,
    machine: systemClock,
    log,
    token,
    self,
    servers: serverNames,
    streams: streamsOf(bounds),
    migrate: migrateRedis(serverNames),
  });
  return { shared, stores: createStores(shared, { bounds }) };
}

/** The port variable, which distinguishes sidecars with the same folder. */
const ownPort = process.env[variableOf("modules.api.port")]?.trim();

/** Health check for containers: uses the address that the sidecar has stored, or the configured one. */
async function askHealth(file: string): Promise<void> {
  const read = readConfigFile(file, process.env);
  const usual = process.env[variableOf("storage.folder")]?.trim() || "data";
  const folder = "config" in read ? read.config.storage.folder : resolve(dirname(read.path), usual);
  const at =
    notedAddress(folder, ownPort) ?? ("config" in read ? read.config.modules.api : refuse(...read.faults));
  const fault = await healthFault(at);
  if (fault !== undefined) refuse(fault);
}

async function main(): Promise<void> {
  const args = readArguments();
  if (args.help) return console.log(USAGE);
  if (args.version) return console.log(PRODUCT_VERSION);

  if (!args.isNamed) refuseSecond();
  if (args.health) return askHealth(args.config);

  const underLaunch = args[UNDER_LAUNCH];
  const loaded = loadConfig(args.config, process.env);
  if ("faults" in loaded)
    exitWith(underLaunch ? REFUSED_CONFIGURATION : 1, [...loaded.warnings, ...loaded.faults]);
  const { config, path, created } = loaded;
  const own = createLog(config.log, undefined, config.storage.folder);
  const log = config.storage.kind === "redis" ? own.child({ sidecar: nameOf(config) }) : own;
  process.on("uncaughtException", error => {
    log.error({ error }, "Uncaught exception, exiting");
    process.exit(1);
  });
  keepTicksFast();
  const clock = systemClock;
  const throttled = throttledLog(log, clock);
  process.on("unhandledRejection", error => throttled.error({ error }, "Unhandled promise rejection"));
  log.info({ version: PRODUCT_VERSION, node: process.version, config: path }, "Starting");
  if (created) log.info({ config: path }, "Created a configuration with every key and its default");

  for (const warning of loaded.warnings) log.warn({}, warning);

  const token = bridgeToken(config, log);
  if ("fault" in token) refuse(token.fault);
  const others = serverTokens(config, token.token, log);
  if ("fault" in others) refuse(others.fault);
  const runBy = process.env[RUN_BY];
  if (runBy !== undefined) noteRunBy(config.storage.folder, runBy);
  let sidecar: Sidecar | undefined;
  let stopping = false;
  /** `signal`: undefined if it is because of `launch` */
  function stop(signal?: NodeJS.Signals): void {
    if (stopping) process.exit(1);
    stopping = true;
    // Nothing has been started yet. The first process of a container does not exit on a signal by default.
    if (sidecar === undefined) {
      log.info({ signal }, "Stopped");
      process.exit(0);
    }
    log.info({ signal }, "Stopping; a second signal exits immediately");
    // Nothing else keeps the process alive once the listeners are closed.
    setInterval(() => undefined, WAIT_MS);
    sidecar.stop().then(
      () => {
        log.info({}, "Stopped");
        // Node would restore a terminal that is gone, and crash.
        if (signal === "SIGHUP") process.removeAllListeners(signal).kill(process.pid, signal);
        else process.exit(0);
      },
      (error: unknown) => {
        log.error({ error }, "Could not shut down cleanly");
        process.exit(1);
      },
    );
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  const servers = [config.server.name, ...config.servers.map(({ name }) => name)] as const;
  const launch = underLaunch ? createLaunchMessages({ servers, log, stop }) : undefined;
  if (launch)
    readFromLaunch(launch.receive, () => {
      log.warn({}, "launch has ended: stopping within 2 seconds");
      clock.after(STOP_WITHOUT_LAUNCH_MS, () => process.exit(1));
      if (!stopping) stop();
    });
  let keys: KeyWatch | undefined;
  const terminalIsGone = createTerminalCheck();
  // On Windows it means that the console was closed, and the process has to end.
  if (process.platform !== "win32")
    process.on("SIGHUP", signal => (terminalIsGone() ? stopping || stop(signal) : keys?.read()));
  /** with the current keys */
  let counting = config;
  // Nothing else keeps the process alive while it waits for Redis.
  const wait = setInterval(() => undefined, WAIT_MS);
  const createProbes: CreateServerProbes = (server, name) => ({
    askGame: createAskGame(server.info.port, clock),
    probe: createProcessProbe({
      process: server.process,
      storage: config.storage.folder,
      name,
      launchedGame: () => launch?.gameOf(name ?? config.server.name),
      clock,
      log,
    }),
  });
  const auditFile = openAuditFile(config.storage.folder, throttled);
  try {
    sidecar = await startSidecar({
      config,
      token: token.token,
      tokens: others.tokens,
      settings: key => ({ config: path, ...digestsOf(loaded.written, key) }),
      log,
      ...(await openShared(config, token.token, throttled, () =>
        commonDigest(counting, token.token, others.tokens),
      )),
      webFiles: webFiles(config, log),
      possibleConnections: possibleConnections(),
      audit: auditFile,
      auditReader: auditFile,
      createProbes,
    });
  } catch (error) {
    if (isBug(error)) log.error({ error }, "Could not start");
    refuse(messageOf(error));
  } finally {
    clearInterval(wait);
  }

  const { updates, web } = config.modules;
  if (web.enabled) log.info({}, openAt(sidecar.publicAddress, networkInterfaces(), isInContainer()));
  if (updates !== "") {
    const { watchUpdates } = await import("./features/updates/updates.ts");
    watchUpdates({ url: updates, clock, log, fetch });
  }
  // Only after a successful start: a start by hand next to a running service fails.
  noteRunBy(config.storage.folder, runBy);
  noteAddress(config.storage.folder, ownPort, sidecar.publicAddress);
  const { setKeys, setModerators, connections } = sidecar;
  keys = watchKeys({
    path,
    env: process.env,
    config,
    clock,
    log,
    connections,
    apply(keys, config) {
      counting = config;
      setKeys(keys);
      setModerators(config.modules.api.moderators);
    },
  });
}

await main();
