import { messageOf } from "../../cli/errno.ts";
import type { Change } from "../setup/change.ts";
import { doctorSeen, isConnected, undoSeen } from "./checks.ts";
import { lastLines } from "./console.ts";
import { CannotRun } from "./fault.ts";
import { freePorts } from "./network.ts";
import { type Answers, broken, held, OWN, type OwnProbe, skipped } from "./own.ts";
import type { Probe, ProbeHost, Seen } from "./probe.ts";
import { BUSY } from "./probes/say.ts";
import { startProbes } from "./probes/start.ts";
import type { Program } from "./program.ts";
import { NotThere, type Ready, until } from "./ready.ts";
import { type Around, makeStage, type Stage } from "./stage.ts";
import { askAll, createTrial, staysSeen } from "./trial.ts";
import type { Allowed } from "./world.ts";

/** A start that takes longer is worth knowing, in milliseconds. */
const SLOW_START_MS = 60_000;
/** How long the pack may take to connect after the server is ready. */
const CONNECT_MS = 30_000;

/** The service that the script's requests go to, with what permissions.json has to allow for it. */
export interface Host extends ProbeHost {
  close(): Promise<void>;
}

/** What a game server has told of itself. */
export interface Told {
  version: string;
  transport: "nethernet" | "raknet";
  /** it says that it only stands for a game */
  simulated?: true;
}

/** What all runs have in common. */
export interface Runs {
  program: Program;
  /** folder of the trial */
  place: string;
  around: Around;
  answers: Answers;
  probes: readonly Probe[];
  /** folder of the repository, or of the archive */
  root: string;
  openHost(): Promise<Host>;
  /** what the script of the probes is to be allowed beside what setup allows */
  allowed(host: Host): Allowed;
  told: Told;
  /** says a step before it begins */
  step(text: string): void;
  /** says how far a step is */
  tell(text: string): void;
}

const NO_PROGRAMS =
  "where no program may be run from the folder for temporary files, name another with --work";
const NOT_CONNECTED = "the pack had not connected";
/** What can be asked of a pack that never connected. */
const OF_START: ReadonlySet<string> = new Set(startProbes.map(({ id }) => id));
const CLOSED = { online: false, isOpen: false };

/** Copies the program and starts it without a world, as an owner does before setup. */
export async function newStage(runs: Runs, name: string, behavior: string, who = CLOSED): Promise<Stage> {
  const { program, place, around, answers, step } = runs;
  step(`copying the program for the run "${name}" (${Math.ceil(sizeOf(program) / 1024 ** 2)} MiB)`);
  const ports = await freePorts();
  const openness = { ...who, isSeen: who.isOpen || around.isAlone };
  const stage = await makeStage({ program, place, name, ports, behavior, openness }, around);
  step(`starting it once, which makes a new world (game on port ${ports.game}, sidecar on ${ports.web})`);
  try {
    const ready = await stage.start();
    const { ms, listens } = ready;
    runs.told.version = versionIn(stage) ?? runs.told.version;
    if (stage.console.lines.includes("Build ID: simulated")) runs.told.simulated = true;
    runs.told.transport = /^IPv/.test(listens ?? "") ? "raknet" : "nethernet";
    if (!answers.has(OWN.firstStart)) answers.add(OWN.firstStart, readySeen(ready), ms);
  } catch (error) {
    await stage.end();
    if (error instanceof NotThere)
      throw new CannotRun(
        `the game server does not start: ${error.message}`,
        ...error.last,
        ...(error.last.some(line => /permission denied/i.test(line)) ? [NO_PROGRAMS] : []),
      );
    throw error;
  }
  await stage.stop();
  stage.console.clear();
  return stage;
}

function readySeen({ ms, listens, isSaid }: Ready): Seen {
  const seconds = `after ${(ms / 1000).toFixed(1)} s`;
  if (!isSaid) return broken(`it listens ${seconds}, and did not say that it has started`);
  return listens === undefined
    ? broken(`it started ${seconds}, and named no port`)
    : held(`ready ${seconds}`);
}

const versionIn = ({ console }: Stage): string | undefined =>
  console.lines.map(line => /^Version: (\d+(?:\.\d+)+)/.exec(line)?.[1]).find(each => each !== undefined);

const sizeOf = ({ files }: Program): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Starts the game with the pack; what it has come to. */
export async function startWith(
  stage: Stage,
  runs: Runs,
  slowest: { ms: number },
  gone?: () => void,
): Promise<string | undefined> {
  try {
    noteStart(await stage.start(gone), slowest);
    return undefined;
  } catch (error) {
    if (!(error instanceof NotThere)) throw error;
    runs.tell(error.message);
    return [error.message, ...error.last.slice(-3)].join("; ");
  }
}

function noteStart({ ms }: Ready, slowest: { ms: number }): void {
  slowest.ms = Math.max(slowest.ms, ms);
}

/** The run with the pack as an owner gets it. */
export async function plainRun(runs: Runs): Promise<void> {
  const { around, answers, probes, step, root } = runs;
  const stage = await newStage(runs, "plain", around.packs.behavior);
  const slowest = { ms: 0 };
  const host = await runs.openHost();
  const trial = createTrial({
    ...{ platform: runs.program.platform, stage, host, now: around.now, script: undefined },
    started: ready => noteStart(ready, slowest),
  });
  try {
    step("setting it up as an owner does, and starting it with the pack and the sidecar");
    const changes = await stage.setUp();
    answers.add(OWN.setup, held(`${changes.length} files changed or made`));
    await stage.startSide();
    const connected = await connect(stage, runs, slowest);
    // An owner whose game refuses the pack takes the other versions, and has what is asked from here on with them.
    const isThere = connected || (await otherVersions(stage, runs, slowest));
    step("having the doctor look at all of it");
    if (isThere) answers.add(OWN.doctor, await doctorSeen(stage, root));
    else answers.add(OWN.doctor, skipped(NOT_CONNECTED));
    const mine = probes.filter(({ run }) => run === "plain");
    step(`asking what can be asked of the pack as it is (${mine.length} probes)`);
    const asked = isThere ? mine : mine.filter(({ id }) => OF_START.has(id));
    await askAll(asked, trial, stage, answers, teller(runs, asked));
    skipAll(
      mine.filter(probe => !asked.includes(probe)),
      answers,
      NOT_CONNECTED,
    );
    answers.add(OWN.stays, staysSeen(stage));
    await trial.undoAll();
    step("stopping it, and starting it with other versions of modules");
    await stopSeen(stage, runs);
    if (connected && answers.wants(OWN.moduleVersions)) await otherVersions(stage, runs, slowest);
    step("taking back what setup has done");
    await stage.stop();
    await undoAll(stage, changes, runs);
    if (slowest.ms > 0) answers.add(OWN.startTime, startSeen(slowest.ms), slowest.ms);
  } finally {
    await stage.end();
    await host.close();
  }
}

function startSeen(ms: number) {
  const text = `the slowest was ready after ${(ms / 1000).toFixed(1)} s`;
  return ms < SLOW_START_MS ? held(text) : broken(`${text}; ${BUSY}`);
}

export const teller =
  ({ tell }: Runs, all: readonly Probe[]) =>
  (probe: Probe, place: number): void =>
    tell(`${place + 1}/${all.length} ${probe.id}`);

export function skipAll(probes: readonly OwnProbe[], answers: Answers, why: string): void {
  for (const probe of probes) answers.add(probe, skipped(why));
}

/** Starts the game with the pack; whether it connected. */
async function connect(stage: Stage, runs: Runs, slowest: { ms: number }): Promise<boolean> {
  const { fault, took } = await connecting(stage, runs, slowest);
  runs.answers.add(OWN.packConnects, fault === undefined ? held("connected") : broken(fault), took);
  return fault === undefined;
}

/** Starts the game with the pack in its other versions of modules; whether it connected. */
async function otherVersions(stage: Stage, runs: Runs, slowest: { ms: number }): Promise<boolean> {
  await stage.stop();
  await stage.setUp({ moduleVersions: "1.0.0-beta" });
  const { fault, took } = await connecting(stage, runs, slowest);
  runs.answers.add(OWN.moduleVersions, fault === undefined ? held("connected") : broken(fault), took);
  return fault === undefined;
}

export async function connecting(
  stage: Stage,
  runs: Runs,
  slowest: { ms: number },
): Promise<{ fault: string | undefined; took: number }> {
  const { now } = runs.around;
  const [since, begun] = [stage.console.lines.length, now()];
  const isThere = (): Promise<boolean> => isConnected(stage.side.url);
  const fault = await startWith(stage, runs, slowest);
  const isFine = fault === undefined && (await unlessRefused(stage, since, isThere, CONNECT_MS, now));
  return { fault: isFine ? undefined : (fault ?? whyNot(stage, since)), took: now() - begun };
}

/** What a game says of a script that it does not run. One whose modules it takes in a newer version is "promoted", and runs. */
export const REFUSED = /\[Scripting\].*Plugin \[.*\] - (?!promoted )/;
/** How long after such a line it is waited still. */
const REFUSED_MS = 3_000;

/** Whether something comes true within the time for it; soon it is given up where the console says that no script runs. */
export async function unlessRefused(
  stage: Stage,
  since: number,
  ask: () => Promise<boolean>,
  ms: number,
  now: () => number,
): Promise<boolean> {
  const isRefused = (): boolean => stage.console.lines.slice(since).some(line => REFUSED.test(line));
  const first = await until(async () => isRefused() || (await ask()), ms, now);
  return first && until(ask, isRefused() ? REFUSED_MS : 0, now);
}

/** What the console says of a script that has not loaded. */
export function whyNot(stage: Stage, since: number): string {
  const lines = stage.console.lines.slice(since);
  const said = lines.filter(line =>
    /\[Scripting\].*(Plugin|error|unknown|depend)|not found|ERROR/i.test(line),
  );
  const shown = said.length > 0 ? said.slice(-3) : lastLines(stage.console, 3);
  return ["the pack did not connect within 30 s", ...shown].join("; ");
}

async function stopSeen(stage: Stage, { answers, around }: Runs): Promise<void> {
  if (stage.game?.end !== undefined) {
    answers.add(OWN.stop, skipped("it had ended by then"));
    return;
  }
  const begun = around.now();
  const inOrder = await stage.stop();
  const ms = around.now() - begun;
  const took = `after ${(ms / 1000).toFixed(1)} s`;
  answers.add(OWN.stop, inOrder ? held(`it ended ${took}`) : broken("it had to be killed after 20 s"), ms);
}

async function undoAll(stage: Stage, changes: readonly Change[], { answers, around }: Runs): Promise<void> {
  const begun = around.now();
  try {
    await stage.undo();
    answers.add(OWN.undo, undoSeen(changes, stage), around.now() - begun);
  } catch (error) {
    answers.add(OWN.undo, broken(messageOf(error)));
  }
}
