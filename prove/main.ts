import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isFault } from "../bds/fault.ts";
import { folderOf, packIn } from "../bds/folder.ts";
import { inside } from "../bds/safe-paths.ts";
import { systemFiles } from "../bds/system.ts";
import { EXIT, misused, readArguments } from "../cli/arguments.ts";
import { commandsIn } from "../cli/commands.ts";
import { messageOf, reasonOf } from "../cli/errno.ts";
import { printable, printableJson } from "../cli/printable.ts";
import { choose, isTerminal } from "../cli/prompt.ts";
import { PRODUCT_VERSION } from "../shared/version.ts";
import { CannotRun } from "./probe.ts";
import { runProbes, selectProbes } from "./probe-runner.ts";
import { probes } from "./probes/all.ts";
import { gameIn, hasFailed, type Report, screenLines, writeReport } from "./report.ts";
import { findServer, refuseBesideServer } from "./server-copy.ts";
import { type OpenTestEnvironment, openTestEnvironment, type Programs } from "./test-environment.ts";

const commands = commandsIn(fileURLToPath(new URL("../../", import.meta.url)));

const USAGE = `usage: ${commands.prove} --server <folder> [options]

Tests on a copy of a game server whether the web bridge works with it, in about three minutes. The copy has new worlds:
your worlds, players, keys and secrets are not copied. It changes nothing in your server's folder and downloads nothing.
Stop your own server first: a machine runs one game server at a time. Running a game server means that you accept
Mojang's licence for it (EULA): https://www.minecraft.net/eula

  --server <folder>  folder with bedrock_server and server.properties in it: a new game, unpacked, or your own server's
  --yes              start without asking; this accepts that licence
  --only <ids>       run only these probes (comma-separated)
  --out <folder>     where the report is written (this folder)
  --work <folder>    where the copy is made (the system's folder for temporary files)
  --json             print the report as JSON, for scripts
  --help             print this

Ctrl+C stops it and removes the copy. Exit codes: 0 every probe passed, 1 a probe failed, 2 no test was possible.`;

/** What the command line says. */
interface ProveOptions {
  server: string;
  yes: boolean;
  only?: string | undefined;
  out: string;
  work: string;
  json: boolean;
}

const stopping = new AbortController();
let work: string | undefined;
let env: OpenTestEnvironment | undefined;

async function main(): Promise<number> {
  const given = readArguments(commands.prove, USAGE, () =>
    parseArgs({
      options: {
        server: { type: "string" },
        yes: { type: "boolean", default: false },
        only: { type: "string" },
        out: { type: "string", default: "." },
        work: { type: "string", default: tmpdir() },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
      allowPositionals: true,
    }),
  );
  if ("exit" in given) return given.exit;
  const { args } = given;
  if (args.json && !args.yes) return misused("--json needs --yes", USAGE);
  try {
    const report = await prove(args);
    // The interruption has made a probe fail.
    if (stopping.signal.aborted) return EXIT.misused;
    await cleanUp();
    const files = writeReport(report, resolve(args.out));
    if (args.json) console.log(printableJson(report));
    else
      for (const line of ["", ...screenLines(report), `Report: ${files.join(" and ")}`])
        console.log(printable(line));
    return hasFailed(report) ? EXIT.failed : EXIT.done;
  } catch (error) {
    if (stopping.signal.aborted) return EXIT.misused;
    await cleanUp();
    const lines = error instanceof CannotRun ? error.lines : [messageOf(error)];
    if (args.json) console.log(printableJson({ ok: false, faults: lines }));
    else for (const line of lines) console.error(printable(line));
    return EXIT.misused;
  }
}

async function prove(args: ProveOptions): Promise<Report> {
  const folder = folderOf(args.server, systemFiles);
  const named = findServer(folder);
  for (const option of ["out", "work"] as const) refuseWithin(folder, args[option], option);
  const selected = selectProbes(
    probes,
    args.only?.split(",").map(id => id.trim()),
  );
  const { programs, ownPacks } = ownParts();
  await agree(args, folder);
  await refuseBesideServer();
  const say = (line: string): void => {
    if (!args.json) console.log(printable(line));
  };
  const begun = Date.now();
  work = makeWorkFolder(args.work);
  say(`copying the game server to ${work}`);
  env = await openTestEnvironment(named, work, ownPacks, programs, stopping.signal);
  const answers = await runProbes(selected, env, ({ id }, place) =>
    say(`${place + 1} of ${selected.length}: ${id}`),
  );
  return {
    at: `${new Date(begun).toISOString().slice(0, 16)}Z`,
    product: PRODUCT_VERSION,
    game: gameIn(env.console.lines(), process.platform === "win32" ? "windows" : process.platform),
    seconds: Math.round((Date.now() - begun) / 1000),
    answers,
  };
}

/** The built programs beside this one, in a clone or in an archive. */
function ownParts(): { programs: Programs; ownPacks: ReadonlySet<string> } {
  const at = (...paths: string[]): string => {
    const found = paths.map(path => fileURLToPath(new URL(path, import.meta.url)));
    const there = found.find(path => existsSync(path));
    if (there === undefined) throw new CannotRun(`${found[0]} is missing: ${commands.build}`);
    return there;
  };
  const uuidOf = (folder: string): string => {
    const manifest = packIn(at(folder), systemFiles);
    if (manifest === undefined || isFault(manifest))
      throw new CannotRun(`${folder} is missing: ${commands.build}`);
    return manifest.uuid;
  };
  const pack = uuidOf("../behavior_pack");
  const programs = {
    sidecar: at("../sidecar/main.js", "../../main.js"),
    setup: at("./setup.js"),
    doctor: at("./doctor.js"),
    probes: at("../prove_pack"),
    pack,
  };
  return { programs, ownPacks: new Set([pack, uuidOf("../resource_pack")]) };
}

/** @throws CannotRun for a folder in that of the game server, where nothing is written */
function refuseWithin(server: string, given: string, option: string): void {
  const folder = resolve(given);
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  if (inside(realpathSync(server), resolve(realpathSync(there), relative(there, folder))) === undefined)
    return;
  throw new CannotRun(
    `${folder}: is inside the folder of --server, which prove does not change: choose another one with --${option}`,
  );
}

function makeWorkFolder(given: string): string {
  try {
    mkdirSync(given, { recursive: true });
    return realpathSync(mkdtempSync(join(resolve(given), "web-bridge-prove-")));
  } catch (error) {
    throw new CannotRun(`${resolve(given)}: ${reasonOf(error)}: choose another folder with --work`);
  }
}

/** @throws CannotRun without a yes */
async function agree({ yes }: ProveOptions, folder: string): Promise<void> {
  if (yes) return;
  if (!isTerminal()) throw new CannotRun("Nothing was started. Add --yes to start without being asked.");
  console.log(`A copy of the game server in ${printable(folder)} will be started several times, with new worlds.
Running a game server means that you accept Mojang's licence for it: https://www.minecraft.net/eula`);
  if ((await choose("Accept it and start? [y/N] ", ["no", "yes"])) !== "yes")
    throw new CannotRun("Nothing was started.");
}

/** Ends all processes and removes the copy. */
async function cleanUp(): Promise<void> {
  await env?.end();
  env = undefined;
  if (work !== undefined) rmSync(work, { recursive: true, force: true, maxRetries: 10 });
  work = undefined;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    console.error("stopped: ending the game server and removing the copy");
    void cleanUp()
      .catch(error => console.error(printable(messageOf(error))))
      .finally(() => process.exit(EXIT.misused));
  });

process.exitCode = await main();
