import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { systemFiles } from "../../bds/system.ts";
import { codeOf, orElse } from "../../cli/errno.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { type Environment, variableFor } from "../../sidecar/config/environment.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { readYaml } from "./sidecar-files.ts";
import { withValue } from "./yaml-edit.ts";

interface Listener {
  host: string;
  port: number;
}

/** Whether another program listens there. */
export type IsPortInUse = (listener: Listener) => Promise<boolean>;

/** The keys of the sidecar's ports. */
const PORT_KEYS = ["modules.api.port", "bridge.port"] as const;
type Ports = Record<(typeof PORT_KEYS)[number], number>;

/** The text of a new configuration. */
export interface NewConfig {
  text: string;
  /** the ports that differ from the defaults, one line each */
  portLines?: string[];
  /** a warning about the ports */
  note?: string;
}

/** Most pairs of ports, and configurations in other folders, that are checked. */
const MAX_PAIRS = 50;
const MAX_CONFIGS = 200;

export const newConfig = (): NewConfig => ({ text: defaultConfigFile() });

/**
 * A configuration for a new sidecar: with the default ports, or with the next pair that no configuration beside it and no
 * other program of this machine uses.
 * @param path of the configuration, absolute
 */
export async function newConfigWithFreePorts(
  path: string,
  env: Environment,
  isPortInUse: IsPortInUse,
): Promise<NewConfig> {
  const made = newConfig();
  const read = readConfig(made.text, env, dirname(path));
  // Variables of the environment override the file.
  if ("faults" in read || PORT_KEYS.some(key => variableFor(env, key) !== undefined)) return made;
  const usual = portsOf(read.config);
  const near = configsNear(path);
  const hosts = [read.config.modules.api.host, read.config.bridge.host];
  const findConflict = async (ports: Ports): Promise<{ who: string; where: string } | undefined> => {
    const own = Object.values(ports);
    const config = near.find(each => each.ports.some(port => own.includes(port)));
    if (config !== undefined) return { who: config.path, where: "for its sidecar" };
    for (const [place, port] of own.entries())
      if (await isPortInUse({ host: hosts[place] ?? "", port }))
        return { who: "another program", where: "on this machine" };
    return undefined;
  };
  const first = await findConflict(usual);
  if (first === undefined) return made;
  const [web, bridge] = [usual["modules.api.port"], usual["bridge.port"]];
  const conflict = `${first.who} uses port ${web} or ${bridge} ${first.where}`;
  for (let step = 1; step <= MAX_PAIRS; step++) {
    const chosen = { "modules.api.port": web + 2 * step, "bridge.port": bridge + 2 * step };
    if ((await findConflict(chosen)) !== undefined) continue;
    return {
      text: PORT_KEYS.reduce((text, key) => edited(text, key, chosen[key]), made.text),
      portLines: PORT_KEYS.map(key => `${key}: ${usual[key]} -> ${chosen[key]}`),
      note: `${conflict}: this one gets ${Object.values(chosen).join(" and ")}. If browsers reach both under one host name, give this one its own cookie name: modules.api.session-cookie.name`,
    };
  }
  return { ...made, note: `${conflict}: choose other ports, with ${PORT_KEYS.join(" and ")} in ${path}` };
}

const portsOf = ({ modules, bridge }: Config): Ports => ({
  "modules.api.port": modules.api.port,
  "bridge.port": bridge.port,
});

function edited(text: string, key: string, value: number): string {
  const after = withValue(text, key, value);
  if ("faults" in after)
    throw new RangeError(`${key} cannot be changed in a configuration of the first start`);
  return after.text;
}

/** Configurations of other sidecars in the same folder and the folders beside it, with their ports. */
function configsNear(path: string): { path: string; ports: number[] }[] {
  const [folder, name] = [dirname(path), basename(path)];
  const here = namesIn(folder).filter(each => /\.ya?ml$/.test(each) && each !== name);
  const beside = namesIn(dirname(folder)).filter(each => each !== basename(folder));
  const paths = [
    ...here.map(each => join(folder, each)),
    ...beside.map(each => join(dirname(folder), each, name)),
  ];
  return paths.slice(0, MAX_CONFIGS).flatMap(each => {
    const ports = portsIn(each);
    return ports === undefined ? [] : [{ path: each, ports }];
  });
}

const namesIn = (folder: string): string[] => orElse(() => systemFiles.list(folder), []);

/** The ports in a file; undefined: it is not a configuration of a sidecar, or cannot be read. */
const portsIn = (path: string): number[] | undefined =>
  orElse(() => {
    const yaml = (systemFiles.kindOf(path) === "file" ? readYaml(path) : undefined) ?? "";
    // Any text may be valid YAML without these keys.
    const read = readFileValues(yaml).values.size > 0 && readConfig(yaml, {}, dirname(path));
    return read && "config" in read ? Object.values(portsOf(read.config)) : undefined;
  }, undefined);

/** Whether another program of this machine listens on a port; false if that is not known. */
export const isPortInUse: IsPortInUse = ({ host, port }) =>
  new Promise(resolve => {
    const server = createServer();
    server.once("error", error => resolve(codeOf(error) === "EADDRINUSE"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(false)));
  });
