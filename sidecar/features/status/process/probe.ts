import type { ProcessFigures, ProcessProbe } from "../../../kernel/bridge/ports.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { type Machine, thisMachine } from "./machine.ts";

/** Figures when the process is not visible. */
export const NOT_VISIBLE: ProcessFigures = { memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 };

/** Timeout of the machine's queries, in milliseconds. */
const DEADLINE_MS = 5000;

/** Readings closer than this, in milliseconds, return the same figures: CPU is measured over an interval. */
const MIN_INTERVAL_MS = 1000;

/** How long a found process is used without a new search, in milliseconds: another one may start beside it. */
const KNOWN_MS = 60_000;

const MIB = 1024 * 1024;

interface ProcessReading {
  pid: number;
  at: number;
  cpuMs: number;
  figures: ProcessFigures;
}

/** A game server that `launch` has started. */
export interface LaunchedGame {
  /** its process id; undefined: it does not run */
  pid?: number | undefined;
}

interface ProbeOptions {
  /** `auto`, a process id, or the path of a pid file, as in the setting `server.process` */
  process: string;
  /** folder of the sidecar's data, as in the setting `storage.folder` */
  storage: string;
  /** name of the game server in `servers` of the configuration; undefined: the first one */
  name?: string | undefined;
  /** this game server, if `launch` runs it: `auto` is then its process, without a search */
  launchedGame?(): LaunchedGame | undefined;
  clock: Clock;
  log: Pick<Log, "warn">;
  machine?: Machine;
}

/** Measures the process of the game server, and finds it again after a restart. */
export function createProcessProbe({
  process,
  storage,
  name,
  launchedGame = () => undefined,
  clock,
  log,
  machine = thisMachine,
}: ProbeOptions): ProcessProbe {
  let last: ProcessReading | undefined;
  let foundAt = 0;
  let hasWarned = false;
  let running: Promise<ProcessFigures> | undefined;

  async function findPid(): Promise<number | undefined> {
    if (/^\d+$/.test(process)) return Number(process);
    if (process !== "auto") return pidIn(await machine.readPidFile(process));
    const launched = launchedGame();
    if (launched !== undefined) return launched.pid;
    const isKnown = last !== undefined && clock.monotonic() - foundAt < KNOWN_MS;
    if (last !== undefined && isKnown && (await machine.isServer(last.pid))) return last.pid;
    const [pid, ...others] = await machine.findServers(storage, name);
    foundAt = clock.monotonic();
    if (others.length === 0) return pid;
    if (!hasWarned)
      log.warn(
        { processes: [pid, ...others] },
        "Several game servers run here: set server.process to select the one whose memory and CPU are shown",
      );
    hasWarned = true;
    return undefined;
  }

  async function measure(): Promise<ProcessFigures> {
    const pid = await findPid();
    if (pid === undefined) return forget();
    const [usage, limit] = await Promise.all([machine.usage(pid), machine.memoryLimit(pid)]);
    const before = last?.pid === pid ? last : undefined;
    const at = clock.monotonic();
    const figures = {
      memoryUsedMB: Math.round(usage.memory / MIB),
      memoryMaxMB: Math.round(limit / MIB),
      cpuUsage: before === undefined ? -1 : share(usage.cpuMs - before.cpuMs, at - before.at, machine.cores),
    };
    last = { pid, at, cpuMs: usage.cpuMs, figures };
    return figures;
  }

  function forget(): ProcessFigures {
    last = undefined;
    return NOT_VISIBLE;
  }

  return {
    read() {
      const age = last === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - last.at;
      if (last !== undefined && age < MIN_INTERVAL_MS) return Promise.resolve(last.figures);
      // One measurement at a time, even if the machine does not answer: they must not pile up.
      running ??= measure()
        .catch(forget)
        .finally(() => {
          running = undefined;
        });
      return within(DEADLINE_MS, running, clock);
    },
  };
}

/** The process id in a pid file, if any. */
function pidIn(text: string): number | undefined {
  const id = Number(/^\s*(\d{1,10})\s*$/.exec(text)?.[1]);
  return id > 0 ? id : undefined;
}

/** CPU time as a percentage of all processors, 0 to 100; -1 if unknown. */
function share(usedMs: number, passedMs: number, cores: number): number {
  if (usedMs < 0 || passedMs <= 0) return -1;
  const percent = Math.min(100, (usedMs / (passedMs * cores)) * 100);
  return Math.round(percent * 10) / 10;
}

function within(ms: number, figures: Promise<ProcessFigures>, clock: Clock): Promise<ProcessFigures> {
  return new Promise(resolve => {
    const cancel = clock.after(ms, () => resolve(NOT_VISIBLE));
    void figures.then(read => {
      cancel();
      resolve(read);
    });
  });
}
