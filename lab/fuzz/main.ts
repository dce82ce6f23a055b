import { parseArgs } from "node:util";
import { messageOf } from "../../cli/errno.ts";
import { SIDECAR } from "../scale/built.ts";
import { whole } from "../scale/whole.ts";
import type { Exchange } from "./client.ts";
import type { Input } from "./input.ts";
import { type Outcome, runFuzz } from "./run.ts";

const USAGE = `usage: npm run fuzz -- [--seed <number>] [--inputs <count>] [--only <number>]

  --seed <number>   what all inputs depend on (1)
  --inputs <count>  how many are sent (100000)
  --only <number>   sends the one input of this number, and shows it and what came back

Sends odd requests and messages to all three doors of the sidecar: the public listener, the bridge listener, the chat.
Exit code 1: an answer was missing or not as described, or the sidecar did not stay well.`;

const MOST = 999_999_999;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      inputs: { type: "string", default: "100000" },
      only: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const seed = whole("--seed", values.seed, 0, MOST, USAGE);
  const only = values.only === undefined ? undefined : whole("--only", values.only, 0, MOST, USAGE);
  const inputs = only === undefined ? whole("--inputs", values.inputs, 0, MOST, USAGE) : 1;
  const begun = performance.now();
  const how = only === undefined ? { onProgress: progress(inputs) } : { onExchange: show };
  const outcome = await runFuzz({ program: SIDECAR, seed, from: only ?? 0, inputs, ...how });
  tell(outcome, seed, (performance.now() - begun) / 1000);
  if (outcome.faults.length > 0) process.exitCode = 1;
}

const progress = (inputs: number) => (done: number) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${inputs}`);
  else if (done % 10_000 === 0) console.error(`${done} of ${inputs}`);
};

/** Bytes as a terminal may show them. */
const shown = (bytes: Buffer): string => JSON.stringify(bytes.toString("latin1"));

function show({ door, kind, pieces }: Input, { received }: Exchange): void {
  console.log(`${door}, ${kind}`);
  for (const piece of pieces) console.log(`> ${shown(piece)}`);
  console.log(`< ${shown(received)}\n`);
}

function tell({ counts, faults, inputs }: Outcome, seed: number, seconds: number): void {
  if (process.stderr.isTTY) process.stderr.write("\r");
  for (const [kind, outcomes] of [...counts].sort()) {
    const most = [...outcomes].sort(([, a], [, b]) => b - a);
    console.log(`${kind}: ${most.map(([outcome, times]) => `${times} ${outcome}`).join(", ")}`);
  }
  for (const { number, what } of faults)
    console.log(number === undefined ? `FAULT ${what}` : `FAULT in input ${number}: ${what}`);
  const rate = Math.round(inputs / seconds);
  console.log(
    `seed ${seed}: ${inputs} inputs, ${faults.length} faults, ${seconds.toFixed(1)} s (${rate} a second)`,
  );
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
