import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { folderOf } from "../../bds/folder.ts";
import { realFolder } from "../../bds/safe-paths.ts";
import { freeBytes, systemProcesses } from "../../bds/system.ts";
import { EXIT, misused, readArguments, serverOptions } from "../../cli/arguments.ts";
import { commandsIn, quoted } from "../../cli/commands.ts";
import { RUN_BY_LAUNCH } from "../../cli/launch-channel.ts";
import { printable, printableJson } from "../../cli/printable.ts";
import { choose, isTerminal } from "../../cli/prompt.ts";
import { usedInstead } from "../../cli/sidecar-process.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { unexpected } from "../../sidecar/config/kind.ts";
import { knownShow } from "../../sidecar/config/text-kinds.ts";
import { type Plan, Refusal } from "./change.ts";
import { COPY_CONFIG } from "./copy.ts";
import { systemDisk } from "./disk.ts";
import { isPortInUse } from "./free-ports.ts";
import type { BackupTools, Outcome, SetupSystem } from "./options.ts";
import {
  achievementsQuestion,
  copyLines,
  FORMS,
  inWords,
  KNOWN,
  nextLines,
  planLines,
  worldQuestion,
} from "./output.ts";
import { ownerToRunAs, systemUsers } from "./run-as-owner.ts";
import { setUp, undo } from "./setup.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const commands = commandsIn(root);
const isStarting = process.env[RUN_BY] === RUN_BY_LAUNCH;

const USAGE = `usage: ${commands.setup} --server <folder> [options]
       ${commands.setup} --copy <folder> [options]

Installs the add-on in the game server, connects it to the sidecar, and turns on what it needs. You see every change
before it is made.

  --server <folder>    folder of the game server, the one with server.properties
  --copy <folder>      files of the game server, downloaded from a host where you can't run setup; says which files to
                       download first, and which ones to upload afterwards
  --as <name>          name of this game server, if the sidecar has several, such as lobby; kept by later runs
                       (main: the first game server)
  --config <file>      configuration of the sidecar (default: ${commands.home}, with --copy
                       ${COPY_CONFIG} in that folder); created if it is missing
  --bridge-url <url>   address at which the add-on reaches the sidecar, if it is not the one in config.yml; kept by later
                       runs; "default" goes back
  --chest-form         show link requests as a chest, which needs the resource pack
  --no-chest-form      show them as a plain form again, and remove the resource pack
  --known-players <who>
                       who can see the list of past players (name, visits, playtime): everybody, key (only people with
                       a key), or off (keep no list and delete the old one)
  --keep-achievements  install the pack that keeps achievements: the world is not changed, and the game server is started
                       by launch (docs/achievements.md); kept by later runs
  --all-features       install the pack with all features, the default, which needs the experiment "Beta APIs"; it
                       permanently turns off achievements in the world; kept by later runs
  --module-versions <versions>
                       versions of the game's script modules that the add-on asks for: beta, the default, or 1.0.0-beta for a game
                       that rejects beta; kept by later runs
  --backup             first copy the world to the folder "backups" in the server's folder
  --yes                make the changes without asking
  --dry-run            show the changes, but make none
  --undo               undo what setup has done
  --json               print the result as JSON, for scripts
  --help               print this`;

/** Options that exclude each other. */
const EXCLUSIVE = [
  ["--chest-form", "--no-chest-form"],
  ["--keep-achievements", "--all-features"],
];

/** How setup talks to the owner. */
interface Mode {
  /** a folder that is a copy */
  copy?: string | undefined;
  json: boolean;
  yes: boolean;
  undo: boolean;
  backup: boolean;
}

const read = () =>
  readArguments(commands.setup, USAGE, () => {
    const parsed = parseArgs({
      options: {
        ...serverOptions(commands.home),
        copy: { type: "string" },
        as: { type: "string" },
        "bridge-url": { type: "string" },
        "chest-form": { type: "boolean" },
        "known-players": { type: "string" },
        "keep-achievements": { type: "boolean" },
        "all-features": { type: "boolean" },
        "module-versions": { type: "string" },
        backup: { type: "boolean", default: false },
        yes: { type: "boolean", default: false },
        "dry-run": { type: "boolean", default: false },
        undo: { type: "boolean", default: false },
      },
      allowPositionals: true,
      allowNegative: true,
      tokens: true,
    });
    const switches = parsed.tokens.map(token => (token.kind === "option" ? token.rawName : ""));
    const both = EXCLUSIVE.find(pair => pair.every(each => switches.includes(each)));
    if (both !== undefined) throw new Error(`${both.join(" and ")}: expected one of them`);
    const { values } = parsed;
    if (values.copy === undefined) return parsed;
    if (values.server !== undefined) throw new Error("--server and --copy: expected one of them");
    if (values.backup)
      throw new Error("--backup: a copy does not have the whole world: back it up on the host");
    const hasConfig = switches.includes("--config");
    if (values["bridge-url"] !== undefined && !hasConfig)
      throw new Error("--bridge-url: with --copy, --config is needed too: the configuration of that sidecar");
    const server = values.copy.replace(/"$/, "");
    const config = hasConfig ? values.config : join(realFolder(server), COPY_CONFIG);
    return { ...parsed, values: { ...values, server, config } };
  });

const built = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const system: SetupSystem = {
  disk: systemDisk,
  processes: systemProcesses,
  env: process.env,
  isPortInUse,
  usedInstead: config => usedInstead(root, config),
  packs: {
    behavior: built("behavior_pack"),
    stable: built("behavior_pack_stable"),
    resource: built("resource_pack"),
  },
};

/** Exit code: 0 done or nothing to do, 1 refused, 2 wrong usage. */
async function main(): Promise<number> {
  const parsed = read();
  if ("exit" in parsed) return parsed.exit;
  const { args } = parsed;
  const written = args["known-players"];
  const show = written === undefined ? undefined : knownShow.read(written, "");
  if (show && "fault" in show)
    return misused(`--known-players: ${printable(unexpected(knownShow, written))}`, USAGE);
  if (args.json && !args.yes && !args["dry-run"]) return misused("--json needs --yes or --dry-run", USAGE);
  const options = {
    server: args.server,
    config: args.config,
    as: args.as,
    bridgeUrl: args["bridge-url"],
    chestForm: args["chest-form"],
    knownPlayers: show?.value,
    moduleVersions: args["module-versions"],
    keepAchievements: args["all-features"] ? false : args["keep-achievements"],
    dryRun: args["dry-run"],
    isCopy: args.copy !== undefined,
    backup: args.backup ? toolsOf(args) : undefined,
  };
  try {
    refuseAsRoot(options);
    const agreed = (plan: Plan): Promise<boolean | BackupTools> => confirm(args, plan);
    const keepAchievements = async (usual: boolean, hasUsedExperiments: boolean): Promise<boolean> => {
      const [letters, words] = usual
        ? (["a/K", ["keep", "all"]] as const)
        : (["A/k", ["all", "keep"]] as const);
      const question = `All features, or keep achievements? [${letters}] `;
      return (await chosen(args, achievementsQuestion(hasUsedExperiments), question, words)) === "keep";
    };
    const chestForm = async (): Promise<boolean> =>
      (await chosen(args, FORMS, "Plain form or chest? [P/c] ", ["plain", "chest"])) === "chest";
    const knownPlayers = async (): Promise<boolean> =>
      (await chosen(args, KNOWN, "Show everyone the list? [y/N] ", ["no", "yes"])) === "yes";
    const isPlayedWorld = (levelName: string, others: readonly string[]): Promise<boolean> =>
      isPlayed(args, levelName, others);
    const outcome = args.undo
      ? await undo(options, system, agreed)
      : await setUp(options, system, agreed, { keepAchievements, chestForm, knownPlayers, isPlayedWorld });
    return end(args, args.config, outcome);
  } catch (error) {
    const lines = error instanceof Refusal ? error.lines : [inWords(error)];
    if (args.json) console.log(printableJson({ ok: false, faults: lines }));
    else for (const line of lines) console.error(printable(line));
    return EXIT.failed;
  }
}

/** Throws `Refusal` with the right command if root is not needed. */
function refuseAsRoot({ server, config }: { server: string; config: string }): void {
  const folder = folderOf(server, systemDisk);
  const owner = ownerToRunAs(folder, resolve(config), systemUsers(process.env));
  if (owner === undefined) return;
  const command = ["sudo -u", owner, commands.setup, ...process.argv.slice(2).map(word => quoted(word))];
  throw new Refusal(`${folder}: belongs to ${owner}: run setup as that user: ${command.join(" ")}`);
}

const print = (lines: readonly string[]): void => {
  for (const line of lines) console.log(printable(line));
};

const toolsOf = ({ json }: Mode): BackupTools => ({
  now: Date.now,
  freeBytes,
  report: line => print(json ? [] : [line]),
});

async function confirm(mode: Mode, plan: Plan): Promise<boolean | BackupTools> {
  if (mode.json) return true;
  show(mode, plan);
  if (mode.yes) return true;
  if (!isTerminal())
    throw new Refusal("Nothing has been changed. Add --yes to make these changes without being asked.");
  // Settings that are on in the world stay on.
  const isOffered = !mode.undo && !mode.backup && mode.copy === undefined;
  const isPermanent = isOffered && plan.changes.some(({ kind }) => kind === "level");
  if (!isPermanent) return (await answerTo("Make these changes? [y/N] ", ["no", "yes"])) === "yes";
  const answers = ["no", "yes", "backup"] as const;
  const answer = await answerTo("Make these changes? [y/N, b = yes, but back up the world first] ", answers);
  return answer === "backup" ? toolsOf(mode) : answer === "yes";
}

/** True if no user can answer: the plan has a note about it. */
async function isPlayed({ yes, json }: Mode, levelName: string, others: readonly string[]): Promise<boolean> {
  if (yes || json || !isTerminal()) return true;
  print(worldQuestion(levelName, others).split("\n"));
  return (await answerTo(`Set up "${printable(levelName)}"? [y/N] `, ["no", "yes"])) === "yes";
}

/** The answer to a question, or the first word if no user can answer. */
async function chosen<W extends string>(
  { yes, json }: Mode,
  explanation: string,
  question: string,
  words: readonly [W, ...W[]],
): Promise<W> {
  if (yes || json || !isTerminal()) return words[0];
  console.log(explanation);
  return answerTo(question, words);
}

/** Throws `Refusal` when the input ends. */
async function answerTo<W extends string>(question: string, words: readonly [W, ...W[]]): Promise<W> {
  const answer = await choose(question, words);
  if (answer === undefined) throw new Refusal("Nothing has been changed.");
  return answer;
}

const show = ({ undo }: Mode, plan: Plan): void => print([undo ? "Undo:" : "Changes:", ...planLines(plan)]);

function end(mode: Mode, config: string, outcome: Outcome): number {
  const { end, plan, server, keepsAchievements, backup, transfer } = outcome;
  if (mode.json) {
    const { items: changes, notes = [] } = plan;
    console.log(
      printableJson({ ok: true, server, end, keepsAchievements, changes, notes, backup, transfer }),
    );
    return EXIT.done;
  }
  switch (end) {
    case "nothing":
      print([
        mode.undo ? "nothing to undo" : `nothing to change${mode.backup ? ": no copy was made" : ""}`,
        ...(mode.copy === undefined
          ? (plan.notes ?? [])
          : ["if you have not uploaded what an earlier run has changed, upload this whole folder"]
        ).map(line => `note: ${line}`),
      ]);
      return EXIT.done;
    case "shown":
      show(mode, plan);
      print(["Nothing has been changed."]);
      return EXIT.done;
    case "declined":
      print(["Nothing has been changed."]);
      return EXIT.failed;
    case "done":
      if (transfer !== undefined)
        print([
          mode.undo ? "Undone." : "Done.",
          ...copyLines(outcome, transfer, mode.undo, config, commands),
        ]);
      else print(mode.undo ? ["Undone."] : ["Done.", ...nextLines(outcome, config, commands, isStarting)]);
      return EXIT.done;
  }
}

process.exitCode = await main();
