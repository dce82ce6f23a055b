import type { Clock } from "../../sidecar/platform/clock.ts";

/** A SIGINT so soon after the first is the same key press, which npm and shells pass on once more, in milliseconds. */
const SAME_PRESS_MS = 1_000;

interface StopGame {
  /** Types `stop` on the game's console. */
  stop(): void;
  kill(): void;
  isRunning(): boolean;
  /** how long the game may take to save, in milliseconds */
  timeoutMs: number;
  clock: Pick<Clock, "monotonic" | "after">;
  say(line: string): void;
}

/** What each signal does while the game runs: the first one stops it, a second Ctrl+C kills it, and so does the timeout. */
export function createStopGame(options: StopGame): (signal: string) => void {
  const { stop, kill, isRunning, timeoutMs, clock, say } = options;
  const seconds = timeoutMs / 1000;
  let interruptedAt: number | undefined;
  let isStopping = false;
  let isKilled = false;
  function end(why: string): void {
    // Its last output, and the sidecar, may take longer.
    if (isKilled || !isRunning()) return;
    isKilled = true;
    say(`${why}: the game server was killed, and may not have saved`);
    kill();
  }
  return signal => {
    if (!isRunning()) return;
    const now = clock.monotonic();
    if (signal === "SIGINT") {
      interruptedAt ??= now;
      if (now - interruptedAt >= SAME_PRESS_MS) end("Second Ctrl+C");
    }
    if (isStopping) return;
    isStopping = true;
    const again = signal === "SIGINT" ? "; Ctrl+C again kills it" : "";
    say(`Stopping the game server, which has ${seconds} s to save${again}`);
    stop();
    clock.after(timeoutMs, () => end(`Not stopped within ${seconds} s`));
  };
}
