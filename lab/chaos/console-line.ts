import { setTimeout as sleep } from "node:timers/promises";
import {
  type ConsoleFaultRates,
  type ConsoleFaults,
  createConsoleFaults,
} from "../simulator/console-faults.ts";
import type { LineFault } from "./plan.ts";

const MAX_WAIT_MS = 1_000;
const LOOK_MS = 20;

/** Faults of typed lines; the others are of printed lines. */
const isTyped = (fault: LineFault): boolean => fault.startsWith("typed");
const isPrinted = (fault: LineFault): boolean => !isTyped(fault);

/** The line between the game's console and `launch`, with faults on demand. */
export class ConsoleLine {
  /** lines with a fault so far */
  spoilt = 0;
  readonly faults: ConsoleFaults;
  readonly #rates: { -readonly [key in keyof ConsoleFaultRates]: ConsoleFaultRates[key] };
  #waiting: LineFault[] = [];

  constructor(seed: number) {
    this.#rates = { seed };
    const { printed, typed, chunks } = createConsoleFaults(this.#rates);
    this.faults = {
      printed: line => this.#with(isPrinted, line.includes("[Scripting]"), () => printed(line)),
      typed: line => this.#with(isTyped, true, () => typed(line)),
      chunks,
    };
  }

  /** The next lines get this fault. */
  spoil(fault: LineFault, lines: number): void {
    for (let i = 0; i < lines; i++) this.#waiting.push(fault);
  }

  /** Resolves when every fault has its line; drops those whose lines do not come. */
  async settled(): Promise<void> {
    for (let ms = 0; this.#waiting.length > 0 && ms < MAX_WAIT_MS; ms += LOOK_MS) await sleep(LOOK_MS);
    this.#waiting = [];
  }

  /** Runs this with the next fault of a kind, if the line can have it. */
  #with<T>(isOfKind: (fault: LineFault) => boolean, canHave: boolean, run: () => T): T {
    const at = canHave ? this.#waiting.findIndex(isOfKind) : -1;
    const [fault] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (fault === undefined) return run();
    this.spoilt++;
    this.#rates[fault] = 1;
    const result = run();
    this.#rates[fault] = 0;
    return result;
  }
}
