import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosGame } from "./game.ts";
import type { Journal } from "./journal.ts";
import type { Reader } from "./readers.ts";
import type { Service } from "./service.ts";
import type { Visitor } from "./sockets.ts";

const LOOK_MS = 20;
const ANSWER_MS = 1_000;
/** How often it is looked whether this process runs, and what is no delay of its own work. */
const STEP_MS = 50;
const STALL_MS = 200;
const pathsOf = (server: string | undefined): string[] => [
  server === undefined ? "/status" : `/servers/${server}/status`,
  "/linked-player",
];

interface Stage {
  journal: Journal;
  /** which game server it is about; undefined: there is one alone */
  server: string | undefined;
  game: ChaosGame;
  services: readonly Service[];
  visitors: readonly Visitor[];
  readers: readonly Reader[];
  /** lines of the game so far */
  lines: { length: number };
  /** of a session that has begun */
  cookie: string;
}

interface WayBack {
  /** until everything worked, without the time in which this process could not run either */
  ms: number;
  /** what did not work in time */
  missing: string[];
}

/**
 * Waits until everything works at every sidecar: the status and a link can be asked for, a line that is said from now on reaches
 * every socket and every reader, and one of the web the game. Gives up after `patienceMs`; `missing` is what was missing after
 * `dueMs`.
 */
export async function findWayBack(
  { cookie, game, journal, lines, readers, server, services, visitors }: Stage,
  { dueMs, patienceMs }: { dueMs: number; patienceMs: number },
): Promise<WayBack> {
  const begun = journal.now();
  const stalls = watchStalls(journal);
  const passed = (): number => journal.now() - begun - stalls.ms();
  const saidBefore = lines.length;
  const hasHeard = (what: { lastLine: number }): boolean => what.lastLine > saidBefore;
  const checks: { what: string; holds: () => boolean | Promise<boolean> }[] = [
    ...services.flatMap(({ name, url }) =>
      pathsOf(server).map(path => ({
        what: `${path} of ${name}`,
        holds: () => isAnswered(`${url}${path}`, cookie),
      })),
    ),
    ...[...visitors, ...readers].map(one => ({ what: one.name, holds: () => hasHeard(one) })),
    {
      what: "a line of the web in the game",
      holds: () =>
        game.shown.slice(-50).some(({ text }) => visitors.some(one => one.hasSaidSince(text, begun))),
    },
  ];
  const missing: string[] = [];
  await Promise.all(
    checks.map(async ({ what, holds }) => {
      while (!(await holds()) && passed() < patienceMs) await sleep(LOOK_MS);
      journal.trace(`${what} works after ${Math.round(passed())} ms`);
      if (passed() > dueMs) missing.push(what);
    }),
  );
  const ms = passed();
  stalls.end();
  return { ms, missing };
}

/** Counts the time in which the machine had none for this process, and so perhaps for nobody. */
function watchStalls(journal: Journal): { ms(): number; end(): void } {
  let sum = 0;
  let last = journal.now();
  const note = (): void => {
    const late = journal.now() - last - STEP_MS;
    last = journal.now();
    if (late > STALL_MS) sum += late;
  };
  const timer = setInterval(note, STEP_MS);
  return {
    ms: () => sum,
    end: () => clearInterval(timer),
  };
}

async function isAnswered(url: string, Cookie: string): Promise<boolean> {
  try {
    const { status } = await fetch(url, { headers: { Cookie }, signal: AbortSignal.timeout(ANSWER_MS) });
    return status === 200;
  } catch {
    return false;
  }
}
