/** Where the script is running: at load, in a before-event callback, or elsewhere. */
type Mode = "early" | "restricted" | "normal";

/** The current mode. A plain variable, because every guarded read uses it. */
export let mode: Mode = "early";

/** Sets the mode. */
export function enterMode(next: Mode): void {
  mode = next;
}

/** Runs a function in a mode and restores the previous mode. */
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
 * Throws as the engine does if the current mode is not allowed.
 * @param modes the additional modes: any of `r` (restricted) and `e` (early). Normal is always allowed.
 * @param what the member as the engine prints it, for example `function [World::sendMessage]`.
 */
export function requireMode(modes: string, what: string): void {
  if (mode === "normal") return;
  if (modes.includes(mode === "early" ? "e" : "r")) return;
  throw new ReferenceError(`Native ${what} cannot be used in ${mode} execution`);
}
