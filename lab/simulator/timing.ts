import type { Report } from "./types.ts";

const MAX_SAMPLES = 200_000;

/** Collects the script time of ticks. Keeps the latest 200,000 for percentiles. */
export class Timing {
  #samples: number[] = [];
  #ticks = 0;
  #sum = 0;
  #max = 0;

  /** `ms`: time of the script, without the game's native code. */
  add(ms: number): void {
    this.#samples[this.#ticks % MAX_SAMPLES] = ms;
    this.#ticks++;
    this.#sum += ms;
    if (ms > this.#max) this.#max = ms;
  }

  report(): Report {
    const sorted = Float64Array.from(this.#samples).sort();
    return {
      meanMs: this.#ticks === 0 ? 0 : this.#sum / this.#ticks,
      p99Ms: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0,
      maxMs: this.#max,
    };
  }
}
