import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../sidecar/platform/clock.ts";
import { createCompleteLines } from "./complete-lines.ts";
import type { OutputFilter } from "./console-link/output-filter.ts";
import type { Game } from "./game.ts";

/** How long an unfinished line waits for its end before it is printed, in milliseconds. */
const HELD_MS = 200;

export interface GameConsole {
  /** Types a line, given with its end. */
  type(line: string): void;
  /** Stops waiting for a reader of the output, which would keep the game from ending: what it cannot take is dropped. */
  release(): void;
}

/** The console link, as far as it reads the console. */
interface ConsoleReader extends OutputFilter {
  /** Takes the complete lines that the owner types. */
  typed(lines: string): void;
}

interface ConsoleOptions {
  game: Game;
  input: Readable;
  output: Writable;
  reader: ConsoleReader;
  clock: Pick<Clock, "after" | "soon">;
}

/**
 * Connects the console of a game with the streams of this process. Its output is printed as it is, without what the reader takes out.
 * Nothing here ends the game: after an end of the input, or a closed output, it runs on.
 */
export function connectConsole({ game, input, output, reader, clock }: ConsoleOptions): GameConsole {
  let isReleased = false;
  let isOpen = true;
  // A slow reader slows the game as without `launch`; it is not given more memory.
  const resume = (): void => {
    for (const each of game.output) each.resume();
  };
  output.on("drain", resume);
  output.on("error", () => {
    isOpen = false;
    resume();
  });
  function print(bytes: Uint8Array): void {
    if (bytes.length === 0 || !isOpen || (isReleased && output.writableNeedDrain)) return;
    if (!output.write(bytes) && !isReleased) for (const one of game.output) one.pause();
  }

  let isWaiting = false;
  function printHeldLater(): void {
    if (isWaiting || !reader.isHolding()) return;
    isWaiting = true;
    clock.after(HELD_MS, () =>
      // Its end may have arrived while this process was busy.
      clock.soon(() => {
        isWaiting = false;
        print(reader.flush());
        printHeldLater();
      }),
    );
  }
  // Scripts print to the first one only.
  for (const [place, each] of game.output.entries()) {
    if (place > 0) {
      each.on("data", print);
      continue;
    }
    each.on("data", (bytes: Uint8Array) => {
      print(reader.push(bytes));
      printHeldLater();
    });
    each.on("end", () => print(reader.flush()));
  }

  const complete = createCompleteLines();
  input.on("data", (bytes: Uint8Array) => {
    const lines = complete(bytes);
    if (lines.length === 0) return;
    reader.typed(Buffer.from(lines).toString("utf8"));
    if (!game.write(lines)) input.pause();
  });
  game.onRead(() => input.resume());
  // The question about setup has paused it.
  input.resume();
  // The terminal may be gone.
  input.on("error", () => undefined);

  return {
    type: line => void game.write(line),
    release() {
      isReleased = true;
      resume();
    },
  };
}
