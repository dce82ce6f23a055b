// Runs the sidecar for the Task Scheduler, which discards output: this writes it to a log file in the current folder.
// Exits with the exit code of the sidecar. Arguments after --task <name of the task> are passed to the sidecar.
import { spawn } from "node:child_process";
import { openSync, renameSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const LOG = "web-bridge.log";
/** A log larger than this, in bytes, is renamed at the next start, replacing the previous old one. */
const LARGEST = 10 * 1024 * 1024;

if ((statSync(LOG, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(LOG, `${LOG}.old`);
const log = openSync(LOG, "a", 0o600);

const main = fileURLToPath(new URL("../../main.js", import.meta.url));
const [option, name, ...rest] = process.argv.slice(2);
const isNamed = option === "--task" && name !== undefined;
const args = [main, "--config", resolve("config.yml"), ...(isNamed ? rest : process.argv.slice(2))];
// The sidecar stores this in its data folder, so that setup and doctor print the right restart command.
const env = { ...process.env, ...(isNamed && { WEB_BRIDGE_RUN_BY: `task:${name}` }) };
// On Windows the sidecar ends together with this process.
const sidecar = spawn(process.execPath, args, { stdio: ["ignore", log, log], windowsHide: true, env });
sidecar.on("error", () => process.exit(1));
sidecar.on("exit", code => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => sidecar.kill(signal));
