import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { journalFile } from "../../bds/setup-folder.ts";
import { quoted } from "../../cli/commands.ts";
import { RUN_BY_LAUNCH } from "../../cli/launch-channel.ts";
import { choose, isTerminal } from "../../cli/prompt.ts";
import { RUN_BY } from "../../cli/variables.ts";

/** How long the question waits, in milliseconds. A panel that restarts the server has a terminal, but nobody in front of it. */
const ANSWER_MS = 60_000;

interface SetupOffer {
  /** folder of the game server */
  folder: string;
  /** the program of setup, and its options besides `--server` */
  program: string;
  options: readonly string[];
  /** how the owner calls it */
  command: string;
  say(line: string): void;
}

/** Offers setup for a game server on which it has never been run. The game starts whatever the answer is. */
export async function offerSetup({ folder, program, options, command, say }: SetupOffer): Promise<void> {
  if (existsSync(journalFile(folder))) return;
  const call = [command, "--server", quoted(folder), ...options.map(each => quoted(each))].join(" ");
  if (!existsSync(join(folder, "worlds"))) {
    say(`This game server has no world yet, and creates it now. Then stop it, and run ${call}`);
    return;
  }
  if (!isTerminal()) {
    say(`Setup has never been run on this game server. Stop it, and run ${call}`);
    return;
  }
  const limit = AbortSignal.timeout(ANSWER_MS);
  const question = "Setup has never been run on this game server. Run it now? [Y/n] ";
  const answer = await choose(question, ["yes", "no"], limit);
  if (answer === undefined && !limit.aborted) process.exit(130);
  if (answer !== "yes") {
    say(`Starting without the add-on. To install it, stop the game server, and run ${call}`);
    return;
  }
  const setup = spawn(process.execPath, [program, "--server", folder, ...options], {
    stdio: "inherit",
    env: { ...process.env, [RUN_BY]: RUN_BY_LAUNCH },
  });
  const code = await new Promise(resolve => setup.once("error", resolve).once("exit", resolve));
  if (code !== 0) say("Setup made no change, or not all of them: starting the game server as it is");
}
