import { lastLines } from "./console.ts";
import { within } from "./game-process.ts";
import type { Answers } from "./own.ts";
import { broken, held, skipped } from "./own.ts";
import type { Probe, ProbeHost, ScriptSide, Seen, Trial } from "./probe.ts";
import { endedFault, type Ready } from "./ready.ts";
import { READY } from "./script-side.ts";
import type { Stage } from "./stage.ts";
import { readBelow } from "./world.ts";

/** How long a probe may take, in milliseconds; and the one of an hour. */
const PROBE_MS = 120_000;
const LONG_MS = 70 * 60_000;
/** How long the script may take to load after the server has started. */
const SCRIPT_MS = 30_000;

/** What a trial is made of. */
interface TrialParts {
  platform: Trial["platform"];
  stage: Stage;
  host: ProbeHost;
  script: (ScriptSide & { gone(): void }) | undefined;
  now(): number;
  /** is told of each start that a probe has made */
  started(ready: Ready): void;
}

/** What the probes of a run have at hand. `undo`: what is done at the end of the run. */
export function createTrial(parts: TrialParts): Trial & { undoAll(): Promise<void> } {
  const { platform, stage, host, script, now, started } = parts;
  const undos: (() => Promise<void> | void)[] = [];
  return {
    platform,
    console: stage.console,
    ...{ host, script, now },
    web: { url: stage.side.url, key: stage.side.key },
    read: path => readBelow(stage.folder, path),
    async restart(by) {
      const since = stage.console.lines.length;
      if (by === "kill") await stage.kill();
      else await stage.stop();
      started(await stage.start(script?.gone));
      if (script !== undefined && (await stage.console.line(READY, SCRIPT_MS, since)) === undefined)
        throw new Error("the script did not load again after the restart");
    },
    atEnd: undo => void undos.push(undo),
    async undoAll() {
      for (const undo of undos.reverse())
        try {
          await undo();
        } catch {
          // What it was for goes with the copy.
        }
    },
  };
}

/** Asks probes one after the other. A server that has ended by itself is asked no more. */
export async function askAll(
  probes: readonly Probe[],
  trial: Trial,
  stage: Stage,
  answers: Answers,
  tell: (probe: Probe, place: number) => void,
): Promise<void> {
  for (const [place, probe] of probes.entries()) {
    const gone = goneBy(stage);
    if (gone !== undefined) {
      answers.add(probe, skipped(gone));
      continue;
    }
    tell(probe, place);
    const begun = trial.now();
    const seen = await askOne(probe, trial);
    // That it ended is told once, by whoever looks after its process.
    const isLost = seen.state === "broken" && endOf(stage) !== undefined;
    answers.add(
      probe,
      isLost ? skipped("the server ended by itself while it was asked") : seen,
      trial.now() - begun,
    );
  }
}

/** Why nothing can be asked any more; undefined: both sides run. */
function goneBy(stage: Stage): string | undefined {
  const { game, sideEnd } = stage;
  if (game?.end !== undefined) return "the server had ended by then";
  return sideEnd === undefined ? undefined : "the sidecar had ended by then";
}

async function askOne(probe: Probe, trial: Trial): Promise<Seen> {
  const most = probe.run === "long" ? LONG_MS : PROBE_MS;
  try {
    const seen = await within(probe.ask(trial), most);
    return seen ?? broken(`no answer within ${most / 60_000} minutes`);
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error));
  }
}

/** How a server has ended by itself, with its last words; undefined: it runs, or was stopped. */
function endOf(stage: Stage): string | undefined {
  const { game, console } = stage;
  if (game?.end === undefined || game.end.isAsked) return undefined;
  return [endedFault(game, console).message, ...lastLines(console, 3)].join("; ");
}

/** Whether a server has run for as long as nobody stopped it. */
export function staysSeen(stage: Stage): Seen {
  const end = endOf(stage);
  return end === undefined
    ? held(`it ran for ${Math.round(stage.longestMs() / 1000)} s, until it was stopped`)
    : broken(end);
}
