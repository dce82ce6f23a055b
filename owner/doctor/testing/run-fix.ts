import { execFileSync } from "node:child_process";
import { toolPath } from "../../../test/helpers/tools.ts";
import type { Fixture } from "./fixture.ts";

/** Runs the command of a fix: the product's programs with what they are given here, every other one in a shell. */
export async function run(fixture: Fixture, command: string): Promise<void> {
  if (command.startsWith("npm run setup -- ")) return fixture.setUp(command);
  if (command.startsWith("npm start -- --config ")) return fixture.restartSidecar();
  const setting = /^npm run config -- (.*)$/.exec(command)?.[1];
  const shell = setting === undefined ? command : `"${process.execPath}" "${toolPath("config")}" ${setting}`;
  execFileSync("sh", ["-c", shell]);
  if (setting !== undefined && fixture.sidecar !== undefined) await fixture.restartSidecar();
}
