import { REFUSED_CONFIGURATION, type ToSidecar } from "../../cli/launch-channel.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";
import { restartDelay } from "./restart-delay.ts";

/** How long a sidecar may take to stop, in milliseconds. */
const STOP_MS = 5_000;
/** How often a refused configuration is looked at, in milliseconds. */
const LOOK_MS = 1_000;

/** How a process ended: `code` or `signal`, or why it could not be started. */
export interface ProcessEnd {
  code: number | null;
  signal: string | null;
  error?: string;
}

/** A process of the sidecar. */
export interface SidecarProcess {
  send(message: ToSidecar): void;
  kill(): void;
}

interface Sidecar {
  /** Tells the sidecar the process id of the game; undefined: it does not run. */
  setGame(pid: number | undefined): void;
  /** Stops it in order, or kills it after 5 s. Resolves when it has ended. */
  stop(): Promise<void>;
}

interface Supervision {
  /**
   * Starts a process of the sidecar.
   * @param onReading called once it reads messages
   * @param onEnd called once
   */
  start(onReading: () => void, onEnd: (end: ProcessEnd) => void): SidecarProcess;
  /** changes when the configuration file changes */
  configState(): string;
  /** the entry in `servers` of the configuration; undefined: the first one */
  server: string | undefined;
  clock: Pick<Clock, "monotonic" | "after" | "every">;
  say(line: string): void;
}

/** Runs the sidecar until it is stopped, and starts it again whenever it ends. */
export function superviseSidecar({ start, configState, server, clock, say }: Supervision): Sidecar {
  let running: SidecarProcess | undefined;
  let gamePid: number | undefined;
  let waitedMs: number | undefined;
  let cancelStart = (): void => undefined;
  let onStopped: (() => void) | undefined;

  function run(): void {
    const startedAt = clock.monotonic();
    const before = configState();
    running = start(sendGame, end => {
      running = undefined;
      if (onStopped !== undefined) return onStopped();
      if (end.code === REFUSED_CONFIGURATION) return awaitChange(before);
      waitedMs = restartDelay(clock.monotonic() - startedAt, waitedMs);
      say(`The sidecar ended (${wordsOf(end)}): starting it again in ${waitedMs / 1000} s`);
      cancelStart = clock.after(waitedMs, run);
    });
  }

  function awaitChange(before: string): void {
    say(
      "The sidecar rejected its configuration: fix what the lines above name. It starts when you save the file; for an environment variable, start both again",
    );
    waitedMs = undefined;
    const cancel = clock.every(LOOK_MS, () => {
      if (configState() === before) return;
      cancel();
      run();
    });
    cancelStart = cancel;
  }

  function sendGame(): void {
    running?.send({
      type: "game",
      server: server ?? null,
      ...(gamePid !== undefined && { pid: gamePid }),
    });
  }

  run();
  return {
    setGame(pid) {
      gamePid = pid;
      sendGame();
    },
    stop() {
      cancelStart();
      const stopping = running;
      if (stopping === undefined) return Promise.resolve();
      return new Promise(resolve => {
        const cancel = clock.after(STOP_MS, () => {
          say(`The sidecar did not stop within ${STOP_MS / 1000} s: it was killed`);
          stopping.kill();
        });
        onStopped = () => {
          cancel();
          resolve();
        };
        stopping.send({ type: "stop" });
      });
    },
  };
}

const wordsOf = ({ code, signal, error }: ProcessEnd): string =>
  error ?? (code === null ? `signal ${signal}` : `exit code ${code}`);
