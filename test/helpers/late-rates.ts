import { createMemoryRates } from "../../sidecar/kernel/storage/memory-rates.ts";
import type { Rates, SharedBucket } from "../../sidecar/kernel/storage/ports.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";
import { eventually } from "./eventually.ts";

/** Counts in memory, and responds like a remote storage: in another turn, or when the test releases a response. */
export class LateRates implements Rates {
  readonly #rates: ReturnType<typeof createMemoryRates>;
  readonly #waiting: (() => void)[] = [];
  mode: "soon" | "held" | "at once" | "broken" = "soon";

  constructor(clock: Clock) {
    this.#rates = createMemoryRates(clock);
  }

  take(...buckets: readonly SharedBucket[]): number | Promise<number> {
    return this.#late(this.#rates.take(...buckets));
  }

  left(bucket: SharedBucket): number {
    return this.#rates.left(bucket);
  }

  giveBack(bucket: SharedBucket): void {
    this.#rates.giveBack(bucket);
  }

  remember(key: string, forMs: number): void {
    this.#rates.remember(key, forMs);
  }

  remembers(key: string): boolean | Promise<boolean> {
    return this.#late(this.#rates.remembers(key));
  }

  /** Resolves when this many responses are held. */
  async holds(count: number): Promise<void> {
    await eventually(() => {
      if (this.#waiting.length !== count) throw new Error(`${this.#waiting.length} answers are held`);
    });
  }

  /** Releases the response at this index. */
  letGo(place = 0): void {
    for (const go of this.#waiting.splice(place, 1)) go();
  }

  /** Releases all responses, the last one first, and holds no more. */
  letAllGo(): void {
    this.mode = "soon";
    while (this.#waiting.length > 0) this.letGo(this.#waiting.length - 1);
  }

  #late<T>(answer: T): T | Promise<T> {
    if (this.mode === "at once") return answer;
    if (this.mode === "broken") return Promise.reject(new Error("broken for a test"));
    if (this.mode === "soon") return new Promise(resolve => setImmediate(resolve, answer));
    return new Promise(resolve => this.#waiting.push(() => resolve(answer)));
  }
}
