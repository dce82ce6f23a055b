import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";

// Also read by versions of Node that are too old for all else: no syntax that they lack.

/** @typedef {Record<string, string | undefined>} Environment */

/**
 * Runs Node with the streams of this process. Signals reach it.
 * @param {string[]} args
 * @param {Environment} [env]
 * @param {string} [cwd]
 * @param {string} [node]
 * @returns {Promise<number>} exit code, 128 + n for signal n, 127 where it could not be started
 */
export function runNode(args, env = process.env, cwd = process.cwd(), node = process.execPath) {
  const child = spawn(node, args, { cwd, env, stdio: "inherit", windowsHide: true });
  const isTerminal = [process.stdin, process.stdout, process.stderr].some(stream => stream.isTTY);
  /** @param {NodeJS.Signals} signal */
  const forward = signal => {
    // A terminal sends Ctrl+C to all of its processes. A second one would end the program at once; on Windows every signal does.
    if (process.platform !== "win32" && (signal !== "SIGINT" || !isTerminal)) child.kill(signal);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  return new Promise(resolve => {
    /** @param {number} code */
    const settle = code => {
      for (const signal of signals) process.off(signal, forward);
      resolve(code);
    };
    child.once("error", error => {
      console.error(`${node}: ${error.message}`);
      settle(127);
    });
    child.once("close", (code, signal) =>
      settle(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}

/**
 * Installs what the lock file of a folder names, without running anything that comes with it.
 * @param {string} folder
 * @returns {string | undefined} npm's output where it fails
 */
export function npmCi(folder) {
  const args = ["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
  // npm names itself to its scripts. On Windows the command `npm` is a batch file, which takes a shell; nothing here needs quoting.
  const own = process.env.npm_execpath;
  const [command, first, shell] =
    own !== undefined && /npm-cli\.js$/.test(own)
      ? [process.execPath, [own], false]
      : ["npm", [], process.platform === "win32"];
  const { status, error, stdout, stderr } = spawnSync(command, [...first, ...args], {
    cwd: folder,
    // A mode for production would leave out what builds and tests.
    env: { ...process.env, NODE_ENV: undefined },
    encoding: "utf8",
    shell,
    windowsHide: true,
  });
  return status === 0 ? undefined : (error?.message ?? `${stdout}${stderr}`.trim());
}
