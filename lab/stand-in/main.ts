import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { together } from "./course.ts";
import { coursesOf, DEVIATIONS, type Deviation, givenIn } from "./deviations.ts";
import { putStandIn } from "./put.ts";
import { startStandIn } from "./server.ts";

const USAGE = `usage: node dist/tools/stand-in.js --put <folder> [--deviation <name>]...

Puts a stand-in into the folder of a game server, in the place of its program, to try what a real one is needed for otherwise:
"npm run make-server -- <folder> --game 1.26.60" makes such a folder.
`;

/** Runs in the folder it was started in, as a server does; `beside`: where its program is. */
async function run(beside: string): Promise<void> {
  const own = process.env.STAND_IN_OWN;
  if (own !== undefined) rmSync(own, { recursive: true, force: true });
  const course = together(coursesOf(deviationsIn(beside)));
  const lines: string[] = [];
  let type = (line: string): void => void lines.push(line);
  createInterface({ input: process.stdin, terminal: false }).on("line", line => type(line));
  const server = await startStandIn(process.cwd(), course, {
    write: text => process.stdout.write(text),
    crash: () => process.kill(process.pid, "SIGSEGV"),
  });
  type = server.type;
  for (const line of lines) type(line);
  process.exit(await server.ended);
}

function deviationsIn(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, "deviations.json"), "utf8"));
  } catch {
    return [];
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { put: { type: "string" }, deviation: { type: "string", multiple: true } },
    allowPositionals: true,
  });
  const [beside] = positionals;
  if (beside !== undefined) return run(beside);
  if (values.put === undefined) {
    const all: [string, Deviation][] = Object.entries(DEVIATIONS);
    const table = all.map(([name, { does }]) => `  ${name.padEnd(24)}${does}\n`).join("");
    process.stderr.write(`${USAGE}\n${table}`);
    process.exitCode = 2;
    return;
  }
  putStandIn(values.put, givenIn(values.deviation ?? []));
}

await main();
