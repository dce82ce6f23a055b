import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EXIT, misused, readOptions } from "../../cli/arguments.ts";
import { isErrno, reasonOf } from "../../cli/errno.ts";
import { printable } from "../../cli/printable.ts";
import { readConfigFile } from "../../sidecar/config/load.ts";
import { AUDIT_FILE, ROTATED_FILES } from "../../sidecar/features/moderation/audit-file.ts";
import { filtered, lineOf, readLines } from "./audit-lines.ts";
import { commands, failed, OWN_OPTIONS, warnOfOtherConfig } from "./output.ts";

const USAGE = `usage: ${commands.audit} [--config <file>] [--key <name>] [--server <name>] [--name <player>] [--last <number>] [--json]

Prints who changed the whitelist, kicked, banned or muted somebody, made announcements, or changed links and settings in
the game, and who signed in to other sites, oldest first. It changes nothing.

  --config <file>    configuration of the sidecar (default: ${commands.home})
  --key <name>       only entries of the key with this name
  --server <name>    only entries of this game server
  --name <player>    only entries about this player
  --last <number>    only the newest entries, this many
  --json             print each entry as JSON, as it is in the file
  --help             print this`;

/** Exit code: 0 printed, 1 a file cannot be read, 2 wrong usage. */
function main(): number {
  const parsed = readOptions(USAGE, () =>
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
  if ("exit" in parsed) return parsed.exit;
  const { config, key, server, name, last, json } = parsed.values;
  if (last !== undefined && !/^\d{1,9}$/.test(last)) return misused("--last: expected a whole number", USAGE);
  warnOfOtherConfig(config);
  const read = readConfigFile(config, process.env);
  if ("faults" in read) return failed(read.faults);

  const file = join(read.config.storage.folder, AUDIT_FILE);
  const [faults, texts]: [string[], string[]] = [[], []];
  for (let number = ROTATED_FILES; number >= 0; number--) {
    const path = number === 0 ? file : `${file}.${number}`;
    try {
      texts.push(readFileSync(path, "utf8"));
    } catch (error) {
      if (!isErrno(error, "ENOENT")) faults.push(`${path}: cannot be read: ${reasonOf(error)}`);
    }
  }
  const lines = texts.flatMap(readLines);
  const entries = lines.flatMap(line => ("entry" in line ? [line.entry] : []));
  const entriesToPrint = filtered(entries, {
    key,
    server,
    name,
    last: last === undefined ? undefined : Number(last),
  });
  for (const entry of entriesToPrint) console.log(printable(json ? JSON.stringify(entry) : lineOf(entry)));
  if (entriesToPrint.length === 0 && !json)
    console.log(`no ${lines.length > 0 ? "matching " : ""}entries in ${file}`);
  if (lines.length > entries.length)
    console.error(`${lines.length - entries.length} lines of ${file} cannot be read and were skipped`);
  return faults.length > 0 ? failed(faults) : EXIT.done;
}

process.exitCode = main();
