import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { orElse } from "../../cli/errno.ts";
import { DEVIATIONS, type Deviation, deviationOf, type StandInBehaviour } from "./deviations.ts";
import { putStandIn } from "./put.ts";
import { startStandIn } from "./server.ts";

const USAGE = `usage: node dist/tools/stand-in.js --put <folder> [--deviation <name>]

Puts a stand-in for the game into the folder of a game server, instead of its program:
"npm run make-server -- <folder> --game 1.26.60" makes such a folder.
`;

/** Runs in the current folder, as a server does. `beside`: the folder of its program. */
async function run(beside: string): Promise<void> {
  const own = process.env.STAND_IN_OWN;
  if (own !== undefined) rmSync(own, { recursive: true, force: true });
  const name = orElse(() => readFileSync(join(beside, "deviation.txt"), "utf8").trim(), "");
  const course: StandInBehaviour = name === "" ? {} : DEVIATIONS[deviationOf(name)].course;
  const lines: string[] = [];
  let type = (line: string): void => void lines.push(line);
  createInterface({ input: process.stdin, terminal: false }).on("line", line => type(line));
  const server = await startStandIn(process.cwd(), course);
  type = server.type;
  for (const line of lines) type(line);
  process.exit(await server.ended);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { put: { type: "string" }, deviation: { type: "string" } },
    allowPositionals: true,
  });
  const [beside] = positionals;
  if (beside !== undefined) return run(beside);
  if (values.put !== undefined)
    return putStandIn(values.put, values.deviation === undefined ? undefined : deviationOf(values.deviation));
  const all: [string, Deviation][] = Object.entries(DEVIATIONS);
  process.stderr.write(
    `${USAGE}\n${all.map(([name, { does }]) => `  ${name.padEnd(20)}${does}\n`).join("")}`,
  );
  process.exitCode = 2;
}

await main();
