import { spawn } from "node:child_process";

// Also parsed by very old versions of Node: only syntax that they have.

/**
 * Runs a program with the streams of this process. It gets signals: Ctrl+C from the terminal, if there is one.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<number>} exit code; 1 if a signal ended it or it cannot be started
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
  // npm gives its scripts its own path. On Windows `npm` is a batch file, which needs a shell; nothing here needs quotes.
  const own = process.env.npm_execpath || "";
  if (own.endsWith("npm-cli.js")) return runNode([own, ...args], options);
  return run("npm", args, { ...options, shell: process.platform === "win32" });
}

/**
 * Installs the packages of a folder's lock file, without running their scripts.
 * @param {string} folder
 * @param {string[]} [options] of npm
 */
export const npmCi = (folder, options = []) =>
  npm(
    ["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", ...options],
    folder,
  );
