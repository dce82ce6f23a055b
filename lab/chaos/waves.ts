import { createDraws, type Makes } from "./draws.ts";
import { type Fault, isOfAll, type PlannedFault, partOf } from "./plan.ts";

/** Faults that overlap; all is well again before the next ones come. */
export type Wave = readonly PlannedFault[];

const LEAST_FAULTS = 3;
const MOST_FAULTS = 7;
const LEAST_GAP_MS = 100;
const GAP_MS = 700;
/** Share of faults that meet a sidecar while it deals with facts, and how long that takes. */
const DEALING = 0.7;
const DEALS_MS = 25;

/**
 * The faults of a seed for so many sidecars on one Redis, in waves. A part has one at a time, and never all sidecars are ended. Of
 * the first `alone` none meets everybody.
 */
export function planWaves(seed: number, count: number, sidecars: number, alone = 0): Wave[] {
  const draws = createDraws(seed);
  const { random, between, either } = draws;
  const who = (): number => random();
  const dealing = (): { dealing?: number } => (random() < DEALING ? { dealing: between(0, DEALS_MS) } : {});
  const makes: Makes<Fault> = [
    [5, () => ({ is: "net", fault: { is: "lose-request", seen: "at once" }, requests: between(1, 2) })],
    [5, () => ({ is: "net", fault: { is: "lose-answer", seen: "at once" }, requests: between(1, 2) })],
    [4, () => late()],
    [6, () => ({ is: "net", fault: { ...double(), afterMs: 0 }, requests: between(1, 4) })],
    [4, () => ({ is: "net", fault: double(), requests: between(1, 3) })],
    [2, () => ({ is: "outage", ms: between(200, 2_000) })],
    [7, () => ({ is: "end-sidecar", who: who(), signal: "SIGKILL", ms: between(0, 1_500), ...dealing() })],
    [4, () => ({ is: "end-sidecar", who: who(), signal: "SIGTERM", ms: between(0, 1_500) })],
    [7, () => ({ is: "freeze-sidecar", who: who(), ms: between(300, 4_000), ...dealing() })],
    [5, () => ({ is: "end-redis", how: "kill", ms: between(0, 2_000) })],
    [3, () => ({ is: "end-redis", how: "stop", ms: between(0, 2_000) })],
    [5, () => ({ is: "pause-redis", ms: between(200, 3_500) })],
    [3, () => ({ is: "spoil-line", who: who(), how: "cut", ms: between(50, 3_500), ...dealing() })],
    [3, () => ({ is: "spoil-line", who: who(), how: "silent", ms: between(300, 3_500), ...dealing() })],
    [3, () => ({ is: "spoil-line", who: who(), how: "deaf", ms: between(300, 3_500), ...dealing() })],
    [3, () => ({ is: "spoil-line", who: who(), how: "held", ms: between(300, 3_500), ...dealing() })],
    [1, () => ({ is: "end-game", how: either("kill", "stop"), ms: between(0, 1_000) })],
    [1, () => ({ is: "hang-game", ms: between(300, 3_000) })],
    [1, () => ({ is: "lag-game", tps: between(4, 12), ms: between(500, 2_000) })],
    [5, () => ({ is: "quit", who: who(), ms: between(300, 2_000) })],
    [4, () => ({ is: "drop-socket", who: who() })],
    [4, () => ({ is: "slow-socket", who: who(), ms: between(500, 2_000) })],
  ];
  function late(): Fault {
    const [requestMs, answerMs] = [between(20, 1_200), between(20, 1_200)];
    return { is: "net", fault: { is: "late", requestMs, answerMs }, requests: 1 };
  }
  const double = () => ({
    ...{ is: "double" as const, afterMs: between(1, 1_500) },
    answer: either<"first" | "second">("first", "second"),
  });

  const waves: Wave[] = [];
  for (let left = count; left > 0; ) {
    const wave: PlannedFault[] = [];
    const taken = new Set<string>();
    const size = Math.min(left, between(LEAST_FAULTS, MOST_FAULTS));
    for (let at = 0; wave.length < size; ) {
      const fault = draws.one(makes);
      if (count - left + wave.length < alone && isOfAll(fault)) continue;
      const part = partOf(fault, sidecars);
      if (part !== undefined && (taken.has(part) || (fault.is === "end-sidecar" && allBut(taken, sidecars))))
        continue;
      if (part !== undefined) taken.add(part);
      wave.push({ at, fault });
      at += LEAST_GAP_MS + between(0, GAP_MS);
    }
    waves.push(wave);
    left -= size;
  }
  return waves;
}

const allBut = (taken: ReadonlySet<string>, sidecars: number): boolean =>
  [...taken].filter(part => part.startsWith("sidecar")).length >= sidecars - 1;
