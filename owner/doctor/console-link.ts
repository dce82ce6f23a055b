import { join, relative } from "node:path";
import { isFault } from "../../bds/fault.ts";
import { parseFile } from "../../bds/folder.ts";
import { isObject } from "../../bds/json-text.ts";
import { readValues } from "../../bds/script-config.ts";
import { startLinked } from "../../cli/run-by.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byHand, byProperty } from "./fixes.ts";
import { isOn, settingOf, turnOn } from "./server-properties.ts";
import type { Target } from "./target.ts";

// The pack that keeps achievements prints its messages on the game's console, where `launch` reads them and types the answers.

const PAGE = "docs/achievements.md";

/** Whether the pack's lines reach the console. */
export function checkOutput(target: Target): Verdict | Verdict[] {
  const key = "content-log-console-output-enabled";
  if (!isOn(target, key, false))
    return problem(`${key} is not true: the add-on cannot reach the sidecar`, turnOn(target, key));
  if (settingOf(target, "content-log-level", "info") === "error") {
    const what = "content-log-level is error: the lines by which the add-on reaches the sidecar are dropped";
    return problem(what, byProperty(target, "content-log-level=info"));
  }
  const right = ok("the add-on's lines reach the server's console");
  if (!isOn(target, "content-log-file-enabled", false)) return right;
  return [
    right,
    note(
      `content-log-file-enabled is true: the game also writes the add-on's messages, with names and chat, into its log file; set it to false, since content-log-level=error would drop them on the console too (${PAGE})`,
    ),
  ];
}

/** Commands that `launch` types. */
const TYPED = ["bridge:console", "allowlist", "kick"];

/** Whether config/commands.json leaves the console the commands that `launch` types. */
export function checkCommands(target: Target): Verdict | undefined {
  const { server, system } = target;
  const path = join(server.root, "config", "commands.json");
  if (system.files.kindOf(path) === undefined) return undefined;
  const place = relative(server.root, path);
  const read = parseFile(path, system.files, readValues);
  if (isFault(read))
    return note(`${path}: ${read.fault}: not checked whether it closes commands to the console`);
  const { default_permission_level: usual, permission_levels: levels } = read.values;
  const levelOf = (name: string): unknown => (isObject(levels) ? levels[name] : undefined) ?? usual;
  const closed = TYPED.filter(name => levelOf(name) === "internal");
  if (closed.length === 0) return ok(`${place} leaves the console the commands that launch types`);
  const pairs = closed.map(name => `"${name}": "owner"`).join(", ");
  return problem(
    `${place} closes ${closed.join(", ")} to the console, where launch types them for the add-on`,
    {
      text: byHand(target, `set ${pairs} in permission_levels of ${path}`),
    },
  );
}

/** Whether the running game server was started by `launch`. */
export function checkLaunch({ server, system, sidecar, running }: Target): Verdict | undefined {
  if (running === undefined) return undefined;
  const isUnder = running.pid === undefined ? undefined : system.isUnderLaunch(running.pid);
  if (isUnder === undefined) return skipped("whether launch has started the game server: not known here");
  if (isUnder) return ok("launch has started the game server, and connects the add-on");
  const what = `the game server was not started by launch, which connects the add-on that keeps achievements (${PAGE})`;
  const stop = 'stop it with "stop" on its console';
  if (sidecar === undefined) return problem(what, `${stop}, and start it with launch from now on`);
  const as = sidecar.name === sidecar.config.server.name ? undefined : sidecar.name;
  const { runBy, remote, configFile } = sidecar;
  const isSidecarElsewhere = remote !== undefined || (runBy !== undefined && runBy.kind !== "launch");
  const command = startLinked(server.root, { as, isSidecarElsewhere }, system.programs, configFile);
  // A second sidecar would find its ports in use.
  const text = command.includes(" --no-sidecar")
    ? `${stop}, and start it with this command from now on`
    : `${stop}, and stop the sidecar, if it is running; then start both with this command from now on`;
  return problem(what, { text, command });
}
