import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EXIT, readArguments, serverOptions } from "../../cli/arguments.ts";
import { commandsIn } from "../../cli/commands.ts";
import { printable, printableJson } from "../../cli/printable.ts";
import { examine } from "./examine.ts";
import { type Finding, isProblem, jsonOf, linesOf, summary } from "./finding.ts";
import { examineSeveral, type Part } from "./several.ts";
import { systemSurroundings } from "./system.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const commands = commandsIn(root);

const USAGE = `usage: ${commands.doctor} --server <folder> [--config <file>] [--sidecar <host>] [--json]

Looks at everything that has to be right on both sides, and says what mends what is not. It changes nothing.

  --server <folder>  the server's folder, where server.properties is; several of one sidecar, each with --server before it
  --config <file>    configuration of the sidecar (${commands.home})
  --sidecar <host>   machine or container where the sidecar runs, when it is not this one
  --json             print the result as JSON, for scripts
  --help             print this`;

/** Ends with the exit code: 0 all is well, 1 problems, 2 wrong usage. */
async function main(): Promise<number> {
  const given = readArguments(commands.doctor, USAGE, () => {
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
  if ("exit" in given) return given.exit;
  const { server, servers, config, sidecar, json } = given.args;
  const asked = { config, sidecar };
  const around = systemSurroundings(root);
  if (servers.length > 1) {
    // A backslash before the closing quote makes the quote part of the argument on Windows.
    const parts = await examineSeveral(
      servers.map(each => each.replace(/"$/, "")),
      asked,
      around,
    );
    return told(
      parts.flatMap(({ findings }) => findings),
      json ? parts.flatMap(jsonOfPart) : parts.flatMap(linesOfPart),
      json,
    );
  }
  const findings = await examine({ ...asked, server }, around);
  return told(findings, json ? findings.map(jsonOf) : findings.flatMap(linesOf), json);
}

/** Prints what was found, and gives the exit code. */
function told(findings: readonly Finding[], shown: readonly (string | object)[], json: boolean): number {
  if (json) console.log(printableJson(shown));
  else for (const line of [...shown, summary(findings)]) console.log(printable(String(line)));
  return findings.some(isProblem) ? EXIT.failed : EXIT.done;
}

const linesOfPart = ({ server, as, findings }: Part): string[] => [
  `${server ?? "the sidecar"}${as === undefined ? "" : ` (${as})`}:`,
  ...findings.flatMap(linesOf),
  "",
];

const jsonOfPart = ({ server, as, findings }: Part): object[] =>
  findings.map(finding => ({
    ...(server !== undefined && { server }),
    ...(as !== undefined && { as }),
    ...jsonOf(finding),
  }));

process.exitCode = await main();
