import { Contract } from "../../lab/reference/contract.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { asyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import { openApi } from "../../sidecar/routes.ts";

const served = new Map<string, Config["modules"]["api"]>();
const byConfig = new WeakMap<Config["modules"]["api"], Contract>();
/** By the settings' text: many services run under the same ones, and schemas take their time to compile. */
const byText = new Map<string, Contract>();

/**
 * Says under which configuration a service runs, by its address, so that it is held to the documents that it serves.
 * Returns what takes that back.
 */
export function serves(base: string, api: Config["modules"]["api"]): () => void {
  const { host } = new URL(base);
  served.set(host, api);
  return () => void (served.get(host) === api && served.delete(host));
}

/** The documents of the service at an address; those of the defaults where nothing else was said. */
export function contractOf(base: string): Contract {
  const api = served.get(new URL(base).host) ?? defaults;
  const known = byConfig.get(api);
  if (known) return known;
  const text = JSON.stringify(api);
  const contract = byText.get(text) ?? new Contract(openApi(api), asyncApi(api));
  byText.set(text, contract);
  byConfig.set(api, contract);
  return contract;
}

const read = readConfig("", {}, "/nowhere");
if ("faults" in read) throw new Error(read.faults.join("\n"));
const defaults = read.config.modules.api;
