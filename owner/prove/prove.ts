import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { folderOf, openServer } from "../bds/folder.ts";
import { findRunning } from "../bds/running.ts";
import { systemFiles, systemSigns } from "../bds/system.ts";
import { CannotRun } from "./fault.ts";
import { folderProgram } from "./folder-program.ts";
import { joinedRun, onlineRun } from "./more-runs.ts";
import { broken, createAnswers, held, OWN, skipped } from "./own.ts";
import type { Probe, Run, Seen } from "./probe.ts";
import { probesRun } from "./probes-run.ts";
import { changesBetween, isLeftOut, type Program } from "./program.ts";
import type { Answer, Report } from "./report.ts";
import { type Host, plainRun, type Runs, skipAll, type Told } from "./runs.ts";
import type { Around } from "./stage.ts";
import { createSteps } from "./steps.ts";
import { versionsOf } from "./versions.ts";
import type { Allowed } from "./world.ts";
import { zipProgram } from "./zip-program.ts";

/** What was asked for. */
interface Wanted {
  /** folder or zip file of a game server */
  server: string;
  online: boolean;
  withMe: boolean;
  long: boolean;
  /** ids of probes; undefined: all */
  only: readonly string[] | undefined;
}

/** What a trial is made with. */
interface Tools {
  around: Around;
  /** folder of the trial, which is there */
  place: string;
  probes: readonly Probe[];
  openHost(): Promise<Host>;
  allowed(host: Host): Allowed;
  root: string;
  say(line: string): void;
  /** wall time in milliseconds */
  wallNow(): number;
}

/** What was named: a folder, that of a program, or a zip file, which may be called as the program is. */
export const serverFolder = (server: string): string =>
  /\.zip$/i.test(server) ? resolve(server) : folderOf(resolve(server), systemFiles);

/**
 * The program in a folder or a zip file.
 * @throws CannotRun
 */
export async function openProgram(server: string): Promise<Program> {
  const path = serverFolder(server);
  if (!existsSync(path)) throw new CannotRun(`${path}: there is no such folder or file`);
  const program = statSync(path).isDirectory() ? await folderProgram(path) : await zipProgram(path);
  const here = process.platform === "win32" ? "windows" : process.platform;
  if (program.platform !== here)
    throw new CannotRun(`${path}: is the game server for ${program.platform}, and this machine runs ${here}`);
  return program;
}

/** Steps besides those of the runs: the look before, and the comparison afterwards. */
const OWN_STEPS = 2;

/** The runs of a trial in their order, with the steps that each of them says. */
function planOf(
  { online, withMe, long }: Wanted,
  { packs }: Around,
  isAsked: (kinds: readonly Run[]) => boolean,
): { steps: number; act(runs: Runs): Promise<void> }[] {
  const kinds: Run[] = ["probes", ...(long ? (["long"] as const) : [])];
  return [
    ...(isAsked(["plain"]) ? [{ steps: 7, act: plainRun }] : []),
    ...(isAsked(kinds) && existsSync(packs.probes)
      ? [{ steps: 4 + kinds.length, act: (runs: Runs) => probesRun(runs, kinds) }]
      : []),
    ...(online && isAsked(["online"]) ? [{ steps: 4, act: onlineRun }] : []),
    ...(withMe && isAsked(["joined"]) ? [{ steps: 4, act: joinedRun }] : []),
  ];
}

/** Makes the whole trial. Everything that it makes lies in its place. */
export async function prove(wanted: Wanted, program: Program, tools: Tools): Promise<Report> {
  const { around, probes, say, root, wallNow } = tools;
  const begun = around.now();
  const at = `${new Date(wallNow()).toISOString().slice(0, 16)}Z`;
  const only = wanted.only === undefined ? undefined : new Set(wanted.only);
  refuseUnknown(wanted.only, probes);
  const answers = createAnswers(only);
  const asked = only === undefined ? probes : probes.filter(({ id }) => only.has(id));
  const isAsked = (kinds: readonly Run[]): boolean =>
    only === undefined ||
    [...asked, ...Object.values(OWN).filter(({ id }) => only.has(id))].some(({ run }) => kinds.includes(run));
  const planned = planOf(wanted, around, isAsked);
  const { step, tell } = createSteps(
    planned.reduce((sum, { steps }) => sum + steps, OWN_STEPS),
    say,
  );
  step("looking at all that is in what was named, to compare it afterwards");
  const before = await program.look();
  const told: Told = { version: "0.0.0", transport: "nethernet" };
  const own = { program, around, answers, root, step, tell, told };
  const runs: Runs = {
    ...own,
    place: tools.place,
    probes: asked,
    openHost: tools.openHost,
    allowed: tools.allowed,
  };
  for (const { act } of planned) await act(runs);
  if (!existsSync(around.packs.probes))
    skipAll(
      asked.filter(({ run }) => run === "probes"),
      answers,
      "this build has no pack with the probes",
    );
  for (const { run, why } of leftOut(wanted))
    skipAll(
      asked.filter(each => each.run === run),
      answers,
      why,
    );
  step("comparing what was named with what it was before");
  answers.add(OWN.original, untouched(wanted.server, before, await program.look(), tell));
  return {
    format: 1,
    at,
    product: PRODUCT_VERSION,
    game: { version: told.version, platform: program.platform, ...(told.simulated && { simulated: true }) },
    versions: versionsOf(root, around.packs.behavior),
    transport: told.transport,
    options: { online: wanted.online, withMe: wanted.withMe, long: wanted.long },
    seconds: Math.round((around.now() - begun) / 1000),
    answers: inOrder(answers.all, probes),
  };
}

/** Throws `CannotRun` where an id is of no probe. */
function refuseUnknown(only: Wanted["only"], probes: readonly Probe[]): void {
  const known = new Set([...probes, ...Object.values(OWN)].map(({ id }) => id));
  const unknown = (only ?? []).filter(id => !known.has(id));
  if (unknown.length > 0) throw new CannotRun(`--only: there is no probe ${unknown.join(", ")}`);
}

function leftOut(wanted: Wanted): { run: Run; why: string }[] {
  return [
    ...(wanted.online ? [] : [{ run: "online" as const, why: "needs the internet: asked with --online" }]),
    ...(wanted.withMe
      ? []
      : [{ run: "joined" as const, why: "needs somebody who joins: asked with --with-me" }]),
    ...(wanted.long ? [] : [{ run: "long" as const, why: "takes an hour: asked with --long" }]),
  ];
}

/** What the command asks itself comes first, then the probes as they stand in their table. */
function inOrder(answers: readonly Answer[], probes: readonly Probe[]): Answer[] {
  const placeOf = ({ id }: Answer): number => probes.findIndex(probe => probe.id === id);
  return answers.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Most files that are named which are not as they were. */
const MOST_NAMED = 20;

/** Whether nothing was written. A server that runs in that folder writes its world and its lists itself. */
export function untouched(
  server: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  tell: (line: string) => void,
): Seen {
  const changed = changesBetween(before, after);
  if (changed.length === 0) return held(`${before.size} files and folders are as they were`);
  const folder = openServer(serverFolder(server), systemFiles);
  const runs = !("faults" in folder) && findRunning(folder, systemSigns) !== undefined;
  const own = changed.filter(path => path !== "." && !isLeftOut(path));
  if (runs && own.length === 0)
    return skipped("a server runs there and writes its world; its program is as it was");
  // Names of worlds and packs are their owner's: they are told here, and stand in no report.
  const named = runs ? own : changed;
  for (const path of named.slice(0, MOST_NAMED)) tell(`changed: ${path}`);
  return broken(
    `changed: ${named.length} files and folders, ${own.length} of them not of worlds, players and the like; the trial has named ${named.length > MOST_NAMED ? "the first" : "them"} on the screen`,
  );
}
