import { createWriteStream } from "node:fs";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { systemFiles, systemProcesses } from "../../bds/system.ts";
import { EXIT, misused, ownOptions, readArguments } from "../../cli/arguments.ts";
import { commandsIn } from "../../cli/commands.ts";
import { messageOf } from "../../cli/errno.ts";
import { printable } from "../../cli/printable.ts";
import { within } from "../../cli/within.ts";
import { parseDuration } from "../../shared/duration.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { connectConsole } from "./console.ts";
import { createConsoleBridge } from "./console-link/console-bridge.ts";
import { findGame, isExecutable } from "./find-game.ts";
import { type Game, gameEnvironment, startGame } from "./game.ts";
import { offerSetup } from "./offer-setup.ts";
import { superviseSidecar } from "./sidecar.ts";
import { fileState, startSidecarProcess } from "./sidecar-process.ts";
import { createStopGame } from "./stop-game.ts";
import { openTerminal } from "./terminal.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const commands = commandsIn(root);

const USAGE = `usage: ${commands.launch} --server <folder> [options] [-- <arguments for the game server>]

Starts the game server and the sidecar, restarts the sidecar if it ends, and stops it with the game server. The console of the game
server stays as it is: what you type reaches the game.
Exit code: that of the game server, 128 + n after signal n; 2 if it cannot be started.

  --server <folder>       folder of the game server, the one with bedrock_server
  --as <name>             its name in "servers" of the sidecar's configuration (default: the first)
  --config <file>         configuration of the sidecar (default: ${commands.home})
  --stop-timeout <time>   how long the game server may take to save when it is stopped, 1s to 10m (default: 60s)
  --no-sidecar            start only the game server: for a second one on the same sidecar
  --help                  print this`;

/** How long the last output may take to be printed, in milliseconds. */
const PRINT_MS = 5_000;

/** SIGBREAK: Ctrl+Break, on Windows. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;

const stdout = openOutput(process.stdout);
const stderr = openOutput(process.stderr);

const say = (line: string): void => void stderr.write(`[launch] ${printable(line)}\n`);

/** Exit code: that of the game server, or 2 where it cannot be started. */
async function main(): Promise<number> {
  const parsed = readArguments(commands.launch, USAGE, () => {
    const separator = process.argv.indexOf("--", 2);
    const end = separator < 0 ? process.argv.length : separator;
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2, end),
      options: {
        ...ownOptions(""),
        server: { type: "string" },
        as: { type: "string" },
        "stop-timeout": { type: "string", default: "60s" },
        "no-sidecar": { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
    return { values: { ...values, gameArgs: process.argv.slice(end + 1) }, positionals };
  });
  if ("exit" in parsed) return parsed.exit;
  const { args } = parsed;
  for (const each of [stdout, stderr]) each.on("error", () => undefined);
  let onSignal = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) if (signal in constants.signals) process.on(signal, () => onSignal(signal));
  const timeoutMs = parseDuration(args["stop-timeout"]) ?? 0;
  if (timeoutMs < 1_000 || timeoutMs > 600_000)
    return misused(`--stop-timeout: ${args["stop-timeout"]}: expected a time from 1s to 10m`, USAGE);
  const folder = resolve(args.server);
  const find = () =>
    findGame(folder, {
      platform: process.platform,
      files: systemFiles,
      processes: systemProcesses,
      isExecutable,
    });
  const first = find();
  if ("fault" in first) return refuse(first.fault);
  const config = args.config === "" ? undefined : resolve(args.config);
  const options = [
    ...(args.as === undefined ? [] : ["--as", args.as]),
    ...(config === undefined ? [] : ["--config", config]),
  ];
  if (!args["no-sidecar"])
    await offerSetup({
      folder,
      program: join(root, "dist/tools/setup.js"),
      options,
      command: commands.setup,
      say,
    });
  const terminal = process.platform === "win32" ? undefined : await openTerminal();
  // Setup may have taken a while.
  const found = find();
  if ("fault" in found) {
    terminal?.end();
    return refuse(found.fault);
  }

  const env = gameEnvironment(process.env, process.platform);
  let game: Game;
  try {
    game = startGame({ folder, ...found, args: args.gameArgs, env, terminal, say });
  } catch (error) {
    // On Windows also where the program is damaged, or for another processor.
    return refuse(`${join(folder, found.program)}: could not be started: ${messageOf(error)}`);
  }
  const configFile = config ?? commands.home;
  const hasTerminal = terminal !== undefined;
  const bridge = createConsoleBridge({
    clock: systemClock,
    type: line => console.type(line),
    async target() {
      const { readTarget } = await import("./console-link/target.ts");
      return readTarget({ folder, config: configFile, as: args.as, env: process.env });
    },
    hasTerminal,
    async whyNoAnswer(isRejected) {
      const { whyNoAnswer } = await import("./console-link/no-answer.ts");
      return whyNoAnswer({ folder, files: systemFiles, hasTerminal, isRejected });
    },
    say,
  });
  const console = connectConsole({
    game,
    input: process.stdin,
    output: stdout,
    reader: bridge,
    clock: systemClock,
  });
  onSignal = createStopGame({
    stop() {
      console.release();
      game.write("stop\n");
    },
    kill: game.kill,
    isRunning: game.isRunning,
    timeoutMs,
    clock: systemClock,
    say,
  });
  const sidecar = args["no-sidecar"]
    ? undefined
    : superviseSidecar({
        start: (onReading, onEnd) => startSidecarProcess(root, configFile, onReading, onEnd),
        configState: () => fileState(configFile),
        server: args.as,
        clock: systemClock,
        say,
      });
  sidecar?.setGame(game.pid);
  const code = await game.ended;
  bridge.stop();
  sidecar?.setGame(undefined);
  await sidecar?.stop();
  return code;
}

function refuse(fault: string): number {
  say(fault);
  return EXIT.misused;
}

/**
 * A stream to an output. Node's own waits for a terminal, and this process with it: for as long as Ctrl+S or a lost connection
 * stops that, no signal would stop the game.
 */
function openOutput(output: NodeJS.WriteStream & { fd: number }): Writable {
  const waits = output.isTTY && process.platform !== "win32";
  return waits ? createWriteStream("", { fd: output.fd, autoClose: false }) : output;
}

const code = await main();
const usable = [stdout, stderr].filter(({ errored }) => errored === null);
const printed = usable.map(each => new Promise(done => each.write("", done)));
await within(Promise.all(printed), PRINT_MS);
process.exit(code);
