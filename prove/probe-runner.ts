import { messageOf } from "../cli/errno.ts";
import { within } from "../cli/within.ts";
import { CannotRun, type Level, type Probe, Skipped, type TestEnvironment } from "./probe.ts";

/** Longest time for a probe, in milliseconds. */
const PROBE_MS = 120_000;
const MAX_SEEN = 1_000;

export interface ProbeResult {
  readonly id: string;
  readonly state: "ok" | "failed" | "skipped";
  readonly expect: string;
  /** what was seen, or why the probe was skipped */
  readonly seen: string;
  readonly why: string;
  readonly ms: number;
}

/** The probes that lead to a level. */
const STEPS: Readonly<Record<Level, readonly string[]>> = {
  world: ["first-start"],
  installed: ["first-start", "setup"],
  pack: ["first-start", "setup", "pack-connects", "module-versions"],
  script: ["first-start", "setup", "probes-load"],
  stable: ["first-start", "console-loads"],
  console: ["first-start", "console-loads", "console-command"],
};

/** Why probes are skipped without a level. */
const MISSING: Readonly<Record<Level, string>> = {
  world: "the server did not start",
  installed: "setup did not work",
  pack: "the pack is not connected",
  script: "the script with the probes does not run",
  stable: "the pack that keeps achievements does not run",
  console: "commands of the console do not reach the script",
};

/**
 * The probes with these ids, and those that they need.
 * @throws CannotRun for an unknown id
 */
export function selectProbes(
  probes: readonly Probe[],
  only: readonly string[] | undefined,
): readonly Probe[] {
  if (only === undefined) return probes;
  const unknown = only.filter(id => !probes.some(probe => probe.id === id));
  if (unknown.length > 0) throw new CannotRun(`--only: unknown probe: ${unknown.join(", ")}`);
  const steps = probes.flatMap(({ id, needs }) => (needs && only.includes(id) ? STEPS[needs] : []));
  return probes.filter(({ id }) => only.includes(id) || steps.includes(id));
}

/** Whether something is as expected: word for word, details aside. */
export const isExpected = (seen: string, expect: string): boolean =>
  seen === expect || seen.startsWith(`${expect}; `);

/** Runs one probe after the other; `onStart` gets the next one. */
export async function runProbes(
  probes: readonly Probe[],
  env: TestEnvironment,
  onStart: (probe: Probe, index: number) => void,
): Promise<ProbeResult[]> {
  const answers: ProbeResult[] = [];
  for (const [index, probe] of probes.entries()) {
    const { id, expect, why, needs } = probe;
    onStart(probe, index);
    const begun = performance.now();
    const missing = needs === undefined || env.levels.has(needs) ? undefined : MISSING[needs];
    const { state, seen }: Pick<ProbeResult, "state" | "seen"> =
      missing === undefined
        ? await runProbe(probe, env)
        : { state: "skipped", seen: env.crash === undefined ? missing : "the server has crashed" };
    answers.push({
      id,
      state,
      expect,
      seen: seen.slice(0, MAX_SEEN),
      why,
      ms: Math.round(performance.now() - begun),
    });
  }
  return answers;
}

async function runProbe(probe: Probe, env: TestEnvironment): Promise<Pick<ProbeResult, "state" | "seen">> {
  try {
    const seen = await within(probe.ask(env), PROBE_MS);
    if (seen === undefined) return { state: "failed", seen: `no answer within ${PROBE_MS / 1000} s` };
    return { state: isExpected(seen, probe.expect) ? "ok" : "failed", seen };
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    return { state: error instanceof Skipped ? "skipped" : "failed", seen: messageOf(error) };
  }
}
