import type { Violation } from "./order.ts";

/** Memory of a process or a script, by the number of its life. */
export interface MemorySample {
  at: number;
  life: number;
  bytes: number;
}

/** Samples of a life under which nothing can be said. */
const ENOUGH = 16;

/** Memory that grows: the last quarter of each life against its second one, by more than `slack` bytes. */
export function judgeMemory(what: string, samples: readonly MemorySample[], slack: number): Violation[] {
  const lives = new Set(samples.map(({ life }) => life));
  return [...lives].flatMap(life => {
    const own = samples.filter(sample => sample.life === life);
    if (own.length < ENOUGH) return [];
    const quarter = Math.floor(own.length / 4);
    const early = median(own.slice(quarter, 2 * quarter));
    const late = median(own.slice(-quarter));
    if (late - early <= slack) return [];
    const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
    return [
      { at: own.at(-1)?.at ?? 0, what: `${what} ${life}: grew from ${mib(early)} to ${mib(late)} MiB` },
    ];
  });
}

function median(samples: readonly MemorySample[]): number {
  const sorted = samples.map(({ bytes }) => bytes).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
