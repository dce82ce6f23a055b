import { problem } from "./finding.ts";
import type { SideRead } from "./sidecar.ts";
import { commandsOf, configCommand, type Surroundings } from "./target.ts";

/**
 * The sidecar as it is reached from here, where it runs on another machine or in another container.
 * @param name by which it is reached
 */
export function reachedBy({ side, findings }: SideRead, name: string, around: Surroundings): SideRead {
  if (side === undefined) return { side, findings };
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
