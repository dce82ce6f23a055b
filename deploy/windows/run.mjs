// Runs the sidecar for the Task Scheduler, which keeps no output: it goes into a log file in the current folder.
// Ends with the exit code of the sidecar. Arguments are handed on to it, after --task <name of the task>.
import { spawn } from "node:child_process";
import { openSync, renameSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const LOG = "web-bridge.log";
/** A log larger than this is put aside at the next start, in the place of the one before it. */
const LARGEST = 10 * 1024 * 1024;

if ((statSync(LOG, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(LOG, `${LOG}.old`);
const log = openSync(LOG, "a", 0o600);

const main = fileURLToPath(new URL("../../main.js", import.meta.url));
const [option, name, ...rest] = process.argv.slice(2);
const isNamed = option === "--task" && name !== undefined;
const args = [main, "--config", resolve("config.yml"), ...(isNamed ? rest : process.argv.slice(2))];
// Setup and doctor read it in the data, so that they tell to restart this task.
const env = { ...process.env, ...(isNamed && { WEB_BRIDGE_RUN_BY: `task:${name}` }) };
// On Windows the end of this process ends the sidecar with it.
const sidecar = spawn(process.execPath, args, { stdio: ["ignore", log, log], windowsHide: true, env });
sidecar.on("error", () => process.exit(1));
sidecar.on("exit", code => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => sidecar.kill(signal));
