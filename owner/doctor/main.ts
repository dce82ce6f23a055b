import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EXIT, readArguments, serverOptions } from "../../cli/arguments.ts";
import { commandsIn } from "../../cli/commands.ts";
import { printable, printableJson } from "../../cli/printable.ts";
import { examine, examineSeveral, type Section } from "./examine.ts";
import { isProblem, isSkipped, jsonOf, linesOf, summary } from "./finding.ts";
import { doctorSystem } from "./system.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const commands = commandsIn(root);

const USAGE = `usage: ${commands.doctor} --server <folder> [--config <file>] [--sidecar <host>] [--json]

Checks the game server and the sidecar, and suggests a fix for each problem. It changes nothing.
Exit code: 0 if everything was checked and nothing is wrong, 1 if there is a problem or something could not be checked
(for example while the game server is not running), 2 for wrong usage.

  --server <folder>  folder of the game server, the one with server.properties; repeat it for several servers
  --config <file>    configuration of the sidecar (default: ${commands.home})
  --sidecar <host>   machine or container where the sidecar runs, if it is not this one
  --json             print the result as JSON, for scripts
  --help             print this`;

/** Exit code: 0 if everything was checked and nothing is wrong, 1 for a problem or a check that could not be made, 2 for wrong usage. */
async function main(): Promise<number> {
  const parsed = readArguments(commands.doctor, USAGE, () => {
    const { values, positionals } = parseArgs({
      options: {
        ...serverOptions(commands.home),
        server: { type: "string", multiple: true },
        sidecar: { type: "string" },
      },
      allowPositionals: true,
    });
    const { server: servers = [], ...more } = values;
    const first = servers.find(each => each === "") ?? servers[0];
    return {
      values: { ...more, servers, ...(first !== undefined && { server: first }) },
      positionals,
    };
  });
  if ("exit" in parsed) return parsed.exit;
  const { server, servers, config, sidecar, json } = parsed.args;
  const options = { config, sidecar };
  const system = doctorSystem(root);
  // A backslash before the closing quote makes the quote part of the argument on Windows.
  const folders = servers.map(each => each.replace(/"$/, ""));
  const parts =
    servers.length > 1
      ? await examineSeveral(folders, options, system)
      : [{ server: resolve(server), as: undefined, findings: await examine({ ...options, server }, system) }];
  const findings = parts.flatMap(part => part.findings);
  const isSeveral = parts.length > 1;
  if (json) console.log(printableJson(isSeveral ? parts.flatMap(jsonOfPart) : findings.map(jsonOf)));
  else {
    const lines = isSeveral ? parts.flatMap(linesOfPart) : findings.flatMap(linesOf);
    for (const line of [...lines, summary(findings)]) console.log(printable(line));
  }
  return findings.some(each => isProblem(each) || isSkipped(each)) ? EXIT.failed : EXIT.done;
}

const linesOfPart = ({ server, as, findings }: Section): string[] => [
  `${server ?? "the sidecar"}${as === undefined ? "" : ` (${as})`}:`,
  ...findings.flatMap(linesOf),
  "",
];

const jsonOfPart = ({ server, as, findings }: Section): object[] =>
  findings.map(finding => ({
    ...(server !== undefined && { server }),
    ...(as !== undefined && { as }),
    ...jsonOf(finding),
  }));

process.exitCode = await main();
