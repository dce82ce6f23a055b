import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ROOT } from "./paths.mjs";

/** @typedef {Record<string, string | undefined>} Environment */
/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * Exit code of a process that ended by itself or by a signal, as shells count it.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 * @returns {number}
 */
export function exitCode(code, signal) {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/**
 * Whether a signal has to be handed on. Ctrl-C at a terminal goes to every process there; handing it on as well
 * would look like a second Ctrl-C.
 * @param {string} signal
 * @param {{ terminal: boolean, count: number, windows: boolean }} state `count`: how often it has come, from 1
 */
export function handsOn(signal, { terminal, count, windows }) {
  if (windows) return false;
  return signal !== "SIGINT" || !terminal || count > 1;
}

/**
 * Runs a program with the streams of this one and hands signals on to it.
 * @param {string[]} args arguments of Node
 * @param {Environment} env
 * @param {string} [cwd]
 * @param {string} [node]
 * @returns {Promise<number>} exit code
 */
export function runNode(args, env, cwd = process.cwd(), node = process.execPath) {
  const child = spawn(node, args, { cwd, env, stdio: "inherit", windowsHide: true });
  return ended(child);
}

/**
 * Runs a program whose output matters only if it fails.
 * @param {string} what said before
 * @param {string} command
 * @param {string[]} args
 * @param {Environment} env
 * @returns {Promise<boolean>} false: it failed, and its output has been shown
 */
export async function runHidden(what, command, args, env) {
  process.stderr.write(`${what} ...\n`);
  const child = spawn(command, args, {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  /** @type {Buffer[]} */
  const output = [];
  child.stdout.on("data", chunk => output.push(chunk));
  child.stderr.on("data", chunk => output.push(chunk));
  const code = await ended(child);
  if (code !== 0) process.stderr.write(Buffer.concat(output));
  return code === 0;
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<number>}
 */
function ended(child) {
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY || false;
  let count = 0;
  /** @param {NodeJS.Signals} signal */
  const forward = signal => {
    count++;
    if (handsOn(signal, { terminal, count, windows: process.platform === "win32" })) child.kill(signal);
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
    child.on("error", error => {
      console.error(`${child.spawnfile}: ${error.message}`);
      settle(127);
    });
    child.on("close", (code, signal) => settle(exitCode(code, signal)));
  });
}
