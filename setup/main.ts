import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { systemSigns } from "../bds/system.ts";
import { type Plan, Refusal } from "./change.ts";
import { commandsIn, strayWord } from "./commands.ts";
import { systemDisk } from "./disk.ts";
import { type Outcome, type Surroundings, setUp, undo } from "./setup.ts";
import { DEFAULT_CONFIG, inWords, nextLines, planLines } from "./show.ts";

const commands = commandsIn(fileURLToPath(new URL("../../", import.meta.url)));

const USAGE = `usage: ${commands.setup} --server <folder> [options]

Puts the pack into a Bedrock Dedicated Server, lets it reach the sidecar, and turns on what it needs.

  --server <folder>    the server's folder, where server.properties is
  --config <file>      configuration of the sidecar (${DEFAULT_CONFIG}); made when it is missing
  --bridge-url <url>   address of the sidecar, where it is not the one in its configuration
  --chest-form         ask players in the chest form, which needs the resource pack
  --yes                make the changes without asking
  --dry-run            show the changes and make none
  --undo               take back what setup has done
  --json               print the result as JSON, for scripts
  --help               print this`;

const read = () =>
  parseArgs({
    options: {
      server: { type: "string" },
      config: { type: "string", default: DEFAULT_CONFIG },
      "bridge-url": { type: "string" },
      "chest-form": { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      undo: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });

type Arguments = ReturnType<typeof read>["values"];

const built = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const around: Surroundings = {
  disk: systemDisk,
  signs: systemSigns,
  env: process.env,
  packs: { behavior: built("behavior_pack"), resource: built("resource_pack") },
};

/** Ends with the exit code: 0 done or nothing to do, 1 refused, 2 wrong usage. */
async function main(): Promise<number> {
  let args: Arguments;
  try {
    const { values, positionals } = read();
    const [stray] = positionals;
    if (stray !== undefined && !values.help) return misused(strayWord(stray, commands.setup));
    args = values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
  if (args.help) {
    console.log(USAGE);
    return 0;
  }
  if (args.server === undefined || args.server === "") return misused("--server is missing");
  if (args.json && !args.yes && !args["dry-run"]) return misused("--json needs --yes or --dry-run");
  const options = {
    // A backslash before the closing quote makes the quote part of the argument on Windows.
    server: args.server.replace(/"$/, ""),
    config: args.config,
    bridgeUrl: args["bridge-url"],
    chestForm: args["chest-form"],
    dryRun: args["dry-run"],
  };
  try {
    const run = args.undo ? undo : setUp;
    return report(args, await run(options, around, plan => confirm(args, plan)));
  } catch (error) {
    const lines = error instanceof Refusal ? error.lines : [inWords(error)];
    if (args.json) console.log(JSON.stringify({ ok: false, faults: lines }, undefined, 2));
    else for (const line of lines) console.error(line);
    return 1;
  }
}

function misused(why: string): number {
  console.error(`${why}\n\n${USAGE}`);
  return 2;
}

async function confirm(args: Arguments, plan: Plan): Promise<boolean> {
  if (args.json) return true;
  show(args, plan);
  if (args.yes) return true;
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    throw new Refusal("Nothing has been changed. Add --yes to make these changes without being asked.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>(done => terminal.once("close", () => done("")));
  const answer = await Promise.race([terminal.question("Make these changes? [y/N] "), ended]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function show(args: Arguments, plan: Plan): void {
  console.log(args.undo ? "Undo:" : "Changes:");
  for (const line of planLines(plan)) console.log(line);
}

function report(args: Arguments, outcome: Outcome): number {
  const { end, plan, server } = outcome;
  if (args.json) {
    console.log(JSON.stringify({ ok: true, server, end, changes: plan.items }, undefined, 2));
    return 0;
  }
  switch (end) {
    case "nothing":
      console.log(args.undo ? "nothing to undo" : "nothing to change");
      return 0;
    case "shown":
      show(args, plan);
      console.log("Nothing has been changed.");
      return 0;
    case "declined":
      console.log("Nothing has been changed.");
      return 1;
    case "done":
      console.log(args.undo ? "Undone." : "Done.");
      if (!args.undo) for (const line of nextLines(outcome, args.config, commands)) console.log(line);
      return 0;
  }
}

process.exitCode = await main();
