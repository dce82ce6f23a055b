import type { Readable, Writable } from "node:stream";
import { createCompleteLines } from "./complete-lines.ts";
import type { Game } from "./game.ts";

export interface GameConsole {
  /** Stops waiting for a reader of the output, which would keep the game from ending: what it cannot take is dropped. */
  release(): void;
}

/**
 * Connects the console of a game with the streams of this process. Its output is printed as it is. Nothing here ends the game: after
 * an end of the input, or a closed output, it runs on.
 */
export function connectConsole(game: Game, input: Readable, output: Writable): GameConsole {
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
  for (const each of game.output)
    each.on("data", (bytes: Uint8Array) => {
      if (!isOpen || (isReleased && output.writableNeedDrain)) return;
      if (!output.write(bytes) && !isReleased) for (const one of game.output) one.pause();
    });

  const complete = createCompleteLines();
  input.on("data", (bytes: Uint8Array) => {
    const lines = complete(bytes);
    if (lines.length > 0 && !game.write(lines)) input.pause();
  });
  game.onRead(() => input.resume());
  // The question about setup has paused it.
  input.resume();
  // The terminal may be gone.
  input.on("error", () => undefined);

  return {
    release() {
      isReleased = true;
      resume();
    },
  };
}
