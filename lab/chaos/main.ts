import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { messageOf } from "../../cli/errno.ts";
import { PACK, SIDECAR } from "../scale/built.ts";
import { whole } from "../scale/whole.ts";
import { runChaos } from "./run.ts";

const MOST = 999_999_999;

const USAGE = `usage: npm run chaos -- [--seed <number>] [--faults <number>] [--servers <number>]
                        [--sidecars <number> [--back <seconds>]] [--trace <file>]

  --seed <number>      what the faults and the load are drawn from (1)
  --faults <number>    how many there are (300): one every 100 to 400 ms, or for several sidecars in
                       waves of up to 7, after each of which everything has to work again
  --servers <number>   game servers behind one service, from 1 to 4 (1); what happens to a game, or on the way
                       to it, happens to none but those before the last, which is as if alone meanwhile
  --sidecars <number>  how many there are, from 1 to 9 (1): several run on a Redis of their own, behind
                       balancers that give every request to the next one
  --back <seconds>     how soon everything has to work at several of them (5)
  --trace <file>       writes down everything that happens

Exit code 1: something was not as it has to be.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      faults: { type: "string", default: "300" },
      servers: { type: "string", default: "1" },
      sidecars: { type: "string", default: "1" },
      back: { type: "string", default: "5" },
      trace: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const { trace: file } = values;
  if (file !== undefined) writeFileSync(file, "");
  const seed = whole("--seed", values.seed, 0, MOST, USAGE);
  const faults = whole("--faults", values.faults, 0, MOST, USAGE);
  const servers = whole("--servers", values.servers, 1, 4, USAGE);
  const sidecars = whole("--sidecars", values.sidecars, 1, 9, USAGE);
  const backMs = whole("--back", values.back, 0, MOST, USAGE) * 1_000;
  const report = await runChaos({
    ...{ seed, faults, servers, sidecars, backMs, pack: PACK, sidecar: SIDECAR },
    say: line => console.error(`  ${line}`),
    trace: line => {
      if (file !== undefined) appendFileSync(file, `${line}\n`);
    },
  });
  for (const { at, what } of report.violations) {
    console.log(`VIOLATION at ${(at / 1000).toFixed(1)} s: ${what}`);
    for (const fault of report.around(at)) console.log(`    after ${fault}`);
  }
  for (const [what, figure] of report.rows) console.log(`${what.padEnd(18)} ${figure}`);
  const several = Object.entries({ servers, sidecars }).filter(([, count]) => count > 1);
  const rest = several.map(([name, count]) => ` --${name} ${count}`).join("");
  console.log(`to repeat it       npm run chaos -- --seed ${seed} --faults ${faults}${rest}`);
  if (report.violations.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
process.exit();
