import { type Commands, configOption, quoted } from "./commands.ts";
import { RUN_BY_LAUNCH } from "./launch-channel.ts";

/** What starts a sidecar that is not started by hand. */
export type RunBy =
  | { kind: "systemd"; unit: string }
  /** `file`: of the composition, in the folder where the owner runs commands */
  | { kind: "compose"; file: string }
  | { kind: "task"; name: string }
  /** `server`: folder of the game server that is started with it; undefined: not known */
  | { kind: "launch"; server?: string | undefined };

/** The recipe, from the repository on. */
const COMPOSE_FILE = "deploy/docker/compose.yml";

const composeCommand = (file: string): string => `docker compose -f ${file}`;

/**
 * Parses `WEB_BRIDGE_RUN_BY`: `systemd:<unit>`, `compose` for the recipe, `compose:<file>`, `task:<name>` or `launch`. Anything else
 * counts as started by hand: the text must not be able to inject words into a command.
 * @param server folder of the first game server; undefined: not known
 */
export function readRunBy(text: string | undefined, server?: string): RunBy | undefined {
  const run = text?.trim() ?? "";
  if (run === RUN_BY_LAUNCH) return { kind: "launch", server };
  const [, kind, name = ""] = /^(systemd|compose|task)(?::(.+))?$/.exec(run) ?? [];
  if (run === "compose") return { kind: run, file: COMPOSE_FILE };
  if (kind === "compose" && /^\w[\w./-]*$/.test(name)) return { kind, file: name };
  if (kind === "systemd" && /^[\w@.-]+$/.test(name) && !name.startsWith("-")) return { kind, unit: name };
  if (kind === "task" && /^[\w][\w .-]*$/.test(name)) return { kind, name };
  return undefined;
}

/** How an owner starts and restarts a sidecar. */
export interface SidecarCommands {
  start: string;
  /** what to do before `start` to restart it, in words; undefined: `restart` is one command */
  stop?: string;
  /** a command, or words that end with one */
  restart: string;
}

/**
 * The commands for a sidecar.
 * @param commands for a sidecar that is started by hand
 * @param configFile its configuration
 */
export function sidecarCommands(
  by: RunBy | undefined,
  commands: Pick<Commands, "start" | "launch" | "home">,
  configFile: string,
): SidecarCommands {
  switch (by?.kind) {
    case undefined: {
      const option = configOption(configFile, commands);
      const own = option === "" ? commands.start.replace(/ --$/, "") : commands.start + option;
      return afterStop("stop the sidecar", own);
    }
    case "launch": {
      const start = startBoth(by.server, commands, configFile);
      return afterStop(
        'type "stop" on the console of the game server (on a panel, restart it instead)',
        start,
      );
    }
    case "systemd": {
      // The instances of a template share a configuration.
      const unit = by.unit.replace(/@.*$/, "@*");
      const unitName = unit === by.unit ? unit : `'${unit}'`;
      return { start: `systemctl start ${by.unit}`, restart: `systemctl restart ${unitName}` };
    }
    case "compose": {
      const compose = composeCommand(by.file);
      return { start: `${compose} up -d web-bridge`, restart: `${compose} restart web-bridge` };
    }
    case "task": {
      const startTask = `Start-ScheduledTask '${by.name}'`;
      return { start: startTask, restart: `Stop-ScheduledTask '${by.name}'; ${startTask}` };
    }
  }
}

const afterStop = (stop: string, start: string): SidecarCommands => ({
  start,
  stop,
  restart: `${stop}, then run ${start}`,
});

/**
 * The command that starts a game server and the sidecar.
 * @param server folder of the game server; undefined: not known
 */
export const startBoth = (
  server: string | undefined,
  commands: Pick<Commands, "launch" | "home">,
  configFile: string,
): string =>
  `${commands.launch} --server ${server === undefined ? "<folder of the game server>" : quoted(server)}${configOption(configFile, commands)}`;

/**
 * The command that starts a game server whose pack reaches the sidecar through `launch`: with the sidecar, unless something else runs
 * that or it is the sidecar of another game server too.
 * @param as its name in `servers`; undefined: the first one
 */
export function startLinked(
  server: string,
  { as, isSidecarElsewhere }: { as: string | undefined; isSidecarElsewhere: boolean },
  commands: Pick<Commands, "launch" | "home">,
  configFile: string,
): string {
  const name = as === undefined ? "" : ` --as ${as}`;
  const alone = as !== undefined || isSidecarElsewhere ? " --no-sidecar" : "";
  return `${startBoth(server, commands, configFile)}${name}${alone}`;
}

/** The owner's commands; with Docker Compose they run on the host. */
export function commandsBy(by: RunBy | undefined, commands: Commands): Commands {
  if (by?.kind !== "compose") return commands;
  const compose = composeCommand(by.file);
  const tool = (name: string): string => `${compose} run --rm ${name}`;
  const key = `${compose} exec web-bridge node /app/dist/tools/key.js`;
  // Also works while the sidecar is stopped.
  const oneOff = (name: string): string =>
    `${compose} run --rm --entrypoint node web-bridge /app/dist/tools/${name}.js`;
  return {
    ...commands,
    setup: tool("setup"),
    doctor: tool("doctor"),
    key,
    config: oneOff("config"),
    audit: oneOff("audit"),
    players: oneOff("players"),
    hook: oneOff("hook"),
    prove: oneOff("prove"),
  };
}
