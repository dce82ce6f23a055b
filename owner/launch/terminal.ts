import { spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { inTerminal } from "../../bds/terminal.ts";
import { orElse } from "../../cli/errno.ts";
import { within } from "../../cli/within.ts";

/** How long it may take to make a terminal, in milliseconds. */
const OPEN_MS = 5_000;

/** A terminal for the output of a game, which holds its lines back without one until some KB are full. */
export interface Terminal {
  /** for the output of a process */
  readonly fd: number;
  /** what that process prints */
  readonly output: Readable;
  /** Closes the descriptor here, once the process has it. */
  release(): void;
  /** Ends the output after what has been printed. */
  end(): void;
}

/**
 * Makes a terminal with util-linux' `script`; undefined: without that, `stty` or `/dev/pts` it is not possible. Nothing but the
 * output depends on it: the game is no child of `script`, which kills its child two seconds after a SIGTERM to all processes, as at a
 * shutdown of the machine.
 */
export async function openTerminal(): Promise<Terminal | undefined> {
  // It lives until descriptor 4 is closed here. Raw: the terminal changes no byte.
  const [file, ...args] = inTerminal("stty raw -echo && tty >&3 && exec 3>&- <&4 &&", ["cat"]);
  const holder = spawn(file, args, {
    // It runs its command with this shell, which service users may not have.
    env: { ...(process.env.PATH !== undefined && { PATH: process.env.PATH }), SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "ignore", "pipe", "pipe"],
    detached: true,
  });
  const [stdin, output, , path, life] = holder.stdio;
  for (const each of [stdin, life]) each?.on("error", () => undefined);
  const named = new Promise<string>(resolve => {
    path?.once("data", bytes => resolve(String(bytes).trim()));
    holder.once("error", () => resolve("")).once("exit", () => resolve(""));
  });
  const name = await within(named, OPEN_MS);
  const fd = orElse(() => openSync(name ?? "", constants.O_RDWR | constants.O_NOCTTY), undefined);
  if (fd === undefined || output === null) {
    holder.kill("SIGKILL");
    return undefined;
  }
  return {
    fd,
    output,
    release: () => closeSync(fd),
    end: () => holder.stdio[4]?.destroy(),
  };
}
