import { createConsoleBridge } from "../../owner/launch/console-link/console-bridge.ts";
import { COMMAND } from "../../shared/console-link/frames.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";
import { createConsoleGame } from "../simulator/game-console.ts";
import type { Simulator } from "../simulator/simulator.ts";

type ConsoleGameOptions = Parameters<typeof createConsoleGame>[0];

interface LaunchedGameOptions extends ConsoleGameOptions {
  /** the bridge listener of its sidecar */
  readonly bridge: { readonly url: string; readonly token: string };
  readonly clock: Clock;
  /** Gets what `launch` prints for its owner. */
  readonly print?: (text: string) => void;
}

/** A game with the pack that keeps achievements, and the end of the console link at `launch`. */
export interface LaunchedGame {
  readonly simulator: Simulator;
  /** Lines of scripts that `launch` has printed, without time and level. */
  readonly scriptLines: readonly string[];
  /** Prints a line of another pack on the console. */
  printOther(line: string): void;
  /** Ends the link. */
  end(): void;
  /** @throws if a part of the link is in what `launch` has printed, or in one of these texts */
  expectHidden(...texts: readonly string[]): void;
}

const KEY = /k[0-9a-f]{20}/g;
const SCRIPT_LINE = /^\0*\[[^\]]*\] (\[Scripting\] .*)$/gm;

export async function createLaunchedGame(options: LaunchedGameOptions): Promise<LaunchedGame> {
  const { bridge, clock, print, ...rest } = options;
  const game = await createConsoleGame({ now: clock.now, ...rest, isStable: true });
  const { simulator, output } = game;
  const keys = new Set<string>();
  let isOver = false;
  let printed = "";
  const show = (text: string): void => {
    printed += text;
    print?.(text);
  };
  const link = createConsoleBridge({
    clock,
    type(line) {
      for (const [key] of line.matchAll(KEY)) keys.add(key);
      if (!isOver) game.type(line.trimEnd());
    },
    target: async () => ({ value: { ...bridge, world: "Bedrock level" } }),
    say: line => show(`${line}\n`),
  });
  output.on("data", (bytes: Buffer) => show(String(link.push(bytes))));
  return {
    simulator,
    get scriptLines() {
      return [...printed.matchAll(SCRIPT_LINE)].map(([, line = ""]) => line);
    },
    printOther(line) {
      output.push(`[2026-11-30 20:00:00:000 WARN] [Scripting] ${line}\n\n`);
    },
    end() {
      isOver = true;
      link.stop();
    },
    expectHidden(...texts) {
      for (const text of [printed, ...texts])
        for (const part of [COMMAND, ...keys])
          if (text.includes(part)) throw new Error(`a part of the console link is visible:\n${text}`);
    },
  };
}
