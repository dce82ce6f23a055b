import { cpSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../cli/errno.ts";
import { broken, held, OWN, skipped } from "./own.ts";
import type { Run, ScriptSide, Seen } from "./probe.ts";
import { newStage, type Runs, skipAll, startWith, teller, unlessRefused, whyNot } from "./runs.ts";
import { createScriptSide, READY } from "./script-side.ts";
import type { Stage } from "./stage.ts";
import { askAll, createTrial, staysSeen } from "./trial.ts";
import { allowMore } from "./world.ts";

/** How long the script of the probes may take to load. */
const SCRIPT_MS = 30_000;
/** And for its first answer. */
const ANSWER_MS = 15_000;

const HOUR_MS = 3_600_000;
const NEVER = /^(?!)$/;

/** The manifests of the pack with the probes, in the order in which they are tried; what each has that is worth knowing. */
const MANIFESTS = [
  ["manifest.json", "with server-gametest 1.0.0-beta"],
  ["manifest-beta.json", "with server-gametest beta, which has to be named so"],
  [
    "manifest-alone.json",
    "without server-gametest, which this game does not take: it has no players of its own",
  ],
] as const;

const WHOM: Partial<Record<Run, string>> = {
  probes: "what only a script in the game can answer",
  long: "again after an hour",
};

/** A run with the probes in the script of the pack; those after an hour are asked in it, too. */
export async function probesRun(runs: Runs, kinds: readonly Run[]): Promise<void> {
  const { around, answers, probes, step } = runs;
  const pack = join(runs.place, "pack");
  const stage = await newStage(runs, "probes", pack);
  const host = await runs.openHost();
  const script = createScriptSide(stage.console);
  const trial = createTrial({
    ...{ platform: runs.program.platform, stage, host, script, now: around.now },
    started: () => undefined,
  });
  try {
    step("setting it up with the probes in its script, and starting it");
    await stage.startSide();
    const seen = await load(stage, script, runs, pack, () => runs.allowed(host));
    answers.add(OWN.probesConnect, seen);
    const loaded = seen.state === "held";
    for (const kind of kinds) {
      const mine = probes.filter(({ run }) => run === kind);
      const why = loaded ? await awaited(kind, stage, runs) : "the script of the probes did not load";
      step(`asking ${WHOM[kind] ?? "the script"} (${mine.length} probes)`);
      if (why === undefined) await askAll(mine, trial, stage, answers, teller(runs, mine));
      else skipAll(mine, answers, why);
    }
    answers.add(
      OWN.staysProbes,
      loaded ? staysSeen(stage) : skipped("the script of the probes did not load"),
    );
    step("stopping it");
    await trial.undoAll();
  } finally {
    await stage.end();
    await host.close();
  }
}

/** Waits for what a run is about; why it did not come, or undefined. */
async function awaited(kind: Run, stage: Stage, { tell }: Runs): Promise<string | undefined> {
  const { console, game } = stage;
  if (kind === "long") {
    tell("nothing is asked for an hour");
    await Promise.race([console.line(NEVER, HOUR_MS), game?.ended]);
  }
  return undefined;
}

/** Starts the game with the first of the manifests that it takes. */
async function load(
  stage: Stage,
  script: ReturnType<typeof createScriptSide>,
  runs: Runs,
  pack: string,
  allowed: () => Parameters<typeof allowMore>[2],
): Promise<Seen> {
  const faults: string[] = [];
  for (const [manifest, what] of MANIFESTS) {
    await stage.stop();
    stage.console.clear();
    const module = putPack(runs.around.packs.probes, manifest, pack);
    await stage.setUp();
    allowMore(stage.folder, module, allowed());
    const fault =
      (await startWith(stage, runs, { ms: 0 }, script.gone)) ??
      (await unheard(stage, script, runs.around.now));
    if (fault === undefined) return held(`ready, ${what}`);
    faults.push(fault);
    if (!/server-gametest/.test(fault)) break;
  }
  return broken(faults.at(-1) ?? "");
}

/** Makes the pack with one of its manifests; the uuid of its script module. */
function putPack(from: string, manifest: string, to: string): string {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  renameSync(join(to, manifest), join(to, "manifest.json"));
  for (const [other] of MANIFESTS) if (other !== "manifest.json") rmSync(join(to, other), { force: true });
  const read: { modules: { type: string; uuid: string }[] } = JSON.parse(
    readFileSync(join(to, "manifest.json"), "utf8"),
  );
  return read.modules.find(({ type }) => type === "script")?.uuid ?? "";
}

/** Why the script of the probes cannot be asked; undefined: it answers, and its answers come whole. */
async function unheard(stage: Stage, script: ScriptSide, now: () => number): Promise<string | undefined> {
  const isReady = async (): Promise<boolean> => stage.console.lines.some(line => READY.test(line));
  if (!(await unlessRefused(stage, 0, isReady, SCRIPT_MS, now))) return whyNot(stage, 0);
  try {
    await script.ask("load", undefined, ANSWER_MS);
    return undefined;
  } catch (error) {
    return `what the script says does not come whole: ${messageOf(error)}`;
  }
}
