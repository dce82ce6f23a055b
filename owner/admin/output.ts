import { fileURLToPath } from "node:url";
import { EXIT, ownOptions } from "../../cli/arguments.ts";
import { commandsIn } from "../../cli/commands.ts";
import { printable } from "../../cli/printable.ts";
import { commandsBy, readRunBy, sidecarCommands } from "../../cli/run-by.ts";
import { usedInstead } from "../../cli/sidecar-process.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { variableFor } from "../../sidecar/config/environment.ts";
import { READ_AGAIN } from "../../sidecar/config/startup-settings.ts";
import type { ConfigChange } from "../setup/config-file.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

export const commands = commandsBy(readRunBy(process.env[RUN_BY]), commandsIn(root));

export const OWN_OPTIONS = ownOptions(commands.home);

/** Keys that the add-on has in the game server's folder too. */
const ADDRESS_OF_BRIDGE: readonly string[] = ["bridge.host", "bridge.port"];

/** Prints a note if the running sidecar uses another configuration. */
export function warnOfOtherConfig(config: string): void {
  for (const line of usedInstead(root, config)) console.error(printable(`note: ${line}`));
}

/**
 * Prints the result of a configuration change, and when it takes effect.
 * @param what follows the name of the file
 * @returns the exit code
 */
export function printChange(changed: ConfigChange | { faults: string[] }, key: string, what: string): number {
  if ("faults" in changed) return failed(changed.faults);
  const { path, isChanged, left, runBy } = changed;
  const variable = variableFor(process.env, key);
  const { restart } = sidecarCommands(runBy, commands, path);
  const lines = [
    `${path}: ${what}`,
    ...(variable === undefined ? [] : [`${variable} is set here and overrides the file`]),
    ...(isChanged
      ? [
          ...(left.length > 0
            ? ["The sidecar accepts this file once you correct what is still wrong in it."]
            : []),
          ...whenUsed(key, left.length > 0, restart),
          ...(ADDRESS_OF_BRIDGE.includes(key)
            ? ["Then run setup with --bridge-url default (or your own address), so that the add-on uses it."]
            : []),
        ]
      : []),
  ];
  for (const line of lines) console.log(printable(line));
  for (const fault of left) console.error(printable(`${path}: still wrong: ${fault}`));
  return EXIT.done;
}

/** The line about when a running sidecar uses a change, if it can be said: a file with mistakes is not read again. */
function whenUsed(key: string, hasMistakes: boolean, restart: string): string[] {
  if (!READ_AGAIN.includes(key)) return [`It takes effect after a restart: ${restart}`];
  return hasMistakes ? [] : ["A running sidecar uses the change within two seconds."];
}

export function failed(faults: readonly string[]): number {
  for (const fault of faults) console.error(printable(fault));
  return EXIT.failed;
}
