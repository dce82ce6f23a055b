import { createHmac } from "node:crypto";
import type { Config } from "./settings.ts";

/** Tells configurations apart that do not treat everybody alike, and nothing of their secrets to those without the bridge's token. */
export function digestOf({ modules: { api, web }, webhooks, messages }: Config, token: string): string {
  const { host: _host, port: _port, ...same } = api;
  return createHmac("sha256", token)
    .update(JSON.stringify([same, web, webhooks, messages]))
    .digest("hex")
    .slice(0, 16);
}
