import type { Boot, Host } from "./host.ts";

/** The host of this guest and its start options, available before anything else runs. */
export let host: Host;
export let boot: Boot;

/** Connects the guest to its host, once. */
export function connect(to: Host, started: Boot): void {
  host = to;
  boot = started;
}
