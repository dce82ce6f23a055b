import { Contract } from "../../lab/reference/contract.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { asyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import { openApi } from "../../sidecar/routes.ts";

const served = new Map<string, Config["modules"]["api"]>();
const byConfig = new WeakMap<Config["modules"]["api"], Contract>();
/** By the text of the settings: many services have the same ones, and schemas take long to compile. */
const byText = new Map<string, Contract>();

/**
 * Registers the configuration of a service by its address, so that it is checked against its own documents.
 * Returns a function that undoes this.
 */
export function serves(base: string, api: Config["modules"]["api"]): () => void {
  const { host } = new URL(base);
  served.set(host, api);
  return () => void (served.get(host) === api && served.delete(host));
}

/** The documents of the service at an address; those of the default configuration if none is registered. */
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
