import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { messageOf } from "../../cli/errno.ts";
import { serveBareHttp, serveBareSockets } from "./bare.ts";
import { type Bench, named } from "./bench.ts";
import { delays } from "./delays.ts";
import { attack } from "./floods/attacker.ts";
import { floods } from "./floods/benches.ts";
import { http } from "./http.ts";
import { known } from "./known.ts";
import { cleanUp } from "./processes.ts";
import { consoleScript, pack, script } from "./script.ts";
import { sockets } from "./sockets.ts";

const BENCHES: readonly Bench[] = [
  ...[http, sockets, script, consoleScript, pack, known],
  ...delays,
  ...floods,
];

const USAGE = `usage: npm run bench -- [name...]

${BENCHES.map(({ name, about }) => `  ${name.padEnd(24)} ${about}`).join("\n")}

Without a name, all benchmarks run; with the start of several names, such as floods, all of these.
Exit code 1: a target was missed. 2: wrong arguments.`;

/** Child processes of the benchmarks, by their first argument; each reports its port to the parent, or 0. */
const PARTS: Readonly<Record<string, (...args: string[]) => Promise<number> | number>> = {
  "--bare-http": serveBareHttp,
  "--bare-sockets": serveBareSockets,
  "--attack": attack,
};

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean", default: false } },
  });
  if (values.help) return console.log(USAGE);
  const unknown = positionals.filter(name => named(BENCHES, name).length === 0);
  if (unknown.length > 0) throw new Error(`unknown benchmark: ${unknown.join(", ")}\n\n${USAGE}`);
  const chosen = positionals.length === 0 ? BENCHES : positionals.flatMap(name => named(BENCHES, name));
  console.log(row("row", "measures", "figure", "target", "", "also measured"));
  console.log(row("---", "---", "---", "---", "---", "---"));
  for (const bench of new Set(chosen)) console.log(await measured(bench));
  const load = loadavg().map(value => value.toFixed(1));
  console.log(
    `\nNode ${process.version}, ${cpus().length} cores: ${cpus()[0]?.model}; load ${load.join(", ")}`,
  );
}

/** Runs a benchmark. @returns its row; an error counts as a missed target */
async function measured({ name, about, run }: Bench): Promise<string> {
  console.error(`${name}: ${about}`);
  try {
    const { figure, target, isMet, reference = "" } = await run();
    if (!isMet) process.exitCode = 1;
    return row(name, about, figure, target, isMet ? "met" : "**missed**", reference);
  } catch (error) {
    process.exitCode = 1;
    return row(name, about, messageOf(error), "", "**failed**", "");
  } finally {
    await cleanUp();
  }
}

const row = (...cells: string[]): string => `| ${cells.join(" | ")} |`;

const [part = "", ...args] = process.argv.slice(2);
const play = PARTS[part];
if (play) {
  process.on("disconnect", () => process.exit());
  process.send?.(await play(...args));
} else {
  try {
    await main();
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 2;
  }
  process.exit();
}
