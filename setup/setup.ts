import { resolve } from "node:path";
import { openServer, type ServerFolder } from "../bds/folder.ts";
import { findRunning, type SystemSigns } from "../bds/running.ts";
import type { Environment } from "../sidecar/config/read.ts";
import { type Plan, Refusal } from "./change.ts";
import { commit, rollBack } from "./commit.ts";
import type { Disk } from "./disk.ts";
import { journalFolder, readJournal, removeJournal } from "./journal.ts";
import { type IsAlive, refuseWhileLocked, takeLock } from "./lock.ts";
import { readSourcePack, type SourcePack } from "./packs.ts";
import { makePlan } from "./plan.ts";
import { readSidecar } from "./sidecar.ts";
import { planUndo } from "./undo.ts";

export interface Options {
  /** folder of the server */
  server: string;
  /** configuration of the sidecar */
  config: string;
  bridgeUrl: string | undefined;
  chestForm: boolean;
  dryRun: boolean;
}

export interface Surroundings {
  disk: Disk;
  signs: SystemSigns;
  env: Environment;
  /** folders of the packs that were built; the second may be missing */
  packs: { behavior: string; resource: string };
  isAlive?: IsAlive;
}

/** How a run ended. */
export interface Outcome {
  server: string;
  plan: Plan;
  /** `nothing`: there was nothing to change; `shown`: as far as `--dry-run` goes; `declined`: the owner said no */
  end: "nothing" | "shown" | "declined" | "done";
  /** address of the sidecar that the server has been given */
  url?: string;
}

/** Shows a plan and says whether to go on. */
export type Confirm = (plan: Plan) => Promise<boolean>;

/** Sets a server up. Throws `Refusal`, or the system's error, with nothing changed. */
export async function setUp(options: Options, around: Surroundings, confirm: Confirm): Promise<Outcome> {
  const { disk } = around;
  const root = resolve(options.server);
  const plan = (make: boolean): { server: ServerFolder; plan: Plan; url: string } => {
    const server = open(root, disk);
    const asked = { configFile: options.config, bridgeUrl: options.bridgeUrl, env: around.env };
    const sidecar = readSidecar(asked, make);
    const made = makePlan({ server, packs: builtPacks(around), sidecar, chestForm: options.chestForm }, disk);
    return { server, plan: made, url: sidecar.url };
  };
  const first = undisturbed(root, around, () => plan(false));
  const outcome = { server: root, plan: first.plan, url: first.url };
  if (first.plan.changes.length === 0) return { ...outcome, end: "nothing" };
  if (options.dryRun) return { ...outcome, end: "shown" };
  const stopped = (): void => refuseRunning(first.server, around.signs);
  stopped();
  if (!(await confirm(first.plan))) return { ...outcome, end: "declined" };
  return locked(root, around, () => {
    const second = plan(true);
    if (second.plan.changes.length > 0) commit(root, second.plan.changes, disk, stopped);
    return { ...outcome, plan: second.plan, end: second.plan.changes.length > 0 ? "done" : "nothing" };
  });
}

/** Takes back what setup has done to a server. Throws as `setUp` does. */
export async function undo(
  options: Pick<Options, "server" | "dryRun">,
  around: Surroundings,
  confirm: Confirm,
): Promise<Outcome> {
  const { disk } = around;
  const root = resolve(options.server);
  const server = open(root, disk);
  const stopped = (): void => refuseRunning(server, around.signs);
  const journal = readJournal(root, disk);
  if (journal === undefined) {
    const isLeft = disk.kindOf(journalFolder(root)) === "folder" && !options.dryRun;
    if (isLeft) locked(root, around, () => removeJournal(root, disk));
    return { server: root, plan: { changes: [], items: [] }, end: "nothing" };
  }
  const first = undisturbed(root, around, () => planUndo(root, journal, disk));
  if (options.dryRun) return { server: root, plan: first, end: "shown" };
  stopped();
  if (!(await confirm(first))) return { server: root, plan: first, end: "declined" };
  return locked(root, around, () => {
    const now = readJournal(root, disk) ?? journal;
    const second = planUndo(root, now, disk);
    rollBack(root, now, second.changes, disk, stopped);
    return { server: root, plan: second, end: "done" };
  });
}

function open(root: string, disk: Disk): ServerFolder {
  const server = openServer(root, disk);
  if ("faults" in server) throw new Refusal(...server.faults);
  return server;
}

function builtPacks({ packs, disk }: Surroundings): SourcePack[] {
  const found = [
    readSourcePack(packs.behavior, "behavior", disk),
    readSourcePack(packs.resource, "resource", disk),
  ];
  return found.filter(pack => pack !== undefined);
}

function refuseRunning(server: ServerFolder, signs: SystemSigns): void {
  const running = findRunning(server, signs);
  if (running === undefined) return;
  const who = running.pid === undefined ? "" : ` (process ${running.pid})`;
  throw new Refusal(
    `${server.root}: the server is running${who}: stop it with "stop" on its console, then run this again`,
  );
}

/**
 * A look at a folder without its lock. Another setup may be writing there, so that half a pack is seen: whoever finds a
 * fault says that the other one is at work, or looks once more when it has just ended.
 */
function undisturbed<T>(root: string, { disk, isAlive }: Surroundings, look: () => T): T {
  try {
    return look();
  } catch {
    refuseWhileLocked(journalFolder(root), disk, isAlive);
    return look();
  }
}

/** Does something while no other setup can. */
function locked<T>(root: string, { disk, isAlive }: Surroundings, act: () => T): T {
  const unlock = takeLock(journalFolder(root), disk, isAlive);
  try {
    return act();
  } finally {
    unlock();
  }
}
