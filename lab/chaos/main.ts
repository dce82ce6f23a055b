import { parseArgs } from "node:util";
import { messageOf } from "../../cli/errno.ts";
import { whole } from "../scale/whole.ts";
import { runChaos } from "./run.ts";

const MOST = 999_999_999;
/** Time limit for recovery: the back-off of a pack whose only sidecar is down, and the timeout of its requests. */
const BACK_MS = 25_000;

const USAGE = `usage: npm run chaos -- [--seed <number>] [--faults <number>] [--sidecars <number>] [--console]

  --seed <number>      seed of the faults (1)
  --faults <number>    number of faults (300), in waves of up to 7; after each wave everything must recover
  --sidecars <number>  number of sidecars, from 1 to 9 (1); several share a Redis, behind balancers that
                       distribute requests in turn
  --console            the pack that keeps achievements, over the game's console, whose lines have faults too

Exit code 1: there were violations.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      faults: { type: "string", default: "300" },
      sidecars: { type: "string", default: "1" },
      console: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const seed = whole("--seed", values.seed, 0, MOST, USAGE);
  const faults = whole("--faults", values.faults, 0, MOST, USAGE);
  const sidecars = whole("--sidecars", values.sidecars, 1, 9, USAGE);
  const report = await runChaos({
    ...{ seed, faults, sidecars, withConsole: values.console, backMs: BACK_MS },
    say: line => console.error(`  ${line}`),
  });
  for (const { at, what } of report.violations) {
    console.log(`VIOLATION at ${(at / 1000).toFixed(1)} s: ${what}`);
    for (const fault of report.around(at)) console.log(`    after ${fault}`);
  }
  for (const [what, figure] of report.rows) console.log(`${what.padEnd(18)} ${figure}`);
  const more = `${sidecars > 1 ? ` --sidecars ${sidecars}` : ""}${values.console ? " --console" : ""}`;
  console.log(`to repeat          npm run chaos -- --seed ${seed} --faults ${faults}${more}`);
  if (report.violations.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
process.exit();
