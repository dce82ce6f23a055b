import type { Probe, Run, Seen } from "./probe.ts";
import type { Answer } from "./report.ts";

/** What the command itself asks, beside the tables of probes. */
export type OwnProbe = Omit<Probe, "ask">;

const own = (
  id: string,
  run: Run,
  assumes: string,
  how: string,
  kind: Probe["kind"] = "promise",
): OwnProbe => ({ id, kind, run, assumes, how, rows: [] });

/** What the command asks itself, by id. */
export const OWN = {
  firstStart: own(
    "first-start",
    "plain",
    "the first start makes a world and says on which port players come and that it has started",
    "the copied program is started without a world",
  ),
  startTime: own(
    "start-time",
    "plain",
    "a start takes less than a minute",
    "from the start of the process to the line that it has started, of each start but the first",
    "inference",
  ),
  setup: own(
    "setup",
    "plain",
    "setup finds all that it needs in a server that was started once and stopped",
    "setup's own code is run on the copy",
  ),
  packConnects: own(
    "pack-connects",
    "plain",
    "the pack loads with the versions of modules that it comes with, and connects",
    "the sidecar is asked over HTTP whether it is ready, for 30 seconds",
  ),
  moduleVersions: own(
    "module-versions",
    "plain",
    "the pack loads with 1.0.0-beta, too, where a game does not take beta",
    "setup is run with --module-versions 1.0.0-beta, and the server started again",
  ),
  doctor: own(
    "doctor",
    "plain",
    "the doctor has nothing to mend when setup was run and both sides run",
    "all checks of the doctor look at the copy and at the sidecar beside it",
  ),
  stays: own(
    "stays-up",
    "plain",
    "a server with online-mode off runs until it is stopped",
    "its process is looked at for as long as it is asked",
  ),
  staysProbes: own(
    "stays-up-probes",
    "probes",
    "a server that is asked much runs until it is stopped",
    "its process is looked at for as long as it is asked",
  ),
  stop: own(
    "stop",
    "plain",
    "the server ends within 20 seconds of stop on its console, with the pack connected",
    "stop is typed, and the process waited for",
  ),
  undo: own(
    "setup-undo",
    "plain",
    "undo gives back byte for byte what setup has changed, after the server has run",
    "setup's own undo is run on the copy, and each file compared",
  ),
  probesConnect: own(
    "probes-load",
    "probes",
    "the pack loads with the probes in its script, and with server-gametest",
    "the script of the probes says on the console that it is ready",
  ),
  online: own(
    "online-connects",
    "online",
    "the pack connects to its sidecar in a server with online-mode and allow-list on",
    "a copy is started with both on, and the sidecar asked whether it is ready",
  ),
  original: own(
    "original-untouched",
    "plain",
    "nothing in the folder or file that was named is changed",
    "names, sizes, times and small files are compared before and after",
  ),
} satisfies Record<string, OwnProbe>;

export const held = (seen: string): Seen => ({ state: "held", seen });
export const broken = (seen: string): Seen => ({ state: "broken", seen });
export const skipped = (why: string): Seen => ({ state: "skipped", why });

/** The answers of a trial, as they come. */
export interface Answers {
  readonly all: readonly Answer[];
  add(probe: OwnProbe, seen: Seen, ms?: number): void;
  has(probe: OwnProbe): boolean;
  /** whether it was asked for */
  wants(probe: Pick<OwnProbe, "id">): boolean;
}

/** @param only ids that were asked for; undefined: all */
export function createAnswers(only: ReadonlySet<string> | undefined): Answers {
  const all: Answer[] = [];
  const wants: Answers["wants"] = ({ id }) => only?.has(id) !== false;
  return {
    ...{ all, wants },
    add({ id, kind, assumes, how, run }, seen, ms = 0) {
      if (!wants({ id }) && seen.state !== "broken") return;
      const said = seen.state === "skipped" ? seen.why : seen.seen;
      all.push({ id, kind, assumes, how, run, state: seen.state, said, ms: Math.round(ms) });
    },
    has: ({ id }) => all.some(answer => answer.id === id),
  };
}
