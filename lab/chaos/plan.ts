import { createDraws, type Makes } from "./draws.ts";

/** What happens to a request of the pack. `never`: the pack sees neither answer nor error before its own time limit. */
export type NetFault =
  | { is: "lose-request" | "lose-answer"; seen: "at once" | "never" }
  | { is: "late"; requestMs: number; answerMs: number }
  | { is: "double"; afterMs: number; answer: "first" | "second" };

/**
 * What happens to the bytes between a sidecar and Redis. `cut`: connections end, and there are no others; `silent`: all bytes are
 * lost; `deaf`: those of Redis are; `held`: they wait, and come when it is over, though nobody may be left to hear them.
 */
export type LineFault = "cut" | "silent" | "deaf" | "held";

/**
 * A fault and how long it lasts, in milliseconds. `who`: which of several, by a number from 0 up to 1. `dealing`: so long after
 * that sidecar was handed facts next, so that it is in the middle of dealing with them.
 */
export type Fault =
  | { is: "net"; fault: NetFault; requests: number }
  | { is: "outage"; ms: number }
  | { is: "end-sidecar"; who: number; signal: "SIGKILL" | "SIGTERM"; ms: number; dealing?: number }
  | { is: "freeze-sidecar"; who: number; ms: number; dealing?: number }
  | { is: "end-redis"; how: "kill" | "stop"; ms: number }
  | { is: "pause-redis"; ms: number }
  | { is: "spoil-line"; who: number; how: LineFault; ms: number; dealing?: number }
  | { is: "end-game"; how: "kill" | "stop"; ms: number }
  | { is: "hang-game"; ms: number }
  | { is: "lag-game"; tps: number; ms: number }
  | { is: "quit"; who: number; ms: number }
  | { is: "drop-socket"; who: number }
  | { is: "slow-socket"; who: number; ms: number };

export interface PlannedFault {
  /** milliseconds since the faults of its plan, or of its wave, began */
  at: number;
  fault: Fault;
}

const LEAST_GAP_MS = 100;
const GAP_MS = 300;
/** What the sidecar and the game need to be back, beyond the time they are away. */
const COMES_BACK_MS = 2_000;
/** From one fault of a part to the next one of any part: in between, the bridge works for a moment. */
const PART_EVERY_MS = 2_500;

/** Whether a fault meets whoever is behind the same service: those of a game and of the way to it do not. */
export function isOfAll({ is }: Fault): boolean {
  switch (is) {
    case "end-sidecar":
    case "freeze-sidecar":
    case "end-redis":
    case "pause-redis":
    case "spoil-line":
      return true;
    default:
      return false;
  }
}

/** The faults of a seed, one every 100 to 400 ms. A part has one at a time. Of the first `alone` none meets everybody. */
export function plan(seed: number, count: number, alone = 0): PlannedFault[] {
  const draws = createDraws(seed);
  const { random, between, either } = draws;
  const lost = (is: "lose-request" | "lose-answer"): Fault => ({
    is: "net",
    fault: { is, seen: random() < 0.9 ? "at once" : "never" },
    requests: 1,
  });
  const late = (): Fault => {
    const [requestMs, answerMs] = either([0, 1], either([1, 0], [1, 1])).map(on => on * between(20, 4_000));
    const fault = { is: "late" as const, requestMs: requestMs ?? 0, answerMs: answerMs ?? 0 };
    return { is: "net", fault, requests: 1 };
  };
  const double = (): Fault => ({
    is: "net",
    fault: { is: "double", afterMs: between(0, 3_000), answer: either("first", "second") },
    requests: between(1, 3),
  });
  const makes: Makes<Fault> = [
    [10, () => lost("lose-request")],
    [10, () => lost("lose-answer")],
    [10, late],
    [12, double],
    [4, () => ({ is: "outage", ms: between(200, 3_000) })],
    [2, () => ({ is: "end-sidecar", who: 0, signal: "SIGKILL", ms: between(0, 1_500) })],
    [2, () => ({ is: "end-sidecar", who: 0, signal: "SIGTERM", ms: between(0, 1_500) })],
    [2, () => ({ is: "freeze-sidecar", who: 0, ms: between(300, 4_000) })],
    [2, () => ({ is: "end-game", how: "kill", ms: between(0, 1_500) })],
    [2, () => ({ is: "end-game", how: "stop", ms: between(0, 1_500) })],
    [2, () => ({ is: "hang-game", ms: between(300, 4_000) })],
    [4, () => ({ is: "lag-game", tps: between(2, 12), ms: between(500, 3_000) })],
    [10, () => ({ is: "quit", who: random(), ms: between(300, 3_000) })],
    [4, () => ({ is: "drop-socket", who: random() })],
    [8, () => ({ is: "slow-socket", who: random(), ms: between(500, 4_000) })],
  ];
  const freeAt = new Map<string, number>();
  let anyAt = 0;
  const planned: PlannedFault[] = [];
  let at = 0;
  while (planned.length < count) {
    const fault = draws.one(makes);
    if (planned.length < alone && isOfAll(fault)) continue;
    const part = partOf(fault, 1);
    if (part !== undefined) {
      if ((freeAt.get(part) ?? 0) > at || anyAt > at) continue;
      anyAt = at + PART_EVERY_MS;
      if ("ms" in fault) freeAt.set(part, at + fault.ms + COMES_BACK_MS);
    }
    planned.push({ at, fault });
    at += LEAST_GAP_MS + between(0, GAP_MS);
  }
  return planned;
}

/** What of so many sidecars and what is around them a fault needs for itself. */
export function partOf(fault: Fault, sidecars: number): string | undefined {
  switch (fault.is) {
    case "end-sidecar":
    case "freeze-sidecar":
      return `sidecar ${Math.floor(fault.who * sidecars)}`;
    case "spoil-line":
      return `line ${Math.floor(fault.who * sidecars)}`;
    case "end-redis":
    case "pause-redis":
      return "redis";
    case "end-game":
    case "hang-game":
    case "lag-game":
      return "game";
    case "outage":
      return "net";
    default:
      return undefined;
  }
}
