import { seededRandom } from "./random.ts";

/** Shares from 0 to 1. */
export interface ConsoleFaultRates {
  /** Equal seeds give equal faults. */
  readonly seed: number;
  /** lines of scripts that are not printed */
  readonly lost?: number;
  /** printed twice */
  readonly doubled?: number;
  /** printed after one to four later lines */
  readonly late?: number;
  /** printed without their end */
  readonly cut?: number;
  /** with a line of another pack within them */
  readonly mixed?: number;
  /** with NUL in front */
  readonly nul?: number;
  /** typed lines that are not run */
  readonly typedLost?: number;
  /** typed lines that are run twice */
  readonly typedDoubled?: number;
}

/** A line between a console and its reader that loses, doubles, delays, cuts and mixes. */
export interface ConsoleFaults {
  /** The text that is printed instead of a line, with the ends of its lines. Only lines of scripts have faults. */
  printed(line: string): string;
  /** The lines that are run instead of a typed one. */
  typed(line: string): string[];
  /** Cuts bytes into chunks of at least one byte. */
  chunks(bytes: Buffer): Buffer[];
}

const SCRIPT = /^\0?\[[^\]]*\] \[Scripting\] /;
const MAX_LATE_LINES = 4;
/** Average bytes of a chunk. */
const CHUNK = 200;

export function createConsoleFaults(rates: ConsoleFaultRates): ConsoleFaults {
  const random = seededRandom(rates.seed);
  const hits = (rate = 0): boolean => rate > 0 && random() < rate;
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  let others = 0;
  let held: { text: string; lines: number }[] = [];

  /** The texts that have been held back long enough. */
  function due(): string {
    for (const one of held) one.lines--;
    const ready = held.filter(({ lines }) => lines <= 0);
    held = held.filter(({ lines }) => lines > 0);
    return ready.map(({ text }) => text).join("");
  }

  function faulty(line: string): string {
    if (hits(rates.lost)) return "";
    let text = `${line}\n`;
    const at = upTo(line.length - 1);
    if (hits(rates.cut)) text = `${line.slice(0, at)}\n`;
    else if (hits(rates.mixed)) {
      const other = `${line.slice(0, line.indexOf("]") + 1)} [Scripting] other pack: ${++others}`;
      text = `${line.slice(0, at)}${other}\n${line.slice(at)}\n`;
    }
    if (hits(rates.nul)) text = `\0${text}`;
    if (hits(rates.doubled)) text += text;
    if (!hits(rates.late)) return text;
    held.push({ text, lines: upTo(MAX_LATE_LINES) });
    return "";
  }

  return {
    printed(line) {
      const ready = due();
      return `${SCRIPT.test(line) ? faulty(line) : `${line}\n`}${ready}`;
    },
    typed(line) {
      if (hits(rates.typedLost)) return [];
      return hits(rates.typedDoubled) ? [line, line] : [line];
    },
    chunks(bytes) {
      const chunks: Buffer[] = [];
      for (let from = 0; from < bytes.length; ) {
        const to = from + upTo(2 * CHUNK);
        chunks.push(bytes.subarray(from, to));
        from = to;
      }
      return chunks;
    },
  };
}
