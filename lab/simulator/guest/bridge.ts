import type { Boot, Host } from "./host.ts";

/** The host of this guest, and what the guest was started with: there before anything else runs. */
export let host: Host;
export let boot: Boot;

/** Connects the guest to its host; done once. */
export function connect(to: Host, started: Boot): void {
  host = to;
  boot = started;
}
