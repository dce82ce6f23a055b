import { dirname, resolve } from "node:path";
import { CONTAINER_RESTART, CONTAINER_SETTINGS, isContainerImage } from "../../bds/container-image.ts";
import { userName } from "../../bds/users.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { type SidecarCommands, sidecarCommands } from "../../cli/run-by.ts";
import type { Fix } from "./finding.ts";
import type { CheckedSidecar, DoctorOptions, DoctorSystem, Target } from "./target.ts";

const words = ({ server, config }: DoctorOptions, { programs }: DoctorSystem): string =>
  `--server ${quoted(resolve(server))}${configOption(config, programs)}`;

export const setupCommand = (options: DoctorOptions, system: DoctorSystem): string =>
  `${system.programs.setup} ${words(options, system)}`;

/** Run setup, after the server is stopped. `before`: an earlier step, or an alternative; `options`: more options of setup. */
export function bySetup({ running, setup }: Target, before?: string, options = ""): Fix {
  const steps = [running && "stop the server first", before].filter(step => step !== undefined);
  return { text: steps.length === 0 ? undefined : steps.join("; "), command: setup + options };
}

/** A change by hand, after the server is stopped. */
export const byHand = ({ running }: Target, text: string): string =>
  running === undefined ? text : `stop the server; ${text}`;

export const commandsOf = ({ runBy, configFile, system }: CheckedSidecar): SidecarCommands =>
  sidecarCommands(runBy, system.programs, configFile);

/** Restart the sidecar. `before`: an earlier step, or an alternative. */
export function byRestart(sidecar: CheckedSidecar, before?: string): Fix {
  const { start, stop, restart } = commandsOf(sidecar);
  if (stop === undefined) return { text: before, command: restart };
  const again = `${stop} and start it again`;
  return { text: before === undefined ? again : `${before}; ${again}`, command: start };
}

/**
 * The command that changes a setting of the sidecar.
 * @param args such as `set`, the key and its value
 */
export const configCommand = (
  { configFile, system: { programs } }: Pick<CheckedSidecar, "configFile" | "system">,
  ...args: string[]
): string =>
  `${programs.config} ${args.map(arg => quoted(arg)).join(" ")}${configOption(configFile, programs)}`;

export const thenRestart = (sidecar: CheckedSidecar): string =>
  `restart the sidecar after this (${commandsOf(sidecar).restart})`;

/** Change a setting of the sidecar and restart it. `value`: `-` for one that the owner knows. */
export const bySetting = (sidecar: CheckedSidecar, key: string, value: string, before?: string): Fix => ({
  text: `${before === undefined ? "" : `${before}; `}${thenRestart(sidecar)}`,
  command: configCommand(sidecar, "set", key, value),
});

/**
 * Change the variable of the game server's container that overwrites a key of server.properties at each start; undefined: none
 * does.
 */
export function byVariable({ server, system }: Target, pair: string): Fix | undefined {
  const [key = "", value = ""] = pair.split("=");
  const variable = key.toUpperCase().replaceAll("-", "_");
  if (!isContainerImage(server) || !system.env[variable]) return undefined;
  const text = `set ${variable}=${value} for the game server's container (${CONTAINER_SETTINGS}), which writes it into server.properties at each start; then`;
  return { text, command: CONTAINER_RESTART };
}

/** Edit one key of server.properties. `or`: another way. */
export const byProperty = (target: Target, pair: string, or = ""): Fix =>
  byVariable(target, pair) ?? { text: `set ${pair} in ${target.server.propertiesFile}${or}` };

/**
 * Run the doctor as the owner of a file of the sidecar.
 * @param own command that gives the file to this user instead
 */
export function asOwner(
  path: string,
  own: string | undefined,
  options: DoctorOptions,
  system: DoctorSystem,
): Fix {
  const instead = own === undefined ? "" : `; or, to run the sidecar as this user instead: ${own}`;
  const uid = ownerOf(path, system);
  if (uid === undefined || uid === process.geteuid?.())
    return { text: `run doctor as the sidecar's user${instead}` };
  const other = options.sidecar === undefined ? "" : ` --sidecar ${quoted(options.sidecar)}`;
  const command = `sudo -u '#${uid}' ${system.programs.doctor} ${words(options, system)}${other}`;
  return {
    text: `run doctor as the owner of the files, ${userName(uid) ?? `user ${uid}`}${instead}`,
    command,
  };
}

/** The owner of a path, or of the nearest folder above it that can be seen. */
function ownerOf(path: string, system: DoctorSystem): number | undefined {
  const access = system.accessOf(path);
  return access !== undefined || dirname(path) === path ? access?.uid : ownerOf(dirname(path), system);
}
