import { Readable } from "node:stream";
import type { ConsoleFaults } from "./console-faults.ts";
import { createServerCommands } from "./server-commands.ts";
import { createReport, writeContent } from "./server-console.ts";
import { createServerInput, type ServerInput } from "./server-input.ts";
import { createServerOutput } from "./server-output.ts";
import { createSimulator, type Simulator } from "./simulator.ts";
import type { SimulatorOptions } from "./types.ts";

interface ConsoleGameOptions extends Omit<SimulatorOptions, "log" | "happened" | "beforeTick"> {
  /** Faults of the line between the console and who reads it and types in it. Default: none. */
  readonly faults?: ConsoleFaults;
}

/** A game with the console of a dedicated server, without its folder. */
export interface ConsoleGame {
  readonly simulator: Simulator;
  /** What the console prints, in bytes. It is never closed, and holds what nobody reads. */
  readonly output: Readable;
  /** Types a line, which one of the next ticks runs. */
  type(line: string): void;
}

export async function createConsoleGame({ faults, ...options }: ConsoleGameOptions): Promise<ConsoleGame> {
  const { now = Date.now, quirks } = options;
  const output = new Readable({ read: () => undefined });
  const print = (line: string): void => {
    const bytes = Buffer.from(faults ? faults.printed(line) : `${line}\n`);
    for (const chunk of faults ? faults.chunks(bytes) : [bytes]) output.push(chunk);
  };
  const write = createServerOutput(print, now, quirks?.console);
  let input: ServerInput | undefined;
  const simulator = await createSimulator({
    ...options,
    log: (level, line) => writeContent(write, level, line),
    happened: createReport(write),
    beforeTick: () => input?.tick(),
  });
  write("info", "Server started.");
  const run = createServerCommands(simulator, write, quirks?.console);
  const typed = createServerInput(run, quirks?.console);
  input = typed;
  return {
    simulator,
    output,
    type(line) {
      for (const each of faults ? faults.typed(line) : [line]) void typed.type(each);
    },
  };
}
