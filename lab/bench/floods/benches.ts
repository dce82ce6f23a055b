import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, quantile, type Result } from "../bench.ts";
import { Game } from "../game.ts";
import { startPart, startSidecar } from "../processes.ts";
import { ATTACKS } from "./attacks.ts";
import { firstPaths, visit } from "./visitor.ts";

const REST_MS = 2_000;
/** Time until the attack is in progress. */
const BEGIN_MS = 1_000;
const ATTACK_MS = 8_000;

const EVENTS = 500;
const EVENTS_AT_ONCE = 25;
/** 500 characters of three bytes each */
const LONG_LINE = "\u6f22".repeat(500);

/** Longest wait of a new visitor at the 95th percentile, and most memory of the sidecar. */
const MAX_MS: Readonly<Record<string, number>> = { "catching-up": 500, idle: 100, "chat-lines": 500 };
const DEFAULT_MAX_MS = 250;
const MAX_MB = 300;

/** Wait of a new visitor while one hostile address attacks a sidecar with default limits, 100 players and 500 long events. */
export const floods: readonly Bench[] = Object.entries(ATTACKS).map(([name, { about }]) => ({
  name: `floods-${name}`,
  about: `one address ${about}`,
  run: () => attacked(name),
}));

async function attacked(name: string): Promise<Result> {
  if (process.platform !== "linux") throw new Error("only Linux has more than one address on the loopback");
  const { base, bridge, pid } = await startSidecar();
  const game = await Game.join(bridge);
  for (let said = 0; said < EVENTS; said += EVENTS_AT_ONCE) await game.say(LONG_LINE, EVENTS_AT_ONCE);
  const paths = await firstPaths(base);
  const rest = await visit(base, paths, REST_MS);
  await startPart("--attack", name, new URL(base).port);
  await sleep(BEGIN_MS);
  const { waits, failures } = await visit(base, paths, ATTACK_MS);
  const mostMs = MAX_MS[name] ?? DEFAULT_MAX_MS;
  const p95 = quantile(waits, 0.95);
  const peakMb = peakOf(pid);
  const failed =
    failures.length === 0 ? "" : `; ${failures.length} failed: ${[...new Set(failures)].join(", ")}`;
  return {
    figure: `p95 ${p95.toFixed(0)}, most ${Math.max(...waits).toFixed(0)} ms; ${peakMb.toFixed(0)} MB${failed}`,
    target: `p95 <= ${mostMs} ms, <= ${MAX_MB} MB`,
    isMet: p95 <= mostMs && peakMb <= MAX_MB,
    reference: `at rest p95 ${quantile(rest.waits, 0.95).toFixed(0)} ms`,
  };
}

/** Peak resident memory of a process, in MiB. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
