import { messageOf } from "../../cli/errno.ts";
import type { Contract } from "../reference/contract.ts";
import type { Violation } from "./ledger/order.ts";

/** A fault that was done, in milliseconds since the run began. */
interface Done {
  at: number;
  what: string;
}

/** The time of a run, and what was done in it. */
export class Journal {
  readonly faults: Done[] = [];
  /** what was not as it has to be, seen on the way */
  readonly violations: Violation[] = [];
  readonly #begun = performance.now();
  readonly #trace: (line: string) => void;

  /** `trace` gets a line for everything that happens, for whoever looks for the cause of something. */
  constructor(trace: (line: string) => void) {
    this.#trace = trace;
  }

  /** Milliseconds since the run began. */
  now(): number {
    return performance.now() - this.#begun;
  }

  fault(what: string): void {
    this.faults.push({ at: this.now(), what });
    this.trace(`FAULT ${what}`);
  }

  trace(what: string): void {
    this.#trace(`${(this.now() / 1000).toFixed(3).padStart(8)} ${what}`);
  }

  violation(what: string): void {
    this.violations.push({ at: this.now(), what });
  }

  /** Runs a check that throws, and keeps what it threw. */
  hold(who: string, check: () => void): void {
    try {
      check();
    } catch (error) {
      this.violation(`${who}: ${messageOf(error)}`);
    }
  }

  /** The faults shortly before a moment. */
  around(at: number): string[] {
    return this.faults
      .filter(fault => fault.at > at - AROUND_MS && fault.at < at + 500)
      .map(fault => `${(fault.at / 1000).toFixed(1)} s ${fault.what}`);
  }
}

const AROUND_MS = 2_500;

/** What everybody has who asks the service. */
export interface Surroundings {
  journal: Journal;
  contract: Contract;
  random: () => number;
  /** number of the sidecar process that is there */
  life(): number;
  /** whether there are several: lines of different connections have no order then, and their storage may be away */
  isShared: boolean;
  /** which game server they are there for; undefined: there is one alone */
  server: string | undefined;
}
