import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Fixture } from "./fixture.ts";

const CONFIG = fileURLToPath(new URL("../../dist/tools/config.js", import.meta.url));

/** The words of a command, as a shell would hand them over. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** The options of a printed setup command. */
export function readSetup(command: string) {
  const args = wordsOf(command);
  if (args.splice(0, 4).join(" ") !== "npm run setup --") throw new Error(`no setup: ${command}`);
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      server: { type: "string", default: "" },
      config: { type: "string", default: "config.yml" },
      "bridge-url": { type: "string" },
      "chest-form": { type: "boolean" },
      "module-versions": { type: "string" },
      as: { type: "string" },
      undo: { type: "boolean", default: false },
    },
  });
  const { "bridge-url": bridgeUrl, "chest-form": chestForm, "module-versions": moduleVersions } = values;
  const { server, config, as, undo } = values;
  return { server, config, bridgeUrl, chestForm, moduleVersions, as, undo };
}

/** Runs the command of a fix: the product's programs with what they are given here, every other one in a shell. */
export async function run(fixture: Fixture, command: string): Promise<void> {
  if (command.startsWith("npm run setup -- ")) return fixture.setUp(command);
  if (command.startsWith("npm start -- --config ")) return fixture.restartSidecar();
  const setting = /^npm run config -- (.*)$/.exec(command)?.[1];
  const shell = setting === undefined ? command : `"${process.execPath}" "${CONFIG}" ${setting}`;
  execFileSync("sh", ["-c", shell]);
  if (setting !== undefined && fixture.sidecar !== undefined) await fixture.restartSidecar();
}
