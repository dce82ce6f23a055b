import { type Ear, judgeOrder, type Violation } from "./order.ts";

/** One stay of a fact at a sidecar process: when it was first sent there, and when it was first acknowledged by it. */
export interface Passage {
  life: number;
  handedAt: number;
  ackedAt: number | undefined;
}

export interface SaidLine {
  text: string;
  at: number;
  /** number of the run of the game */
  run: number;
  passages: readonly Passage[];
}

/** A run of the game. */
export interface GameRun {
  number: number;
  /** undefined: it was there at the end */
  endedAt: number | undefined;
  /** lines that its console said were dropped */
  dropped: number;
}

/** A process of the sidecar. */
export interface SidecarLife {
  number: number;
  /** when it was ready; undefined: not yet */
  readyAt: number | undefined;
  /** when it was asked to stop in an orderly way, if it was */
  stopAskedAt: number | undefined;
}

interface GameLines {
  violations: Violation[];
  /** not acknowledged when their game ended, which loses them */
  lostWithGame: number;
  /** acknowledged when no socket was open */
  unheard: number;
}

const acked = (line: SaidLine): boolean => line.passages.some(({ ackedAt }) => ackedAt !== undefined);

/**
 * Game lines reach each connection once and in order. What a sidecar has acknowledged has gone to every connection that was
 * open all the while (FACT-3); what it has not acknowledged comes again (FACT-4). Lines may be missing only where the console
 * said that they were dropped (FACT-8), at the end of a run of the game that did not get to send them, and where no
 * connection was open. Of several sidecars, one that is cut off or frozen tells later what another one has acknowledged: a
 * connection that ends within `slackMs` may have missed it, but not when it was told of what came after it.
 */
export function judgeGameLines(
  lines: readonly SaidLine[],
  ears: readonly Ear[],
  runs: readonly GameRun[],
  lives: readonly SidecarLife[],
  slackMs = 0,
): GameLines {
  const said = lines.map(({ text }) => text);
  const violations = ears.flatMap(ear => judgeOrder(ear.name, said, ear.heard));
  const heardBy = new Map(ears.map(ear => [ear, new Set(ear.heard.map(({ text }) => text))]));
  const place = new Map(said.map((text, index) => [text, index]));
  const lastOf = new Map(ears.map(ear => [ear, place.get(ear.heard.at(-1)?.text ?? "") ?? -1]));
  const wentOn = (ear: Ear, line: SaidLine): boolean =>
    slackMs > 0 && (lastOf.get(ear) ?? -1) > (place.get(line.text) ?? 0);
  const stopping = new Map(lives.map(({ number, stopAskedAt }) => [number, stopAskedAt]));
  let unheard = 0;
  for (const line of lines) {
    const heard = ears.some(ear => heardBy.get(ear)?.has(line.text));
    if (acked(line) && !heard) unheard++;
    for (const { life, handedAt, ackedAt } of line.passages) {
      if (ackedAt === undefined) continue;
      for (const ear of ears)
        if (
          ear.life === life &&
          ear.from < handedAt &&
          (ear.until > ackedAt + slackMs || wentOn(ear, line)) &&
          !heardBy.get(ear)?.has(line.text)
        )
          violations.push({ at: ackedAt, what: `${ear.name}: "${line.text}" did not come` });
      const stopAskedAt = stopping.get(life);
      if (!heard && stopAskedAt !== undefined && ackedAt > stopAskedAt)
        violations.push({
          at: ackedAt,
          what: `"${line.text}" was taken by a sidecar that let go of its sockets`,
        });
    }
  }
  const ofRuns = runs.map(run =>
    judgeRun(
      run,
      lines.filter(line => line.run === run.number),
    ),
  );
  return {
    violations: [...violations, ...ofRuns.flatMap(({ missing }) => missing)],
    lostWithGame: ofRuns.reduce((sum, { lost }) => sum + lost, 0),
    unheard,
  };
}

function judgeRun(run: GameRun, lines: readonly SaidLine[]): { missing: Violation[]; lost: number } {
  const last = lines.findLastIndex(acked);
  const skipped = lines.slice(0, Math.max(0, last)).filter(line => !acked(line));
  const rest = lines.slice(last + 1);
  const lost = run.endedAt === undefined ? skipped : [...skipped];
  if (run.endedAt === undefined) lost.push(...rest);
  const missing = lost.slice(run.dropped).map(({ at, text }) => ({
    at,
    what: `"${text}" never reached the sidecar and was not announced as dropped`,
  }));
  return { missing, lost: run.endedAt === undefined ? 0 : rest.length };
}
