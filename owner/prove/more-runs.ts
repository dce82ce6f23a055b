import { NO_SERVICES } from "../bds/console-lines.ts";
import { systemSurroundings } from "../doctor/system.ts";
import { broken, held, OWN, skipped } from "./own.ts";
import type { Run } from "./probe.ts";
import { connecting, newStage, type Runs, skipAll, teller } from "./runs.ts";
import type { Stage } from "./stage.ts";
import { askAll, createTrial } from "./trial.ts";
import { setUpProperties } from "./world.ts";

/** How long a player may take to join. */
const JOIN_MS = 600_000;

/** A run with online-mode and allow-list on, which needs the internet. The world is made without. */
export async function onlineRun(runs: Runs): Promise<void> {
  const offline = await systemSurroundings(runs.root).offline();
  if (offline !== undefined) {
    const mine = runs.probes.filter(({ run }) => run === "online");
    skipAll([OWN.online, ...mine], runs.answers, "this machine does not seem to reach the internet");
    return;
  }
  const stage = await newStage(runs, "online", runs.around.packs.behavior);
  await askWith(runs, "online", stage, async () => {
    runs.step("starting it with online-mode and allow-list on");
    await stage.setUp();
    setUpProperties(stage.folder, { "online-mode": "true", "allow-list": "true" });
    await stage.startSide();
    const { fault, took } = await connecting(stage, runs, { ms: 0 });
    const isOffline = stage.console.lines.includes(NO_SERVICES);
    if (isOffline) runs.answers.add(OWN.online, skipped("it could not reach Minecraft's services"), took);
    else runs.answers.add(OWN.online, fault === undefined ? held("connected") : broken(fault), took);
    return fault === undefined ? undefined : "it was not ready";
  });
}

/** A run for somebody who joins, with link requests as a chest. Only this one can be reached from other machines. */
export async function joinedRun(runs: Runs): Promise<void> {
  const { around, step, tell } = runs;
  const stage = await newStage(runs, "joined", around.packs.behavior, { online: false, isOpen: true });
  await askWith(runs, "joined", stage, async () => {
    step("starting it for whoever joins");
    await stage.setUp({ chestForm: true });
    await stage.startSide();
    const { fault } = await connecting(stage, runs, { ms: 0 });
    if (fault !== undefined) return "the pack did not connect";
    tell(
      `join this game now, at the address of this machine and port ${stage.ports.game}: it waits for ten minutes`,
    );
    const come = await stage.console.line(/^Player Spawned: /, JOIN_MS, 0);
    return come === undefined ? "nobody has joined within ten minutes" : undefined;
  });
}

/** Asks the probes of a run. `prepare`: starts it; why nothing can be asked, or undefined */
async function askWith(
  runs: Runs,
  kind: Run,
  stage: Stage,
  prepare: () => Promise<string | undefined>,
): Promise<void> {
  const { around, answers, step } = runs;
  const mine = runs.probes.filter(({ run }) => run === kind);
  const host = await runs.openHost();
  const trial = createTrial({
    ...{ platform: runs.program.platform, stage, host, now: around.now, script: undefined },
    started: () => undefined,
  });
  try {
    const why = await prepare();
    step(`asking (${mine.length} probes)`);
    if (why === undefined) await askAll(mine, trial, stage, answers, teller(runs, mine));
    else skipAll(mine, answers, why);
    await trial.undoAll();
  } finally {
    await stage.end();
    await host.close();
  }
}
