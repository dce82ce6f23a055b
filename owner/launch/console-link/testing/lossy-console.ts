import { Buffer } from "node:buffer";
import { createConsoleLink as createPackLink } from "../../../../behavior_pack/console-link/link.ts";
import { type ConsoleFaultRates, createConsoleFaults } from "../../../../lab/simulator/console-faults.ts";
import { seededRandom } from "../../../../lab/simulator/random.ts";
import { COMMAND } from "../../../../shared/console-link/frames.ts";
import type { FromLaunch, FromPack } from "../../../../shared/console-link/messages.ts";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { createGameLines } from "../game-lines.ts";
import { createConsoleLink } from "../link.ts";
import { createOutputFilter } from "../output-filter.ts";

const TICK_MS = 50;
const STAMP = "[2026-11-30 12:00:00:000 WARN] [Scripting] ";

/** Both ends of the console link, with a console between them that has faults. */
export class LossyConsole {
  readonly clock = new ManualClock();
  /** what launch prints */
  printed = "";
  /** every line that launch has typed */
  readonly typed: string[] = [];
  /** every line that a script has printed */
  readonly scriptLines: string[] = [];
  /** what launch has received, with the way to answer */
  readonly received: { message: FromPack; reply: (answer: FromLaunch) => void }[] = [];
  pack;
  readonly #random;
  readonly #faults;
  readonly #link;
  readonly #filter;
  #tick = 0;
  #output = "";
  #words: string[] = [];

  constructor(rates: ConsoleFaultRates) {
    this.#random = seededRandom(rates.seed);
    this.#faults = createConsoleFaults(rates);
    this.pack = this.#newPack();
    let keys = 0;
    this.#link = createConsoleLink({
      clock: this.clock,
      random: () => (++keys * 7_919_000_001).toString(16).padStart(20, "3"),
      type: line => this.#type(line),
      received: (message, reply) => this.received.push({ message, reply }),
    });
    const linesOf = createGameLines();
    this.#filter = createOutputFilter({
      take: raw => {
        const line = linesOf(raw);
        return line.by === "script" && line.isFirst && this.#link.takeLine(line.text);
      },
      isSecret: this.#link.isSecret,
      isAwaited: () => false,
    });
  }

  #newPack() {
    return createPackLink({
      clock: { now: this.clock.now, tick: () => this.#tick },
      random: () => this.#random(),
      print: line => this.print(line),
      reported: () => undefined,
      opened: () => undefined,
    });
  }

  /** Starts the pack's script again, as `/reload` does. */
  reload(): void {
    this.pack = this.#newPack();
  }

  /** Prints a line of a script, which arrives in the next tick. */
  print(line: string): void {
    this.scriptLines.push(line);
    this.#output += this.#faults.printed(STAMP + line) + this.#faults.printed("");
  }

  #type(line: string): void {
    if (line.length > 1_000) throw new Error(`a command of ${line.length} characters`);
    this.typed.push(line);
    for (const each of this.#faults.typed(line)) this.#words.push(each.slice(COMMAND.length + 1, -1));
  }

  /** A tick of the game. */
  tick(): void {
    this.#tick++;
    this.clock.advance(TICK_MS);
    const output = Buffer.from(this.#output);
    this.#output = "";
    for (const word of this.#words.splice(0)) this.pack.takeWord(word);
    for (const chunk of this.#faults.chunks(output))
      this.printed += Buffer.from(this.#filter.push(chunk)).toString("utf8");
    this.pack.step();
  }

  send = (message: FromLaunch): void => this.#link.send(message);
}
