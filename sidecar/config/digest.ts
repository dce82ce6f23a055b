import { createHash } from "node:crypto";
import type { Config } from "./settings.ts";

/** Tells configurations apart that do not treat everybody alike. */
export function digestOf({ modules: { api, web }, webhooks, messages }: Config): string {
  const { host: _host, port: _port, ...same } = api;
  return createHash("sha256")
    .update(JSON.stringify([same, web, webhooks, messages]))
    .digest("hex")
    .slice(0, 16);
}
