import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PACK_FOLDER } from "../../bds/built-pack.ts";
import { journalFile } from "../../bds/setup-folder.ts";
import { quoted } from "../../cli/commands.ts";
import { orElse } from "../../cli/errno.ts";
import { RUN_BY_LAUNCH } from "../../cli/launch-channel.ts";
import { choose, isTerminal } from "../../cli/prompt.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { PRODUCT_VERSION } from "../../shared/version.ts";

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

/** Why to run setup, and what a no means; undefined: it is not needed. */
function reasonFor(folder: string): { why: string; declined: string } | undefined {
  const version = addOnVersion(folder);
  if (version === PRODUCT_VERSION) return undefined;
  if (version !== undefined)
    return {
      why: `The add-on in this game server has version ${version}, the sidecar ${PRODUCT_VERSION}.`,
      declined: "Starting with this add-on. To replace it",
    };
  if (existsSync(journalFile(folder))) return undefined;
  return {
    why: "Setup has never been run on this game server.",
    declined: "Starting without the add-on. To install it",
  };
}

/** The version of the add-on, installed by setup or by hand; undefined: unknown. */
function addOnVersion(folder: string): string | undefined {
  const manifest = join(folder, "behavior_packs", PACK_FOLDER, "manifest.json");
  const version: unknown = orElse(() => JSON.parse(readFileSync(manifest, "utf8")).header.version, undefined);
  return Array.isArray(version) && version.every(Number.isInteger) ? version.join(".") : undefined;
}

/** Offers setup for a game server without the add-on, or with another version of it. The game starts whatever the answer is. */
export async function offerSetup({ folder, program, options, command, say }: SetupOffer): Promise<void> {
  const reason = reasonFor(folder);
  if (reason === undefined) return;
  const call = [command, "--server", quoted(folder), ...options.map(each => quoted(each))].join(" ");
  if (!existsSync(join(folder, "worlds"))) {
    const then = isTerminal() ? "start it again to install the add-on" : `run ${call}`;
    say(`This game server has no world yet, and creates it now. Then stop it, and ${then}`);
    return;
  }
  if (!isTerminal()) {
    say(`${reason.why} Stop it, and run ${call}`);
    return;
  }
  const limit = AbortSignal.timeout(ANSWER_MS);
  const answer = await choose(`${reason.why} Run setup now? [Y/n] `, ["yes", "no", "stop"], limit);
  // A panel stops the game server so.
  if (answer === "stop") process.exit(0);
  if (answer === undefined && !limit.aborted) process.exit(130);
  if (answer !== "yes") {
    say(`${reason.declined}, stop the game server, and run ${call}`);
    return;
  }
  const setup = spawn(process.execPath, [program, "--server", folder, ...options], {
    stdio: "inherit",
    env: { ...process.env, [RUN_BY]: RUN_BY_LAUNCH },
  });
  const code = await new Promise(resolve => setup.once("error", resolve).once("exit", resolve));
  if (code !== 0) say("Setup made no change, or not all of them: starting the game server as it is");
}
