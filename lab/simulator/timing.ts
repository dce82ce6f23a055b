import type { Report } from "./types.ts";

const MAX_SAMPLES = 200_000;

/** Collects the script time of ticks. Keeps the newest 200 000 for the percentiles. */
export class Timing {
  #samples: number[] = [];
  #ticks = 0;
  #sum = 0;
  #max = 0;
  #native = 0;

  /** `ms`: of the script; `nativeMs`: of what the game does for it in native code. */
  add(ms: number, nativeMs: number): void {
    this.#native += nativeMs;
    this.#samples[this.#ticks % MAX_SAMPLES] = ms;
    this.#ticks++;
    this.#sum += ms;
    if (ms > this.#max) this.#max = ms;
  }

  report(memoryBytes: number): Report {
    const sorted = Float64Array.from(this.#samples).sort();
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      ticks: this.#ticks,
      meanMs: this.#ticks === 0 ? 0 : this.#sum / this.#ticks,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: this.#max,
      nativeMeanMs: this.#ticks === 0 ? 0 : this.#native / this.#ticks,
      overMs: limit => sorted.filter(ms => ms > limit).length,
      memoryBytes,
    };
  }
}
