import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SidecarProcess } from "../../chaos/sidecar-process.ts";
import { SIDECAR } from "../../scale/built.ts";
import { type Bench, PLAYERS, type Result, type Skipped } from "../bench.ts";
import { leaveNothing } from "../leftovers.ts";
import { quantile } from "../numbers.ts";
import { snapshot } from "../pack.ts";
import { SELF } from "../places.ts";
import { ARENAS, TOKEN } from "../sidecar.ts";
import { Teller } from "../teller.ts";
import { ATTACKS } from "./attacks.ts";
import { firstPaths, visit } from "./visitor.ts";

/** Tells the child process to attack; the name of the attack and the port follow. */
export const ATTACK_FLAG = "--attack";

const REST_MS = 2_000;
/** Until the attack is under way. */
const BEGIN_MS = 1_000;
const ATTACK_MS = 8_000;

const EVENTS = 500;
const EVENTS_AT_ONCE = 25;
/** 500 characters of three bytes each */
const LONG_LINE = "\u6f22".repeat(500);

/** The most that a new visitor may wait at the 95th percentile, and the most memory of the sidecar. */
const MOST_MS: Readonly<Record<string, number>> = { "catching-up": 500, idle: 100, "chat-lines": 500 };
const USUAL_MOST_MS = 250;
const MOST_MB = 300;

/** What a new visitor waits while one hostile address attacks, all limits as they come. */
export const floods: readonly Bench[] = Object.entries(ATTACKS).map(([name, { about }]) => ({
  name: `floods-${name}`,
  about: `one address ${about}`,
  run: () => attacked(name),
}));

async function attacked(name: string): Promise<Result | Skipped> {
  if (process.platform !== "linux")
    return { skipped: "only Linux has more than one address on the loopback" };
  const sidecar = await startAlone();
  const { public: base, bridge } = sidecar.urls;
  await playGame(bridge);
  const paths = await firstPaths(base);
  const rest = await visit(base, paths, REST_MS);
  const attacker = fork(SELF, [ATTACK_FLAG, name, new URL(base).port]);
  leaveNothing(() => attacker.kill("SIGKILL"));
  await sleep(BEGIN_MS);
  const { waits, failures } = await visit(base, paths, ATTACK_MS);
  const mostMs = MOST_MS[name] ?? USUAL_MOST_MS;
  const [p95, restP95] = [quantile(waits, 0.95), quantile(rest.waits, 0.95)];
  const peakMb = peakOf(sidecar.pid ?? 0);
  const failed =
    failures.length === 0 ? "" : `; ${failures.length} failed: ${[...new Set(failures)].join(", ")}`;
  return {
    figure: `p95 ${p95.toFixed(0)}, most ${Math.max(...waits).toFixed(0)} ms; ${peakMb.toFixed(0)} MB${failed}`,
    target: `p95 <= ${mostMs} ms, <= ${MOST_MB} MB`,
    reference: `at rest p95 ${restP95.toFixed(0)} ms`,
    ok: p95 <= mostMs && peakMb <= MOST_MB,
    values: { p95Ms: p95, mostMs: Math.max(...waits), peakMb, failed: failures.length, restP95Ms: restP95 },
  };
}

/** The sidecar with its default limits, in a process with nothing else in it: its memory is part of the figure. */
async function startAlone(): Promise<SidecarProcess> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-"));
  const sidecar = new SidecarProcess(SIDECAR, folder, { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN, ...ARENAS });
  leaveNothing(async () => {
    await sidecar.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await sidecar.start();
  return sidecar;
}

/** A game with players and as many long events as the sidecar keeps, which carries out what it gets. */
async function playGame(bridge: string): Promise<void> {
  const game = await Teller.connect(bridge);
  await game.tell(snapshot(PLAYERS, 0));
  for (let said = 0; said < EVENTS; said += EVENTS_AT_ONCE) await game.say(LONG_LINE, EVENTS_AT_ONCE);
  let snapshots = 1;
  const timer = setInterval(() => {
    game.tell(snapshot(PLAYERS, snapshots++)).catch(() => undefined);
  }, game.refreshMs);
  leaveNothing(() => clearInterval(timer));
  game.keepPolling(() => undefined).catch(() => undefined);
}

/** The most resident memory that a process has had, in MiB. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
