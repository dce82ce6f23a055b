import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { messageOf } from "../../cli/errno.ts";
import { findRedisServer } from "../scale/redis-server.ts";
import { type Bench, named, type Result, type Skipped } from "./bench.ts";
import { gameToEvents, gameToWeb, webToGame } from "./benches/chat-delay.ts";
import { anchors, players, status } from "./benches/http.ts";
import { knownPages, knownReport } from "./benches/known.ts";
import { chatRequests, idleRequests, packSize, scriptTime } from "./benches/pack.ts";
import { polled } from "./benches/polled.ts";
import { connections, messages } from "./benches/rates.ts";
import { linkDelay, whitelistDelay } from "./benches/request-delay.ts";
import { idleScript } from "./benches/script-memory.ts";
import { servers } from "./benches/servers.ts";
import { signIn } from "./benches/sign-in.ts";
import { burst, fanOut, idleMemory } from "./benches/sockets.ts";
import { resident, start, startKnown, startSignIn } from "./benches/start.ts";
import { eventFanOut, eventMemory } from "./benches/streams.ts";
import { behindCaddy, behindNginx } from "./benches/tls.ts";
import { whitelistReads } from "./benches/whitelist-reads.ts";
import { figuresOf } from "./figures.ts";
import { attack } from "./floods/attacker.ts";
import { ATTACK_FLAG, floods } from "./floods/benches.ts";
import { cleanUp } from "./leftovers.ts";
import { keepRows, runOf, writePage } from "./page/write.ts";
import { FIGURES } from "./places.ts";
import { playBareHttp } from "./roles/bare-http.ts";
import { playBareSockets } from "./roles/bare-sockets.ts";
import { playExpress, playFastify } from "./roles/frameworks.ts";
import { playHttpLoad } from "./roles/http-load.ts";
import { playLiveGame } from "./roles/live-game.ts";
import { playPolledBridge } from "./roles/polled-bridge.ts";
import { playSidecar } from "./roles/sidecar.ts";
import { playSocketLoad } from "./roles/socket-load.ts";
import { sharedBenches } from "./shared/benches.ts";
import { readCounts } from "./shared/counts.ts";
import { redisVersion } from "./shared/redis.ts";
import { type Row, table } from "./table.ts";
import { ROLE_FLAG, within } from "./worker.ts";

const BENCHES: Bench[] = [
  anchors,
  polled,
  webToGame,
  gameToWeb,
  gameToEvents,
  whitelistDelay,
  whitelistReads,
  linkDelay,
  scriptTime,
  idleScript,
  idleRequests,
  chatRequests,
  status,
  players,
  knownPages,
  knownReport,
  signIn,
  behindNginx,
  behindCaddy,
  fanOut,
  burst,
  connections,
  messages,
  idleMemory,
  eventFanOut,
  eventMemory,
  start,
  startKnown,
  startSignIn,
  resident,
  servers,
  packSize,
  ...floods,
];

const ROLES: Record<string, (args: readonly string[]) => void | Promise<void>> = {
  sidecar: playSidecar,
  "bare-http": playBareHttp,
  "bare-sockets": playBareSockets,
  express: playExpress,
  fastify: playFastify,
  "http-load": playHttpLoad,
  "live-game": playLiveGame,
  "polled-bridge": playPolledBridge,
  "socket-load": playSocketLoad,
};

const USAGE = `usage: npm run bench -- [--json] [--write] [name...]
       npm run bench -- --page
       npm run bench -- --sidecars 1,2,4 [--json] [--write] [name...]

${BENCHES.map(({ name, about }) => `  ${name.padEnd(26)} ${about}`).join("\n")}

Without a name all of them run, with the beginning of some, such as floods, all of those. Exit code 1: a target was missed.

  --write               writes what was measured to docs/performance.json, and page and picture made from it;
                        with names: their rows alone
  --page                writes page and picture from the figures that are there

  --sidecars <numbers>  measures so many sidecars on one Redis, of this machine's redis-server, instead:
${sharedBenches([1, 2, 4])
  .map(({ name, about }) => `    ${name.padEnd(20)} ${about}`)
  .join("\n")}
  --write               with --sidecars: writes their figures to docs/figures.json, for npm run plan`;

/** For each of them, where it does not say another. */
const LONGEST_MS = 120_000;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      page: { type: "boolean", default: false },
      sidecars: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  if (values.page) return writePage();
  if (values.sidecars !== undefined && findRedisServer() === undefined)
    throw new Error("--sidecars: there is no redis-server on this machine: install Debian's, or Valkey");
  const all = values.sidecars === undefined ? BENCHES : sharedBenches(readCounts(values.sidecars));
  const unknown = positionals.filter(name => named(all, name).length === 0);
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(", ")}\n\n${USAGE}`);
  if (values.write && values.sidecars !== undefined && positionals.length > 0)
    throw new Error("--write: expected no names with --sidecars");
  const chosen = positionals.length === 0 ? all : new Set(positionals.flatMap(name => named(all, name)));
  const run = runOf(new Date());
  const rows: (Row & { load: number })[] = [];
  const skipped: string[] = [];
  for (const bench of chosen) {
    const [load = 0] = loadavg();
    const found = await measure(bench);
    if ("skipped" in found) skipped.push(`${bench.name}: not measured: ${found.skipped}`);
    else rows.push({ ...found, load });
  }
  console.log(values.json ? JSON.stringify(rows, undefined, 2) : `\n${table(rows)}`);
  for (const why of skipped) console.error(why);
  if (values.write && values.sidecars === undefined) keepRows(BENCHES, rows, run);
  else if (values.write) {
    const figures = figuresOf(rows, await redisVersion());
    writeFileSync(FIGURES, `${JSON.stringify(figures, undefined, 2)}\n`);
  }
  if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** Runs one benchmark, with progress on the error output. One that fails is one that missed its target. */
async function measure({ name, about, longestMs = LONGEST_MS, run }: Bench): Promise<Row | Skipped> {
  const say = (words: string): void => console.error(`  ${words}`);
  console.error(`${name}: ${about}`);
  const begun = performance.now();
  const seconds = (): number => Math.round((performance.now() - begun) / 100) / 10;
  try {
    const found = await within<Result | Skipped>(longestMs, "not done", (resolve, reject) => {
      run(say).then(resolve, reject);
    });
    return "skipped" in found ? found : { name, ...found, seconds: seconds() };
  } catch (error) {
    const figure = messageOf(error);
    return { name, figure, target: "an end without an error", ok: false, values: {}, seconds: seconds() };
  } finally {
    await cleanUp();
  }
}

const [flag, role = "", ...args] = process.argv.slice(2);
if (flag === ROLE_FLAG) await ROLES[role]?.(args);
else if (flag === ATTACK_FLAG) attack(role, Number(args[0]));
else {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => void cleanUp().then(() => process.exit(130)));
  try {
    await main();
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 2;
  }
  await cleanUp();
  // A game that failed half-way may still tick.
  process.exit();
}
