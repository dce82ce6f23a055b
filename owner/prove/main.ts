import { homedir, hostname, tmpdir, userInfo } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EXIT, misused, readArguments, readOptions } from "../../cli/arguments.ts";
import { choose, isTerminal } from "../../cli/ask.ts";
import { commandsIn } from "../../cli/commands.ts";
import { messageOf, orElse } from "../../cli/errno.ts";
import { printable, printableJson } from "../../cli/printable.ts";
import { LAN_PORT } from "../bds/network.ts";
import { ownAddresses } from "../bds/system.ts";
import { realFolder } from "../bds/way.ts";
import { refuseUnwritable, refuseWithin } from "./apart.ts";
import { CannotRun } from "./fault.ts";
import { findScript } from "./game-process.ts";
import { canIsolate, INSIDE, runIsolated, whoIsInTheWay } from "./network.ts";
import { clearLeftovers, makePlace, type Place } from "./place.ts";
import { openProbeHost, PROBE_BODY_BYTES, PROBE_REQUESTS, probeAddresses } from "./probe-host.ts";
import { probes } from "./probes/all.ts";
import { systemProcesses } from "./processes.ts";
import { openProgram, prove, serverFolder } from "./prove.ts";
import { exitOf, readProof } from "./read.ts";
import { screenLines } from "./report/screen.ts";
import { scrubbedReport, writeReport } from "./report/write.ts";
import type { Report } from "./report.ts";
import { sidecarProgram } from "./side.ts";
import { takeTurn } from "./turn.ts";

/** The module with players that are made up, which no pack but that of the probes uses. */
const GAMETEST = "@minecraft/server-gametest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const commands = commandsIn(root);

const USAGE = `usage: ${commands.prove} --server <folder or zip of a game server> [options]

Tries on a real game server what this product assumes of it: on a copy of the program with a new world, never on yours.
It takes about three minutes, downloads nothing, and leaves nothing behind but the report. Running a game server means
that you accept Mojang's licence for it (EULA): https://www.minecraft.net/eula

  --server <path>    the folder with bedrock_server and server.properties in it, or the zip file as Mojang gives it
  --yes              begin without asking; it says that you accept that licence
  --online           start it once more with online-mode and allow-list on, which needs the internet
  --with-me          ask what only a player can answer: it waits until you join
  --long             look at it for an hour as well
  --only <ids>       ask these probes only, with commas between
  --out <folder>     where the report is written (this folder)
  --work <folder>    where the copy is made (the system's folder for temporary files)
  --json             print the report as JSON, for scripts
  --read <file>      start nothing: compare a report with what is assumed of the game, line by line
  --help             print this

Neither --out nor --work may be in the game server's folder. Ctrl+C ends it and takes all of it back.
It ends with 0 where all that the product needs was so, 1 where something of it was not, and 2 where it could not be tried.`;

const parsed = () =>
  parseArgs({
    options: {
      server: { type: "string" },
      yes: { type: "boolean", default: false },
      online: { type: "boolean", default: false },
      "with-me": { type: "boolean", default: false },
      long: { type: "boolean", default: false },
      only: { type: "string" },
      out: { type: "string", default: "." },
      work: { type: "string", default: tmpdir() },
      json: { type: "boolean", default: false },
      read: { type: "string" },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });

const read = () => readArguments(commands.prove, USAGE, parsed);

type Arguments = Extract<ReturnType<typeof read>, { args: unknown }>["args"];

const built = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

let place: Place | undefined;
const stopping = new AbortController();

async function main(): Promise<number> {
  const asked = readOptions(USAGE, parsed);
  if ("exit" in asked) return asked.exit;
  if (asked.values.read !== undefined)
    return readProof(asked.values.read, probes, console.log, console.error);
  const given = read();
  if ("exit" in given) return given.exit;
  const { args } = given;
  if (args.json && !args.yes) return misused("--json needs --yes", USAGE);
  try {
    return await tryIt(args);
  } catch (error) {
    await place?.clear();
    const lines = error instanceof CannotRun ? error.lines : [messageOf(error)];
    if (args.json) console.log(printableJson({ ok: false, faults: lines }));
    else for (const line of lines) console.error(printable(line));
    return EXIT.misused;
  }
}

async function tryIt(args: Arguments): Promise<number> {
  const work = realFolder(args.work);
  const say = (line: string): void => {
    if (!args.json) console.log(printable(line));
  };
  refuseWithin(serverFolder(args.server), { "--work": work, "--out": args.out });
  refuseUnwritable(args.out);
  const left = await clearLeftovers(work);
  if (left > 0)
    say(`cleared up after ${left === 1 ? "a trial" : `${left} trials`} that had not come to an end`);
  const program = await openProgram(args.server);
  await agree(args);
  const why = await whyNotHere();
  if (why !== undefined) {
    if (process.env[INSIDE] !== undefined || args.online || args["with-me"] || !canIsolate())
      throw new CannotRun(`${why}: stop it, and run this again`);
    say(`${why}: so this one gets a network of its own`);
    return runIsolated(fileURLToPath(import.meta.url), process.argv.slice(2));
  }
  const bytes = program.files.reduce((sum, each) => sum + each.bytes, 0);
  // Each run has a copy, and none is removed before the end.
  const copies = 2 + Number(args.online) + Number(args["with-me"]);
  place = makePlace(work, copies * bytes);
  const around = {
    processes: systemProcesses,
    now: () => performance.now(),
    script: findScript(),
    isAlone: process.env[INSIDE] !== undefined,
    signal: stopping.signal,
    sidecar: sidecarProgram(),
    packs: {
      behavior: built("behavior_pack"),
      resource: built("resource_pack"),
      probes: built("prove_pack"),
    },
  };
  const report = await prove(wantedBy(args), program, {
    ...{ around, root, say, place: place.folder, wallNow: Date.now, probes },
    openHost: () => openProbeHost(around.now),
    allowed: ({ url }) => ({
      addresses: probeAddresses(url),
      requests: PROBE_REQUESTS,
      bodyBytes: PROBE_BODY_BYTES,
      modules: [GAMETEST],
    }),
  });
  await place.clear();
  return tellOf(report, args);
}

/** What keeps this trial from the network of this machine; undefined: nothing does, and the next one is kept off. */
async function whyNotHere(): Promise<string | undefined> {
  const inTheWay = await whoIsInTheWay();
  if (inTheWay !== undefined)
    return `UDP port ${LAN_PORT}, which each game server takes for itself, is that of ${inTheWay}`;
  const { other } = await takeTurn();
  return other && `another trial is under way (${other})`;
}

const wantedBy = (args: Arguments) => ({
  server: args.server,
  online: args.online,
  withMe: args["with-me"],
  long: args.long,
  only: args.only?.split(",").map(id => id.trim()),
});

/** Shows the report and writes it; nothing in it tells of this machine. */
function tellOf(found: Report, args: Arguments): number {
  const report = scrubbedReport(found, secretsOf(args));
  const { json, page } = writeReport(report, resolve(args.out));
  if (args.json) console.log(printableJson(report));
  else {
    const lines = screenLines(report, process.stdout.isTTY === true && process.env.NO_COLOR === undefined);
    for (const line of ["", ...lines]) console.log(line);
    console.log(printable(`The report: ${json} and ${page}`));
  }
  return exitOf(report);
}

/** What is known of this machine, and stands in no report. */
const secretsOf = ({ server, work, out }: Arguments) => ({
  folders: [
    ...[server, work, out, tmpdir()].flatMap(folder => [resolve(folder), realFolder(folder)]),
    homedir(),
    process.cwd(),
    ...(place ? [place.folder] : []),
  ],
  machines: [hostname()],
  // A user of a container may have no name.
  users: orElse(() => [userInfo().username], []),
  addresses: ownAddresses().filter(address => !/^(127\.|::1$)/.test(address)),
});

/** Says what begins, and waits for a yes. */
async function agree({ yes, server }: Arguments): Promise<void> {
  if (yes || process.env[INSIDE] !== undefined) return;
  if (!isTerminal()) throw new CannotRun("Nothing has been started. Add --yes to begin without being asked.");
  console.log(
    `A copy of the game server in ${printable(server)} will be started here several times, with a new world of its own.
What is there now is only read. Whoever runs a game server accepts Mojang's licence for it, the "Minecraft End User
License Agreement": https://www.minecraft.net/eula. If you do not, do not go on.`,
  );
  if ((await choose("Do you accept it, and begin? [y/N] ", ["no", "yes"])) !== "yes")
    throw new CannotRun("Nothing has been started.");
}

/** Ends everything and removes it, wherever the trial is. */
async function undoAll(why: string): Promise<void> {
  // A second signal is for what is being done already, as a terminal tells it to all.
  if (stopping.signal.aborted) return;
  stopping.abort();
  console.error(`${why}: ending everything and clearing up`);
  try {
    await place?.clear();
  } catch (error) {
    console.error(printable(messageOf(error)));
  }
  process.exit(EXIT.misused);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => void undoAll("stopped"));
// Whoever waits for this one, in a network of its own, may be gone before this line is reached.
process.on("disconnect", () => void undoAll("stopped"));
if (process.connected === false) await undoAll("stopped");
// It would keep this one alive when all is done.
process.channel?.unref();
process.on("uncaughtException", error => void undoAll(messageOf(error)));

process.exitCode = await main();
