import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "../../cli/errno.ts";
import { type Outcome, runFuzz } from "./run.ts";

const USAGE = `usage: npm run fuzz -- [--seed <number>] [--inputs <count>] [--only <number>]

  --seed <number>   what all inputs depend on (1)
  --inputs <count>  how many are sent (100000)
  --only <number>   sends the one input of this number, and shows it and what came back

Sends odd requests and messages to all three doors of the sidecar: the public listener, the bridge listener, the chat.
Exit code 1: an answer was missing or not as described, or the sidecar did not stay well.`;

// It runs as one file in dist/tools.
const PROGRAM = fileURLToPath(new URL("../sidecar/main.js", import.meta.url));

/** A whole number of an option that is 0 or more. */
function count(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name}: expected a whole number, got ${text}\n\n${USAGE}`);
}

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
  const seed = count("seed", values.seed);
  const begun = performance.now();
  const outcome =
    values.only === undefined
      ? await many(seed, count("inputs", values.inputs))
      : await showOne(seed, count("only", values.only));
  tell(outcome, seed, (performance.now() - begun) / 1000);
  if (outcome.faults.length > 0) process.exitCode = 1;
}

function many(seed: number, inputs: number): Promise<Outcome> {
  const say = (done: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${inputs}`);
    else if (done % 10_000 === 0) console.error(`${done} of ${inputs}`);
  };
  return runFuzz({ program: PROGRAM, seed, from: 0, inputs, onProgress: say });
}

/** Bytes as a terminal may show them. */
const shown = (bytes: Buffer): string => JSON.stringify(bytes.toString("latin1"));

function showOne(seed: number, only: number): Promise<Outcome> {
  return runFuzz({
    program: PROGRAM,
    seed,
    from: only,
    inputs: 1,
    onExchange({ door, kind, pieces }, { received }) {
      console.log(`${door}, ${kind}`);
      for (const piece of pieces) console.log(`> ${shown(piece)}`);
      console.log(`< ${shown(received)}\n`);
    },
  });
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
