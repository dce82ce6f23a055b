/** Where the script is running: at load, in a before-event callback, or anywhere else. */
type Mode = "early" | "restricted" | "normal";

/** The mode the script runs in now. Read directly, because every guarded read does. */
export let mode: Mode = "early";

/** Changes the mode for everything that follows. */
export function enterMode(next: Mode): void {
  mode = next;
}

/** Runs a function in a mode and goes back to the mode before, whatever happens. */
export function withMode<T>(next: Mode, run: () => T): T {
  const before = mode;
  mode = next;
  try {
    return run();
  } finally {
    mode = before;
  }
}

/**
 * Throws as the engine does unless the current mode is allowed.
 * @param modes the additional modes: any of `r` (restricted) and `e` (early). Normal is always allowed.
 * @param what the member as the engine prints it, for example `function [World::sendMessage]`.
 */
export function requireMode(modes: string, what: string): void {
  if (mode === "normal") return;
  if (modes.includes(mode === "early" ? "e" : "r")) return;
  throw new ReferenceError(`Native ${what} cannot be used in ${mode} execution`);
}
