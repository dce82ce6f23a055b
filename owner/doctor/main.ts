import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DEFAULT_CONFIG, EXIT, readArguments, SERVER_OPTIONS } from "../../cli/arguments.ts";
import { commandsIn } from "../../cli/commands.ts";
import { printable, printableJson } from "../../cli/printable.ts";
import { examine } from "./examine.ts";
import { isProblem, jsonOf, linesOf, summary } from "./finding.ts";
import { systemSurroundings } from "./system.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const commands = commandsIn(root);

const USAGE = `usage: ${commands.doctor} --server <folder> [--config <file>] [--sidecar <host>] [--json]

Looks at everything that has to be right on both sides, and says what mends what is not. It changes nothing.

  --server <folder>  the server's folder, where server.properties is
  --config <file>    configuration of the sidecar (${DEFAULT_CONFIG})
  --sidecar <host>   machine or container where the sidecar runs, when it is not this one
  --json             print the result as JSON, for scripts
  --help             print this`;

/** Ends with the exit code: 0 all is well, 1 problems, 2 wrong usage. */
async function main(): Promise<number> {
  const given = readArguments(commands.doctor, USAGE, () =>
    parseArgs({ options: { ...SERVER_OPTIONS, sidecar: { type: "string" } }, allowPositionals: true }),
  );
  if ("exit" in given) return given.exit;
  const { server, config, sidecar, json } = given.args;
  const findings = await examine({ server, config, sidecar }, systemSurroundings(root));
  if (json) console.log(printableJson(findings.map(jsonOf)));
  else for (const line of [...findings.flatMap(linesOf), summary(findings)]) console.log(printable(line));
  return findings.some(isProblem) ? EXIT.failed : EXIT.done;
}

process.exitCode = await main();
