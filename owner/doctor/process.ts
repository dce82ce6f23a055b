import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_CONFIG } from "../../cli/arguments.ts";
import { type RunBy, readRunBy } from "../../cli/run-by.ts";
import { RUN_BY } from "../../sidecar/config/read.ts";

/** A sidecar that runs on this machine. */
export interface RunningSidecar {
  /** its configuration, without symbolic links */
  configFile: string;
  /** what runs it; undefined: somebody has started it by hand */
  runBy: RunBy | undefined;
}

/** The sidecar that a process is; undefined: it is none, or that cannot be seen, such as in a container. */
export function sidecarAt(pid: number): RunningSidecar | undefined {
  try {
    const partsOf = (name: string): string[] => readFileSync(`/proc/${pid}/${name}`, "utf8").split("\0");
    const words = partsOf("cmdline");
    const program = words.findIndex(word => basename(word) === "main.js");
    if (program < 0) return undefined;
    const options = { config: { type: "string", default: DEFAULT_CONFIG } } as const;
    const args = words.slice(program + 1).filter(word => word !== "");
    const { values } = parseArgs({ args, options, strict: false, allowPositionals: true });
    const path = resolve(readlinkSync(`/proc/${pid}/cwd`), String(values.config));
    if (!existsSync(path)) return undefined;
    const mark = `${RUN_BY}=`;
    const told = partsOf("environ").find(pair => pair.startsWith(mark));
    return { configFile: realpathSync(path), runBy: readRunBy(told?.slice(mark.length)) };
  } catch {
    return undefined;
  }
}
