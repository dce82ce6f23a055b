import { Buffer } from "node:buffer";

const LF = 0x0a;

/** Longest unfinished line that is held, in bytes: no line of the link is longer. */
const MAX_HELD = 4 * 1024;

interface LineReader {
  /** Takes a complete line without its end. Returns true if it is not to be printed, nor the blank line behind it. */
  take(line: string): boolean;
  /** Whether a part of a line must not be printed. */
  isSecret(part: string): boolean;
  /** Whether a long line that must not be printed may come. */
  isAwaited(): boolean;
}

export interface OutputFilter {
  /** Takes output of the game, and returns what is to be printed now. */
  push(bytes: Uint8Array): Uint8Array;
  /** The unfinished line, to be printed now: it does not get longer. */
  flush(): Uint8Array;
  /** whether there is an unfinished line */
  isHolding(): boolean;
}

/** Behind a long line, the game puts NUL at the start of the next. */
const BLANK = /^\0*$/;

const NOTHING = new Uint8Array();

/** Takes the lines of the console link out of what the game prints. All else is printed byte for byte. */
export function createOutputFilter({ take, isSecret, isAwaited }: LineReader): OutputFilter {
  let held: Buffer = Buffer.alloc(0);
  /** whether the start of the present line was printed */
  let isPrinted = false;
  /** whether the line before was not printed */
  let isAfterHidden = false;

  const textOf = (line: Buffer): string => line.toString("utf8").replace(/\r?\n?$/, "");

  /** Whether a complete line is to be printed. */
  function isShown(line: Buffer): boolean {
    const wasPrinted = isPrinted;
    isPrinted = false;
    const text = textOf(line);
    const wasHidden = isAfterHidden;
    // The rest of a line whose start was printed is no line.
    isAfterHidden = (!wasPrinted && take(text)) || isSecret(text);
    const isBlankBehind = wasHidden && !wasPrinted && BLANK.test(text);
    return !isAfterHidden && !isBlankBehind;
  }

  function flush(): Uint8Array {
    const part = held;
    // Such a line ends soon, or never.
    if (part.length === 0 || isAwaited() || isSecret(textOf(part))) return NOTHING;
    held = Buffer.alloc(0);
    isPrinted = true;
    return part;
  }

  return {
    flush,
    push(bytes) {
      const all =
        held.length === 0
          ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
          : Buffer.concat([held, bytes]);
      const shown: Buffer[] = [];
      // Neighbouring lines are printed as one piece.
      let from = 0;
      let start = 0;
      for (let end = all.indexOf(LF); end >= 0; end = all.indexOf(LF, start)) {
        const isLineShown = isShown(all.subarray(start, end + 1));
        if (!isLineShown) shown.push(all.subarray(from, start));
        start = end + 1;
        if (!isLineShown) from = start;
      }
      shown.push(all.subarray(from, start));
      held = Buffer.from(all.subarray(start));
      if (held.length > MAX_HELD) shown.push(Buffer.from(flush()));
      const [only] = shown;
      return shown.length === 1 && only !== undefined ? only : Buffer.concat(shown);
    },
    isHolding: () => held.length > 0,
  };
}
