import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { configOption, homeConfig, rootOfSidecar } from "./commands.ts";
import { orElse } from "./errno.ts";
import { type RunBy, readRunBy } from "./run-by.ts";
import { RUN_BY } from "./variables.ts";

/** A sidecar that runs on this machine. */
export interface RunningSidecar {
  /** folder of its archive or repository, without symbolic links */
  root: string;
  /** its configuration, without symbolic links */
  configFile: string;
  /** what runs it; undefined: it was started by hand */
  runBy: RunBy | undefined;
}

/** The sidecar of a process; undefined: the process is not a sidecar or cannot be inspected, for example in a container. */
export function sidecarAt(pid: number): RunningSidecar | undefined {
  try {
    const partsOf = (name: string): string[] => readFileSync(`/proc/${pid}/${name}`, "utf8").split("\0");
    const words = partsOf("cmdline");
    const place = words.findIndex(word => basename(word) === "main.js");
    if (place < 0) return undefined;
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    const root = rootOfSidecar(realpathSync(resolve(cwd, words[place] ?? "")));
    const pairs = partsOf("environ").map(pair => pair.split(/=(.*)/s, 2));
    const env: Record<string, string | undefined> = Object.fromEntries(pairs);
    const options = { config: { type: "string", default: homeConfig(root, env, cwd) } } as const;
    const args = words.slice(place + 1).filter(word => word !== "");
    const { values } = parseArgs({ args, options, strict: false, allowPositionals: true });
    const path = resolve(cwd, String(values.config));
    if (!existsSync(path)) return undefined;
    return { root, configFile: realpathSync(path), runBy: readRunBy(env[RUN_BY]) };
  } catch {
    return undefined;
  }
}

/**
 * Lines that name the configurations of running sidecars of this archive, when a program was called without `--config` and
 * none of them uses the default one.
 * @param root folder of the archive or the repository
 * @param config the configuration that the program uses
 */
export function usedInstead(root: string, config: string): string[] {
  if (resolve(config) !== homeConfig(root, {})) return [];
  const real = (path: string): string => orElse(() => realpathSync(path), resolve(path));
  const processes = orElse(() => readdirSync("/proc"), []).filter(name => /^\d+$/.test(name));
  const used = processes.flatMap(name => {
    const running = sidecarAt(Number(name));
    return running?.root === real(root) ? [{ ...running, pid: name }] : [];
  });
  if (used.some(({ configFile }) => configFile === real(config))) return [];
  const once = used.filter(
    (each, i) => used.findIndex(({ configFile }) => configFile === each.configFile) === i,
  );
  return once.map(
    ({ configFile, pid }) =>
      `the running sidecar (process ${pid}) uses ${configFile}: to work with that one, add${configOption(configFile, { home: "" })}`,
  );
}
