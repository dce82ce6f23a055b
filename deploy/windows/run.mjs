// Runs the sidecar for the Task Scheduler, which keeps no output: it goes into a log file in the current folder.
// Ends with the exit code of the sidecar. Arguments are handed on to it.
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
const args = [main, "--config", resolve("config.yml"), ...process.argv.slice(2)];
// On Windows the end of this process ends the sidecar with it.
const sidecar = spawn(process.execPath, args, { stdio: ["ignore", log, log], windowsHide: true });
sidecar.on("error", () => process.exit(1));
sidecar.on("exit", code => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => sidecar.kill(signal));
