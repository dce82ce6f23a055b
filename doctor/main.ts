import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commandsIn, strayWord } from "../setup/commands.ts";
import { examine } from "./examine.ts";
import { isProblem, jsonOf, linesOf, summary } from "./finding.ts";
import { DEFAULT_CONFIG } from "./patient.ts";
import { systemSurroundings } from "./system.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const commands = commandsIn(root);

const USAGE = `usage: ${commands.doctor} --server <folder> [--config <file>] [--json]

Looks at everything that has to be right on both sides, and says what mends what is not. It changes nothing.

  --server <folder>  the server's folder, where server.properties is
  --config <file>    configuration of the sidecar (${DEFAULT_CONFIG})
  --json             print the result as JSON, for scripts
  --help             print this`;

const read = () =>
  parseArgs({
    options: {
      server: { type: "string" },
      config: { type: "string", default: DEFAULT_CONFIG },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });

function misused(why: string): number {
  console.error(`${why}\n\n${USAGE}`);
  return 2;
}

/** Ends with the exit code: 0 all is well, 1 problems, 2 wrong usage. */
async function main(): Promise<number> {
  let args: ReturnType<typeof read>["values"];
  try {
    const { values, positionals } = read();
    const [stray] = positionals;
    if (stray !== undefined && !values.help) return misused(strayWord(stray, commands.doctor));
    args = values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
  if (args.help) {
    console.log(USAGE);
    return 0;
  }
  if (args.server === undefined || args.server === "") return misused("--server is missing");
  // A backslash before the closing quote makes the quote part of the argument on Windows.
  const asked = { server: args.server.replace(/"$/, ""), config: args.config };
  const findings = await examine(asked, systemSurroundings(root));
  if (args.json) console.log(JSON.stringify(findings.map(jsonOf), undefined, 2));
  else for (const line of [...findings.flatMap(linesOf), summary(findings)]) console.log(line);
  return findings.some(isProblem) ? 1 : 0;
}

process.exitCode = await main();
