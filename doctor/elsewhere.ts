import { type Finding, problem } from "./finding.ts";
import { commandsOf, configCommand, type Side, type Surroundings } from "./target.ts";

interface Read {
  side: Side | undefined;
  findings: Finding[];
}

/**
 * The sidecar as it is reached from here, where it runs on another machine or in another container.
 * @param name by which it is reached; undefined: on this machine, by what its configuration says
 */
export function reachedBy({ side, findings }: Read, name: string | undefined, around: Surroundings): Read {
  if (side === undefined || name === undefined) return { side, findings };
  const { config } = side;
  const { api } = config.modules;
  const modules = { ...config.modules, api: { ...api, host: name } };
  const reached = { ...side, config: { ...config, bridge: { ...config.bridge, host: name }, modules } };
  if (api.hosts.length === 0 || api.hosts.includes(name)) return { side: reached, findings };
  const what = `modules.api.hosts does not list ${name}, by which this doctor has to call the sidecar`;
  const add = configCommand(side, around, "add", "modules.api.hosts", name);
  const mend = `${add}, then ${commandsOf(side, around).restart}`;
  return { side: reached, findings: [...findings, problem("hosts", what, mend)] };
}
