import { readConfig } from "../../sidecar/config/read.ts";
import type { Config } from "../../sidecar/config/settings.ts";

type Environment = Record<string, string>;

/** The configuration of a text and an environment. @throws its errors */
export function configFrom(yaml: string, env: Environment = {}, folder = "/etc/bridge"): Config {
  const read = readConfig(yaml, env, folder);
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return read.config;
}

/** The errors of a configuration; none if it is valid. */
export function faultsFrom(yaml: string, env: Environment = {}, folder = "/etc/bridge"): string[] {
  const read = readConfig(yaml, env, folder);
  return "faults" in read ? read.faults : [];
}
