// A simulated game server program: a copy of Node named `bedrock_server` runs it. Its arguments, and then the lines on its console,
// are commands. Any other line is answered with `heard <line>`.
//   say <text>               prints a line
//   prompt <text>            prints a line without its end
//   long <lines>             prints lines of 64 KB
//   random <seed> <bytes>    prints any bytes
//   rate <lines> <seconds>   prints that many lines each second
//   flood                    prints lines until the end, beside the next commands
//   mark                     reports that it came so far
//   deaf                     ignores `stop` from now on
//   slow <ms>                takes this long to stop
//   unread                   reads nothing from the console from now on
//   exit <code>              ends
//   signal <name>            ends by a signal
//   stop                     saves and ends
// The file `GAME_REPORT` gets its process id at the start, and at the end SHA-256 sums of what it has printed and read.
import { createHash } from "node:crypto";
import { renameSync, writeFileSync, writeSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";

const printed = { hash: createHash("sha256"), bytes: 0 };
const read = { hash: createHash("sha256"), bytes: 0 };
let [isDeaf, isMarked, saveMs] = [false, false, 0];

/** Waits for a slow reader, and continues without one. @param {string | Uint8Array} data */
function print(data) {
  const bytes = Buffer.from(data);
  for (let sent = 0; sent < bytes.length; )
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (!(error instanceof Error && "code" in error) || error.code !== "EAGAIN") break;
    }
  printed.hash.update(bytes);
  printed.bytes += bytes.length;
}

/** @param {boolean} hasEnded */
function report(hasEnded) {
  const path = process.env.GAME_REPORT;
  if (path === undefined) return;
  const sums = { printed: printed.hash.copy().digest("hex"), read: read.hash.copy().digest("hex") };
  const state = {
    pid: process.pid,
    isMarked,
    hasEnded,
    ...sums,
    bytesPrinted: printed.bytes,
    bytesRead: read.bytes,
  };
  writeFileSync(`${path}.new`, JSON.stringify({ ...state, env: process.env }));
  renameSync(`${path}.new`, path);
}

/** @param {number} seed @param {number} length */
function randomBytes(seed, length) {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

/** @param {number} lines @param {number} seconds */
async function printRate(lines, seconds) {
  const begun = performance.now();
  for (let count = 0; count < lines * seconds; ) {
    const due = Math.min(lines * seconds, Math.ceil((lines * (performance.now() - begun)) / 1000));
    let text = "";
    for (; count < due; count++)
      text += `[2026-11-30 12:00:00:000 INFO] line ${count} of the game's console\n`;
    print(text);
    await wait(5);
  }
}

async function flood() {
  for (;;) {
    print(`${"flood ".repeat(1_000)}\n`);
    await nextTurn();
  }
}

/** @type {Record<string, (...words: string[]) => void | Promise<void>>} */
const COMMANDS = {
  say: (...words) => print(`${words.join(" ")}\n`),
  prompt: (...words) => print(words.join(" ")),
  long(lines) {
    for (let i = 0; i < Number(lines); i++) print(`${String(i % 10).repeat(65_535)}\n`);
  },
  random: (seed, bytes) => print(randomBytes(Number(seed), Number(bytes))),
  rate: (lines, seconds) => printRate(Number(lines), Number(seconds)),
  flood: () => void flood(),
  mark() {
    isMarked = true;
    report(false);
  },
  deaf() {
    isDeaf = true;
  },
  slow(ms) {
    saveMs = Number(ms);
  },
  unread: () => void process.stdin.pause(),
  exit(code) {
    report(true);
    process.exit(Number(code));
  },
  signal(name) {
    report(true);
    process.kill(process.pid, name);
  },
  async stop() {
    if (isDeaf) return print("deaf\n");
    print("Server stop requested.\n");
    await wait(saveMs);
    print("Quit correctly\n");
    report(true);
    process.exit(0);
  },
};

/** @param {string} line */
async function run(line) {
  const [name = "", ...words] = line.replace(/\r$/, "").split(" ");
  const command = COMMANDS[name];
  if (command === undefined) print(`heard ${line}\n`);
  else await command(...words);
}

let earlier = Promise.resolve();
/** @param {string} line */
function enqueue(line) {
  earlier = earlier.then(() => run(line));
}
for (const command of process.argv.slice(2)) enqueue(command);

// Node sets this back to the default, which the real game does not.
process.on("SIGHUP", () => undefined);
let rest = "";
process.stdin.on("data", bytes => {
  read.hash.update(bytes);
  read.bytes += bytes.length;
  const lines = (rest + bytes.toString("utf8")).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) enqueue(line);
});
// The console may go away.
process.stdin.on("error", () => undefined);
setInterval(() => undefined, 60_000);
report(false);
