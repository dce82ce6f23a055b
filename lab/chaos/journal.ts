import type { Violation } from "./ledger.ts";

const AROUND_MS = 2_500;

/** The clock of a run, its faults and its violations. */
export class Journal {
  readonly faults: Violation[] = [];
  /** violations that were noticed during the run */
  readonly violations: Violation[] = [];
  readonly #begun = performance.now();

  /** Milliseconds since the start of the run. */
  now(): number {
    return performance.now() - this.#begun;
  }

  fault(what: string): void {
    this.faults.push({ at: this.now(), what });
  }

  violation(what: string): void {
    this.violations.push({ at: this.now(), what });
  }

  /** The faults shortly before a time. */
  around(at: number): string[] {
    return this.faults
      .filter(fault => fault.at > at - AROUND_MS && fault.at < at + 500)
      .map(fault => `${(fault.at / 1000).toFixed(1)} s ${fault.what}`);
  }
}
