import { fileURLToPath } from "node:url";
import { EXIT } from "../../cli/arguments.ts";
import { commandsIn } from "../../cli/commands.ts";
import { printable } from "../../cli/printable.ts";
import { commandsBy, readRunBy, sidecarCommands } from "../../cli/run-by.ts";
import { RUN_BY } from "../../sidecar/config/read.ts";
import { variableOf } from "../../sidecar/config/settings.ts";
import { READ_AGAIN } from "../../sidecar/config/written.ts";
import type { Changed } from "../setup/config-file.ts";

/** How the owner calls the programs. */
export const commands = commandsBy(
  readRunBy(process.env[RUN_BY]),
  commandsIn(fileURLToPath(new URL("../../", import.meta.url))),
);

/**
 * Says what came of a change of the configuration, and what has to be done for it to count.
 * @param what in words, behind the name of the file
 * @returns the exit code
 */
export function tell(changed: Changed | { faults: string[] }, key: string, what: string): number {
  if ("faults" in changed) return failed(changed.faults);
  const { path, isMade, isChanged, left, runBy } = changed;
  const variable = variableOf(key);
  const { restart } = sidecarCommands(runBy, commands.start, path);
  const lines = [
    ...(isMade ? [`made ${path} with every key and its default`] : []),
    `${path}: ${what}`,
    ...(process.env[variable] === undefined ? [] : [`${variable} is set here, and counts in its place`]),
    ...(isChanged
      ? [
          READ_AGAIN.includes(key)
            ? "A sidecar that runs takes it within two seconds."
            : `It counts after a restart: ${restart}`,
        ]
      : []),
  ];
  for (const line of lines) console.log(printable(line));
  for (const fault of left) console.error(printable(`${path}: not mended by this: ${fault}`));
  return EXIT.done;
}

export function failed(faults: readonly string[]): number {
  for (const fault of faults) console.error(printable(fault));
  return EXIT.failed;
}
