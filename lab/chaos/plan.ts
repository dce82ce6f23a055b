import { seededRandom } from "../simulator/random.ts";

/** Fault of a request of the pack. */
export type NetFault =
  | { is: "lose-request" | "lose-answer" }
  | { is: "late"; requestMs: number; answerMs: number }
  | { is: "double"; afterMs: number; answer: "first" | "second" };

/** Fault of a line between the game's console and `launch`: of a printed line of the script, or of a typed one. */
const LINE_FAULTS = ["lost", "doubled", "late", "cut", "mixed", "nul", "typedLost", "typedDoubled"] as const;
export type LineFault = (typeof LINE_FAULTS)[number];

/** A fault and its duration in milliseconds. `who`: selects one of several, a number from 0 to 1. */
export type Fault =
  | { is: "net"; fault: NetFault; requests: number }
  | { is: "line"; fault: LineFault; lines: number }
  | { is: "reload" }
  | { is: "outage"; ms: number }
  | { is: "end-sidecar"; who: number; signal: "SIGKILL" | "SIGTERM"; ms: number }
  | { is: "freeze-sidecar"; who: number; ms: number }
  | { is: "end-redis"; how: "kill" | "stop"; ms: number }
  | { is: "end-game"; how: "kill" | "stop"; ms: number }
  | { is: "drop-socket"; who: number };

/** `at`: milliseconds since the start of its wave. */
interface PlannedFault {
  at: number;
  fault: Fault;
}

/** Overlapping faults; everything recovers before the next wave. */
export type Wave = readonly PlannedFault[];

const MIN_FAULTS = 3;
const MAX_FAULTS = 7;
const MIN_GAP_MS = 100;
const GAP_MS = 700;

/**
 * The faults of a seed, in waves. A part has at most one fault at a time, and several sidecars are never all killed. `withConsole`:
 * about half of the faults are of the console link.
 */
export function planWaves(seed: number, count: number, sidecars: number, withConsole = false): Wave[] {
  const random = seededRandom(seed);
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low));
  const either = <T>(...of: [T, ...T[]]): T => of[Math.floor(random() * of.length)] ?? of[0];
  const net = (fault: NetFault, most = 3): Fault => ({ is: "net", fault, requests: between(1, most) });
  const drop = (): Fault => ({ is: "drop-socket", who: random() });
  const alone: (() => Fault)[] = [
    () => net({ is: "lose-request" }, 2),
    () => net({ is: "lose-answer" }, 2),
    () => net({ is: "late", requestMs: between(0, 1_200), answerMs: between(0, 1_200) }, 1),
    () => net({ is: "double", afterMs: either(0, between(1, 1_500)), answer: either("first", "second") }),
    () => ({ is: "outage", ms: between(200, 2_000) }),
    () => ({ is: "end-sidecar", who: random(), signal: either("SIGKILL", "SIGTERM"), ms: between(0, 1_500) }),
    () => ({ is: "freeze-sidecar", who: random(), ms: between(300, 4_000) }),
    () => ({ is: "end-game", how: either("kill", "stop"), ms: between(0, 1_000) }),
  ];
  const redis = (): Fault => ({ is: "end-redis", how: either("kill", "stop"), ms: between(0, 2_000) });
  const ofLink: (() => Fault)[] = [
    ...LINE_FAULTS.map(fault => (): Fault => ({ is: "line", fault, lines: between(1, 12) })),
    () => ({ is: "reload" }),
  ];
  const others = [...alone, ...(sidecars > 1 ? [redis] : []), ...(withConsole ? ofLink : [])];
  const waves: Wave[] = [];
  for (let left = count; left > 0; ) {
    const wave: PlannedFault[] = [];
    const parts = new Set<string>();
    const size = Math.min(left, between(MIN_FAULTS, MAX_FAULTS));
    for (let at = 0; wave.length < size; ) {
      const fault = either(drop, ...others)();
      const part = partOf(fault, sidecars);
      const isLast = fault.is === "end-sidecar" && sidecars > 1 && endedIn(wave) === sidecars - 1;
      if (isLast || (part !== undefined && parts.has(part))) continue;
      if (part !== undefined) parts.add(part);
      wave.push({ at, fault });
      at += MIN_GAP_MS + between(0, GAP_MS);
    }
    waves.push(wave);
    left -= size;
  }
  return waves;
}

const endedIn = (wave: Wave): number => wave.filter(({ fault }) => fault.is === "end-sidecar").length;

/** The parts that a fault affects. */
function partOf(fault: Fault, sidecars: number): string | undefined {
  if (fault.is === "net" || fault.is === "line" || fault.is === "drop-socket") return undefined;
  if (fault.is === "reload") return "end-game";
  return "who" in fault ? `sidecar ${Math.floor(fault.who * sidecars)}` : fault.is;
}
