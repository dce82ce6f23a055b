import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pidusage from "pidusage";
import { openSecrets } from "../../../sidecar/app/sign-in-secrets.ts";
import { signInSecrets } from "../../../sidecar/store/sign-in-secrets.ts";
import { SIDECAR } from "../../scale/built.ts";
import { freePort } from "../../scale/free-port.ts";
import { type Bench, NO_TARGET } from "../bench.ts";
import { copyEverybody, everybody, KNOWN } from "../known.ts";
import { leaveNothing } from "../leftovers.ts";
import { median } from "../numbers.ts";
import { ARENAS, signInAt } from "../sidecar.ts";

const STARTS = 7;
const LONGEST_MS = 90_000;
const PATIENCE_MS = 15_000;
const MOST_MS = 250;
/** Where as many players have been here as may be. */
const MOST_MORE_MS = 20;

const REST_MS = 20_000;
const MOST_MB = 70;

/** The least that answers: Node alone, which reads nothing. */
const BARE = [
  "-e",
  'require("node:http").createServer((_, res) => res.end()).listen(process.env.PORT, "127.0.0.1")',
];

export const start: Bench = {
  name: "start",
  about: `from starting the sidecar in an empty folder until it answers, ${STARTS} times`,
  longestMs: LONGEST_MS,
  async run(say) {
    const [sidecar, bare]: [Taken[], Taken[]] = [[], []];
    for (let i = 0; i < STARTS; i++) {
      sidecar.push(await startOnce([SIDECAR]));
      bare.push(await startOnce(BARE));
      say(`${i + 1} of ${STARTS} starts`);
    }
    const of = (taken: Taken[], what: "ms" | "cpuMs"): number => median(taken.map(one => one[what]));
    const [ms, cpuMs] = [of(sidecar, "ms"), of(sidecar, "cpuMs")];
    const [bareMs, bareCpuMs] = [of(bare, "ms"), of(bare, "cpuMs")];
    return {
      figure: `${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU`,
      target: `<= ${MOST_MS} ms`,
      reference: `bare node:http ${bareMs.toFixed(0)} ms, ${bareCpuMs.toFixed(0)} ms of CPU`,
      // What other programs take of the machine meanwhile is no part of it.
      ok: Math.min(ms, cpuMs) <= MOST_MS,
      values: {
        milliseconds: ms,
        cpuMilliseconds: cpuMs,
        bareMilliseconds: bareMs,
        bareCpuMilliseconds: bareCpuMs,
      },
    };
  },
};

export const startKnown: Bench = {
  name: "start-known",
  about: `how much longer the sidecar takes to answer where ${KNOWN} players have been here, ${STARTS} times`,
  longestMs: 2 * LONGEST_MS,
  async run(say) {
    await everybody(say);
    const [known, none]: [Taken[], Taken[]] = [[], []];
    for (let i = 0; i < STARTS; i++) {
      known.push(await startOnce([SIDECAR], undefined, folder => copyEverybody(join(folder, "data"), say)));
      none.push(await startOnce([SIDECAR]));
      say(`${i + 1} of ${STARTS} starts`);
    }
    const [ms, cpuMs] = [more(known, none, "ms"), more(known, none, "cpuMs")];
    return {
      figure: `${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU`,
      target: `<= ${MOST_MORE_MS} ms`,
      reference: `with nobody ${median(none.map(one => one.ms)).toFixed(0)} ms`,
      ok: Math.min(ms, cpuMs) <= MOST_MORE_MS,
      values: { milliseconds: ms, cpuMilliseconds: cpuMs },
    };
  },
};

export const startSignIn: Bench = {
  name: "start-sign-in",
  about: `how much longer the sidecar takes to answer where other sites can ask who somebody is, ${STARTS} times, with keys that there are; and how much more memory it has after ${REST_MS / 1000} s in which nobody asks`,
  longestMs: 2 * LONGEST_MS,
  async run(say) {
    const [on, off]: [Taken[], Taken[]] = [[], []];
    const startOn = (stay?: () => Promise<unknown>) => startOnce([SIDECAR], stay, withKeys, signInAt);
    for (let i = 0; i < STARTS; i++) {
      on.push(await startOn());
      off.push(await startOnce([SIDECAR]));
      say(`${i + 1} of ${STARTS} starts`);
    }
    const rest = () => sleep(REST_MS);
    const [resting, other] = await Promise.all([startOn(rest), startOnce([SIDECAR], rest)]);
    const [ms, cpuMs] = [more(on, off, "ms"), more(on, off, "cpuMs")];
    const mb = resting.mb - other.mb;
    return {
      figure: `${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU; ${mb.toFixed(0)} MB`,
      target: NO_TARGET,
      reference: `without ${median(off.map(one => one.ms)).toFixed(0)} ms, ${other.mb.toFixed(0)} MB`,
      ok: true,
      values: { milliseconds: ms, cpuMilliseconds: cpuMs, megabytes: mb },
    };
  },
};

/** To make them takes as long as chance will have it, and is done once. */
const withKeys = (folder: string): Promise<unknown> =>
  openSecrets(signInSecrets(join(folder, "data")), Date.now(), { info: () => undefined });

/** How much more of it one way to start takes than another. */
const more = (taken: readonly Taken[], than: readonly Taken[], what: "ms" | "cpuMs"): number =>
  median(taken.map(one => one[what])) - median(than.map(one => one[what]));

export const resident: Bench = {
  name: "resident",
  about: `memory of a sidecar, started as start.sh does, that has had nothing to do for ${REST_MS / 1000} s; no collection is forced`,
  longestMs: LONGEST_MS,
  async run() {
    const rest = () => sleep(REST_MS);
    const [sidecar, bare] = await Promise.all([startOnce([SIDECAR], rest), startOnce(BARE, rest)]);
    return {
      figure: `${sidecar.mb.toFixed(0)} MB`,
      target: `<= ${MOST_MB} MB`,
      reference: `bare node:http ${bare.mb.toFixed(0)} MB`,
      ok: sidecar.mb <= MOST_MB,
      values: { megabytes: sidecar.mb, bareMegabytes: bare.mb },
    };
  },
};

/** Until the first answer: time, and CPU of the process, in milliseconds; resident memory when it ended, in MiB. */
interface Taken {
  ms: number;
  cpuMs: number;
  mb: number;
}

/**
 * Starts Node in a folder that is empty but for what `prepare` puts there, with settings by its port, waits until it answers there
 * and then as long as `stay` says, and ends it.
 */
async function startOnce(
  args: readonly string[],
  stay: () => Promise<unknown> = async () => undefined,
  prepare: (folder: string) => Promise<unknown> = async () => undefined,
  settings: (port: number) => Record<string, string> = () => ({}),
): Promise<Taken> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-"));
  const [port, bridgePort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    ...ARENAS,
    PORT: `${port}`,
    WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
    WEB_BRIDGE_MODULES_API_PORT: `${port}`,
    WEB_BRIDGE_BRIDGE_PORT: `${bridgePort}`,
    ...settings(port),
  };
  await prepare(folder);
  const begun = performance.now();
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  const gone = once(child, "exit");
  const end = leaveNothing(async () => {
    child.kill("SIGKILL");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  await untilAnswered(child, port);
  const ms = performance.now() - begun;
  const { ctime } = await pidusage(child.pid ?? 0);
  await stay();
  const { memory } = await pidusage(child.pid ?? 0);
  await end();
  return { ms, cpuMs: ctime, mb: memory / 2 ** 20 };
}

async function untilAnswered(child: ChildProcess, port: number): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    if (performance.now() > until) throw new Error(`no answer within ${PATIENCE_MS / 1000} s`);
    await sleep(2);
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const asked = get({ host: "127.0.0.1", port, path: "/healthz", agent: false }, res => {
      res.resume();
      resolve(res.statusCode === 200);
    });
    asked.on("error", () => resolve(false));
  });
