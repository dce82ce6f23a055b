import type { Violation } from "./ledger.ts";

const AROUND_MS = 2_500;

/** The time of a run, and what was done and found in it. */
export class Journal {
  readonly faults: Violation[] = [];
  /** what was wrong, as far as it was seen on the way */
  readonly violations: Violation[] = [];
  readonly #begun = performance.now();

  /** Milliseconds since the run began. */
  now(): number {
    return performance.now() - this.#begun;
  }

  fault(what: string): void {
    this.faults.push({ at: this.now(), what });
  }

  violation(what: string): void {
    this.violations.push({ at: this.now(), what });
  }

  /** The faults shortly before a moment. */
  around(at: number): string[] {
    return this.faults
      .filter(fault => fault.at > at - AROUND_MS && fault.at < at + 500)
      .map(fault => `${(fault.at / 1000).toFixed(1)} s ${fault.what}`);
  }
}
