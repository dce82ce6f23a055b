import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EXIT, misused, readOptions } from "../../cli/arguments.ts";
import { isErrno, reasonOf } from "../../cli/errno.ts";
import { printable } from "../../cli/printable.ts";
import { readConfigFile } from "../../sidecar/config/load.ts";
import { AUDIT_FILE, KEPT_FILES } from "../../sidecar/features/moderation/audit-file.ts";
import { filtered, lineOf, readLines } from "./audit-lines.ts";
import { commands, failed, OWN_OPTIONS, warnOfOtherConfig } from "./output.ts";

const USAGE = `usage: ${commands.audit} [--config <file>] [--key <name>] [--server <name>] [--name <player>] [--last <number>] [--json]

Prints who changed the whitelist, sent players away or announced something over the web, and who signed in to other
sites, oldest first. It changes nothing.

  --config <file>    configuration of the sidecar (${commands.home})
  --key <name>       only what was done with the key of this name
  --server <name>    only what was done on this game server
  --name <player>    only what is about this player
  --last <number>    only so many of the newest
  --json             print each as JSON, as it is in the file
  --help             print this`;

/** Ends with the exit code: 0 printed, 1 something cannot be read, 2 wrong usage. */
function main(): number {
  const given = readOptions(USAGE, () =>
    parseArgs({
      options: {
        ...OWN_OPTIONS,
        key: { type: "string" },
        server: { type: "string" },
        name: { type: "string" },
        last: { type: "string" },
        json: { type: "boolean", default: false },
      },
    }),
  );
  if ("exit" in given) return given.exit;
  const { config, key, server, name, last, json } = given.values;
  if (last !== undefined && !/^\d{1,9}$/.test(last))
    return misused("--last: a whole number is needed", USAGE);
  warnOfOtherConfig(config);
  const read = readConfigFile(config, process.env);
  if ("faults" in read) return failed(read.faults);

  const file = join(read.config.storage.folder, AUDIT_FILE);
  const [faults, texts]: [string[], string[]] = [[], []];
  for (let number = KEPT_FILES; number >= 0; number--) {
    const path = number === 0 ? file : `${file}.${number}`;
    try {
      texts.push(readFileSync(path, "utf8"));
    } catch (error) {
      if (!isErrno(error, "ENOENT")) faults.push(`${path}: cannot be read: ${reasonOf(error)}`);
    }
  }
  const lines = texts.flatMap(readLines);
  const entries = lines.flatMap(line => ("entry" in line ? [line.entry] : []));
  const shown = filtered(entries, { key, server, name, last: last === undefined ? undefined : Number(last) });
  for (const entry of shown) console.log(printable(json ? JSON.stringify(entry) : lineOf(entry)));
  if (shown.length === 0 && !json)
    console.log(`nothing is in ${file}${lines.length > 0 ? " that fits" : ""}`);
  if (lines.length > entries.length)
    console.error(`${lines.length - entries.length} lines of ${file} cannot be read, and were left out`);
  return faults.length > 0 ? failed(faults) : EXIT.done;
}

process.exitCode = main();
