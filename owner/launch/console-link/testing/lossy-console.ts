import { Buffer } from "node:buffer";
import { createConsoleLink as createPackLink } from "../../../../behavior_pack/console-link/link.ts";
import type { Clock as PackClock } from "../../../../behavior_pack/ports.ts";
import { COMMAND } from "../../../../shared/console-link/frames.ts";
import type { FromLaunch, FromPack } from "../../../../shared/console-link/messages.ts";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { createGameLines } from "../game-lines.ts";
import { createConsoleLink } from "../link.ts";
import { createOutputFilter } from "../output-filter.ts";

/** Random numbers from 0 up to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const TICK_MS = 50;

/** Faults, as shares from 0 to 1. */
interface Faults {
  /** lines and commands that get lost, come twice, or come later */
  lost: number;
  doubled: number;
  late: number;
  /** lines of which a part gets lost */
  torn: number;
}

/** Both ends of the console link, with a console between them that loses, doubles, delays, tears and mixes what is printed and typed. */
export class LossyConsole {
  readonly clock = new ManualClock();
  /** what launch prints */
  printed = "";
  /** every word that launch has typed, and every line that the pack has printed */
  readonly typed: string[] = [];
  readonly told: string[] = [];
  /** what launch has received, with the way to answer */
  readonly received: { message: FromPack; reply: (answer: FromLaunch) => void }[] = [];
  pack;
  readonly #random: () => number;
  readonly #faults: Faults;
  readonly #link;
  readonly #filter;
  #tick = 0;
  #arriving: { at: number; line?: string; word?: string }[] = [];

  constructor(seed: number, faults: Partial<Faults> = {}) {
    this.#random = randomOf(seed);
    this.#faults = { lost: 0, doubled: 0, late: 0, torn: 0, ...faults };
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
    const clock: PackClock = { now: () => this.clock.now(), tick: () => this.#tick };
    return createPackLink({
      clock,
      random: () => this.#random(),
      print: line => this.print(line),
      heard: () => undefined,
      opened: () => undefined,
    });
  }

  /** Starts the pack's script again, as `/reload` does. */
  reload(): void {
    this.pack = this.#newPack();
  }

  /** Prints a line of a script. */
  print(line: string): void {
    this.told.push(line);
    const stamp = `[2026-11-30 12:00:00:000 WARN] [Scripting] `;
    const whole = `${this.#random() < 0.1 ? "\0" : ""}${stamp}${line}`;
    const cut = Math.floor(this.#random() * whole.length);
    const length = Math.floor(this.#random() * 30);
    const torn = this.#random() < this.#faults.torn;
    this.#send({ line: torn ? whole.slice(0, cut) + whole.slice(cut + length) : whole });
  }

  /** Prints a line of the game, or part of one, at once. */
  printRaw(text: string): void {
    this.printed += Buffer.from(this.#filter.push(Buffer.from(text))).toString("utf8");
  }

  #type(line: string): void {
    this.typed.push(line);
    if (line.length > 1_000) throw new Error(`a command of ${line.length} characters`);
    this.#send({ word: line.slice(COMMAND.length + 1, -1) });
  }

  #send(what: { line?: string; word?: string }): void {
    const { lost, doubled, late } = this.#faults;
    const copies = this.#random() < lost ? 0 : this.#random() < doubled ? 2 : 1;
    for (let i = 0; i < copies; i++) {
      const ticks = this.#random() < late ? Math.floor(this.#random() * 40) : 0;
      this.#arriving.push({ at: this.#tick + 1 + ticks, ...what });
    }
  }

  /** A tick of the game. */
  tick(): void {
    this.#tick++;
    this.clock.advance(TICK_MS);
    const due = this.#arriving.filter(({ at }) => at <= this.#tick);
    this.#arriving = this.#arriving.filter(({ at }) => at > this.#tick);
    for (const { line, word } of due) {
      if (word !== undefined) this.pack.takeWord(word);
      if (line === undefined) continue;
      const bytes = Buffer.from(`${line}\n\n`);
      const cut = Math.floor(this.#random() * bytes.length);
      for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)])
        this.printed += Buffer.from(this.#filter.push(part)).toString("utf8");
    }
    this.pack.step();
  }

  send = (message: FromLaunch): void => this.#link.send(message);
}
