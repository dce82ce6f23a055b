import type { Boot, Host } from "./host.ts";

let connected: { readonly host: Host; readonly boot: Boot } | undefined;

/** Connects the guest to its host; done once, before anything else runs. */
export function connect(host: Host, boot: Boot): void {
  connected = { host, boot };
}

/** The host of this guest. */
export function host(): Host {
  if (!connected) throw new Error("simulator: the guest is not connected");
  return connected.host;
}

/** What the guest was started with. */
export function boot(): Boot {
  if (!connected) throw new Error("simulator: the guest is not connected");
  return connected.boot;
}
