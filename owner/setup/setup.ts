import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { folderOf, openServer, type ServerFolder } from "../../bds/folder.ts";
import { otherServers } from "../../bds/other-servers.ts";
import { registerServer } from "../../bds/registered-servers.ts";
import { findRunningServer, type ProcessTable } from "../../bds/running-servers.ts";
import { realFolder } from "../../bds/safe-paths.ts";
import { journalFile, journalFolder } from "../../bds/setup-folder.ts";
import { systemFiles } from "../../bds/system.ts";
import { isRoot } from "../../bds/users.ts";
import { orElse } from "../../cli/errno.ts";
import { tokenFile } from "../../sidecar/config/token.ts";
import { hasLostAchievements, installedKeepsAchievements } from "./achievements.ts";
import { applyChanges, undoChanges } from "./apply-changes.ts";
import { Refusal } from "./change.ts";
import { type CopyPaths, noJournal, openCopy, refuseDataElsewhere, refuseWithoutConfig } from "./copy.ts";
import { type Disk, diskIn } from "./disk.ts";
import { type NewConfig, newConfigWithFreePorts } from "./free-ports.ts";
import { type Journal, readJournal, removeJournal } from "./journal.ts";
import type { BackupTools, Confirm, Options, Outcome, Questions, SetupSystem } from "./options.ts";
import { builtModule, builtPacks } from "./packs.ts";
import { makePlan } from "./plan.ts";
import { lookTwice, takeLock } from "./setup-lock.ts";
import { namedAs, namedUrl, OWN_ADDRESS, readSidecar } from "./sidecar.ts";
import { keepEarlierConfig } from "./sidecar-settings.ts";
import { copyNotes, journalFiles, withTransfer } from "./transfer.ts";
import { planUndo } from "./undo.ts";
import { backUp, backupFolder } from "./world-backup.ts";

/** Sets a server up. Throws `Refusal`, or the system's error. */
export async function setUp(
  options: Options,
  system: SetupSystem,
  confirm: Confirm,
  questions: Questions,
): Promise<Outcome> {
  const { server: given, config, root, disk } = resolvePaths(options, system);
  let { backup, chestForm, knownPlayers, keepAchievements } = options;
  const made = await newConfigFor(options, config, system);
  const { isCopy = false } = options;
  const plan = (make: boolean) => {
    const server = openFolder(options, system);
    const journal = readJournal(root, disk);
    const packs = builtPacks(system.packs, system.disk);
    const installed = installedKeepsAchievements(server, packs, disk);
    if (isCopy) refuseWithoutConfig(copyPaths(options, system), server, installed === true, disk);
    const bridgeUrl = namedUrl(options.bridgeUrl ?? journal?.bridgeUrl);
    const [isNamed, isAsNamed] = [options.bridgeUrl !== undefined, options.as !== undefined];
    const named = { bridgeUrl, isNamed, as: namedAs(options.as ?? journal?.as), isAsNamed };
    const sidecar = readSidecar({ configFile: config, made, ...named, env: system.env }, make);
    if (isCopy) refuseDataElsewhere(copyPaths(options, system), sidecar.storage);
    const { as } = sidecar;
    // A pack whose files are lost stays of its kind too: the experiment of the other one is permanent.
    const usual = installed ?? journal?.keepsAchievements ?? false;
    const keepsAchievements = keepAchievements ?? usual;
    const { moduleVersions } = options;
    const planned = makePlan(
      {
        server,
        behavior: keepsAchievements ? packs.stable : packs.behavior,
        resource: packs.resource,
        sidecar,
        chestForm,
        knownPlayers,
        moduleVersions,
        journal,
        isBackedUp: backup !== undefined,
        isCopy,
        portNote: made?.note,
        env: system.env,
      },
      disk,
    );
    const news = [
      ...(bridgeUrl === journal?.bridgeUrl ? [] : [`address of the sidecar: ${bridgeUrl ?? "its own"}`]),
      ...(as === journal?.as ? [] : [`the sidecar calls this game server ${sidecar.name}`]),
    ];
    if (news.length > 0 && planned.changes.length === 0)
      planned.items.push({ place: journalFile(root), lines: news });
    const isNew = journal === undefined;
    const unanswered = {
      keepAchievements: isNew,
      chestForm: isNew && sidecar.linkForm !== "chest",
      // It counts for all game servers.
      knownPlayers: isNew && as === undefined && !sidecar.isKnownShowChosen,
      otherWorlds: planned.otherWorlds,
    };
    const more = { bridgeUrl, as, filled: planned.filled, keepsAchievements };
    // The sidecar's files, which are made before the others.
    const token = join(sidecar.storage, tokenFile(as));
    const sidecarFiles = [config, ...(sidecar.token === undefined ? [token] : [])];
    const settings = planned.changes.filter(({ kind }) => kind !== "pack").map(({ path }) => path);
    const besides = isCopy
      ? copyNotes(root, [...settings, journalFile(root), ...sidecarFiles], disk)
      : (system.usedInstead?.(config) ?? []);
    const notes = [...(planned.notes ?? []), ...besides];
    return { server, sidecar, journal, plan: { ...planned, notes }, more, unanswered, sidecarFiles };
  };
  let first = lookTwice(() => plan(false), journalFolder(root), disk, system.isAlive);
  const ended = (end: Outcome["end"], { plan, sidecar, more } = first): Outcome => ({
    server: given,
    plan,
    keepsAchievements: more.keepsAchievements,
    url: sidecar.url,
    runBy: sidecar.runBy,
    place: sidecar.isRemote ? "remote" : sidecar.as === undefined ? "together" : { as: sidecar.as },
    end,
  });
  if (first.plan.items.length === 0) {
    if (!options.dryRun && !isCopy) registerServer(first.server, first.sidecar.storage, first.more.as);
    return ended("nothing");
  }
  const assertStopped = (): void => {
    if (!isCopy) refuseRunning(first.server, system.processes);
  };
  if (!options.dryRun) assertStopped();
  if (options.dryRun) return ended("shown");
  const { unanswered, server } = first;
  const { otherWorlds } = unanswered;
  if (otherWorlds.length > 0 && !(await questions.isPlayedWorld(server.levelName, otherWorlds)))
    return ended("declined");
  if (keepAchievements === undefined && unanswered.keepAchievements)
    keepAchievements = await questions.keepAchievements(
      first.more.keepsAchievements,
      hasLostAchievements(server, disk),
    );
  if (chestForm === undefined && unanswered.chestForm && (await questions.chestForm())) chestForm = true;
  if (knownPlayers === undefined && unanswered.knownPlayers && (await questions.knownPlayers()))
    knownPlayers = "everybody";
  const isPackChosen = keepAchievements !== options.keepAchievements;
  if (isPackChosen || chestForm !== options.chestForm || knownPlayers !== options.knownPlayers)
    first = plan(false);
  const agreed = await confirm(first.plan);
  if (agreed === false) return ended("declined");
  if (agreed !== true) backup = agreed;
  const act = (): Outcome => {
    assertStopped();
    const second = plan(true);
    const { server, sidecar, journal, plan: planned, more } = second;
    if (planned.items.length === 0) return ended("nothing", second);
    const copy = backup && backUpWorld(server, backup, disk, assertStopped);
    keepEarlierConfig(planned.changes, disk);
    applyChanges(root, journal, planned.changes, more, disk);
    if (!isCopy) registerServer(server, sidecar.storage, more.as);
    return { ...ended("done", second), ...(copy !== undefined && { backup: copy }) };
  };
  const files = [...first.plan.changes.map(({ path }) => path), ...first.sidecarFiles];
  const run = (): Outcome => locked(root, disk, system, act);
  return isCopy ? withTransfer(root, files, disk, run) : run();
}

/** The text for a configuration that is missing; undefined: it exists, or the sidecar is elsewhere. */
async function newConfigFor(
  { bridgeUrl, isCopy }: Options,
  config: string,
  { env, isPortInUse }: SetupSystem,
): Promise<NewConfig | undefined> {
  const isRemote = bridgeUrl !== undefined && bridgeUrl !== OWN_ADDRESS;
  return existsSync(config) || isRemote || isCopy
    ? undefined
    : newConfigWithFreePorts(config, env, isPortInUse);
}

/** Copies the world of a stopped server. Returns the folder of the copy. */
function backUpWorld(
  server: ServerFolder,
  tools: BackupTools,
  disk: Disk,
  assertStopped: () => void,
): string {
  const { root, world, levelName } = server;
  const target = backupFolder(root, levelName, tools.now());
  const free = tools.freeBytes(root);
  backUp({ world: disk.realPath(world.folder), target, free, report: tools.report }, assertStopped);
  return target;
}

/** Undoes what setup has done to a server. Throws as `setUp` does. */
export async function undo(
  options: Pick<Options, "server" | "config" | "dryRun" | "isCopy">,
  system: SetupSystem,
  confirm: Confirm,
): Promise<Outcome> {
  const { server: given, config, root, disk } = resolvePaths(options, system);
  const server = openFolder(options, system);
  const { isCopy } = options;
  const assertStopped = (): void => {
    if (!isCopy) refuseRunning(server, system.processes);
  };
  const journal = readJournal(root, disk);
  if (journal === undefined) {
    if (isCopy) throw noJournal(root);
    const isLeft = disk.kindOf(journalFolder(root)) === "folder" && !options.dryRun;
    if (isLeft) locked(root, disk, system, () => removeJournal(root, disk));
    return { server: given, plan: { changes: [], items: [] }, end: "nothing" };
  }
  const plan = (journal: Journal) => ({
    ...planUndo(root, config, journal, disk, reasonToKeep(server, config, journal.as, system)),
    ...(isCopy && { notes: copyNotes(root, journalFiles(root, journal), disk) }),
  });
  const first = plan(journal);
  if (options.dryRun) return { server: given, plan: first, end: "shown" };
  assertStopped();
  if (!(await confirm(first))) return { server: given, plan: first, end: "declined" };
  const act = (): Outcome => {
    assertStopped();
    const now = readJournal(root, disk) ?? journal;
    const second = plan(now);
    undoChanges(root, now, second, disk);
    return { server: given, plan: second, end: "done" };
  };
  const run = (): Outcome => locked(root, disk, system, act);
  const files = first.changes.map(({ path }) => path);
  return isCopy ? withTransfer(root, files, disk, run) : run();
}

/** Both paths in full, the server's folder without links, and a disk that stays in it. */
function resolvePaths(
  options: Pick<Options, "server" | "config">,
  { disk }: SetupSystem,
): { server: string; config: string; root: string; disk: Disk } {
  const [server, config] = [folderOf(options.server, disk), resolve(options.config)];
  const root = realFolder(server);
  return { server, config, root, disk: diskIn(root, disk) };
}

function copyPaths(options: Pick<Options, "server" | "config" | "as">, system: SetupSystem): CopyPaths {
  const { config, root, disk } = resolvePaths(options, system);
  const as = options.as ?? readJournal(root, disk)?.as;
  return { root, config, module: builtModule(system.packs, system.disk), as };
}

/** Opens the folder of a server, or a copy. Throws `Refusal` when a file is missing. */
function openFolder(
  options: Pick<Options, "server" | "config" | "as" | "isCopy">,
  system: SetupSystem,
): ServerFolder {
  const { root, disk } = resolvePaths(options, system);
  if (options.isCopy) return openCopy(copyPaths(options, system), disk);
  const server = openServer(root, disk);
  if ("faults" in server) throw new Refusal(...server.faults);
  return server;
}

/** Why undo leaves the sidecar's configuration; undefined: it need not. */
function reasonToKeep(
  server: ServerFolder,
  configFile: string,
  as: string | undefined,
  system: SetupSystem,
): string | undefined {
  const [config, journal] = [configFile, journalFile(server.root)].map(path =>
    orElse(() => statSync(path).uid, undefined),
  );
  // Root does not trust a journal of another user.
  if (isRoot() && journal !== 0 && journal !== config)
    return "its copy is in a folder of another user: undo by hand what setup has changed";
  return orElse(() => {
    const options = { configFile, bridgeUrl: undefined, as, env: system.env };
    const { storage, token } = readSidecar(options, false);
    const [other] = otherServers({
      root: server.root,
      storage,
      token,
      as,
      module: builtModule(system.packs, system.disk),
      files: systemFiles,
      processes: system.processes,
    });
    return other && `the server ${other.root} uses this sidecar too`;
  }, undefined);
}

function refuseRunning(server: ServerFolder, processes: ProcessTable): void {
  const running = findRunningServer(server, processes);
  if (running === undefined) return;
  const who = running.pid === undefined ? "" : ` (process ${running.pid})`;
  throw new Refusal(
    `${server.root}: the server is running${who}: stop it with "stop" on its console, then run this again`,
  );
}

/** Runs under the setup lock. */
function locked<T>(root: string, disk: Disk, { isAlive }: SetupSystem, act: () => T): T {
  const unlock = takeLock(journalFolder(root), disk, isAlive);
  try {
    return act();
  } finally {
    unlock();
  }
}
