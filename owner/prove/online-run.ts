import { NO_SERVICES } from "../bds/console-lines.ts";
import { systemSurroundings } from "../doctor/system.ts";
import { broken, held, OWN, skipped } from "./own.ts";
import { NotThere } from "./ready.ts";
import { connecting, newStage, type Runs, skipAll, teller } from "./runs.ts";
import { askAll, createTrial } from "./trial.ts";
import { setUpProperties } from "./world.ts";

/** A run with online-mode and allow-list on, which needs the internet. The world is made without. */
export async function onlineRun(runs: Runs): Promise<void> {
  const { around, answers, probes, step, root } = runs;
  const mine = probes.filter(({ run }) => run === "online");
  const offline = await systemSurroundings(root).offline();
  if (offline !== undefined) {
    skipAll([OWN.online, ...mine], answers, "this machine does not seem to reach the internet");
    return;
  }
  const stage = await newStage(runs, "online", around.packs.behavior);
  const host = await runs.openHost();
  const trial = createTrial({
    ...{ stage, host, now: around.now, script: undefined },
    started: () => undefined,
  });
  try {
    step("starting it with online-mode and allow-list on");
    await stage.setUp();
    setUpProperties(stage.folder, { "online-mode": "true", "allow-list": "true" });
    await stage.startSide();
    const { fault, took } = await connecting(stage, runs, { ms: 0 });
    const isOffline = stage.console.lines.includes(NO_SERVICES);
    if (isOffline) answers.add(OWN.online, skipped("it could not reach Minecraft's services"), took);
    else answers.add(OWN.online, fault === undefined ? held("it is ready") : broken(fault), took);
    step(`asking it (${mine.length} probes)`);
    if (fault === undefined) await askAll(mine, trial, stage, answers, teller(runs, mine));
    else skipAll(mine, answers, "it was not ready");
    await trial.undoAll();
  } catch (error) {
    if (!(error instanceof NotThere)) throw error;
    answers.add(OWN.online, broken(error.message));
  } finally {
    await stage.end();
    await host.close();
  }
}
