import { spawn } from "node:child_process";

// Also read by versions of Node that are too old for all else: no syntax that they lack.

/**
 * Runs a program with the streams of this process. Signals reach it: Ctrl+C by the terminal, if there is one.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<number>} exit code; 1 for a program that a signal ended or that cannot be started
 */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: "inherit", windowsHide: true, ...options });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  return new Promise(resolve => {
    child.once("error", error => {
      console.error(`${command}: ${error.message}`);
      resolve(1);
    });
    child.once("close", code => resolve(code === null ? 1 : code));
  });
}

/** Runs Node. @param {string[]} args @param {import("node:child_process").SpawnOptions} [options] */
export const runNode = (args, options) => run(process.execPath, args, options);

/**
 * Runs npm, with its output on this process's standard error.
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd, stdio: ["ignore", 2, 2] };
  // npm names itself to its scripts. On Windows the command `npm` is a batch file, which takes a shell; nothing here needs quoting.
  const own = process.env.npm_execpath || "";
  if (own.endsWith("npm-cli.js")) return runNode([own, ...args], options);
  return run("npm", args, { ...options, shell: process.platform === "win32" });
}

/**
 * Installs the packages of a folder's lock file, without running their scripts.
 * @param {string} folder
 */
export const npmCi = folder =>
  npm(["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
