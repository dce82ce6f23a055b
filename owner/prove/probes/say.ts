import type { Probe, Seen, Trial } from "../probe.ts";

export const held = (seen: string): Seen => ({ state: "held", seen });
export const broken = (seen: string): Seen => ({ state: "broken", seen });
export const skipped = (why: string): Seen => ({ state: "skipped", why });

/** What was seen, which is as it was assumed or not. */
export const judge = (isSo: boolean, seen: string): Seen => (isSo ? held(seen) : broken(seen));

/** A table of probes of one run; what they have in common is said once. */
export const probesOf = (run: Probe["run"], table: readonly Omit<Probe, "run">[]): readonly Probe[] =>
  table.map(probe => ({ ...probe, run }));

export type Held = Readonly<Record<string, unknown>>;

export const recordOf = (value: unknown): Held =>
  typeof value === "object" && value !== null ? { ...value } : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const numberOf = (value: unknown): number => (typeof value === "number" ? value : Number.NaN);

/** Asks the script of the probes. */
export async function ask(trial: Trial, name: string, input?: unknown, ms?: number): Promise<unknown> {
  if (trial.script === undefined) throw new Error("this run has no probes in its script");
  return trial.script.ask(name, input, ms);
}

export const askRecord = async (trial: Trial, name: string, input?: unknown, ms?: number): Promise<Held> =>
  recordOf(await ask(trial, name, input, ms));

/** Name of what a call in the script has failed with, empty where it has not. */
export const failureIn = (value: unknown): string => {
  const { failure } = recordOf(value);
  const { name, message } = recordOf(failure);
  return failure === undefined ? "" : textOf(name) || textOf(message) || "an error without a name";
};

const NEVER = /^(?!)$/;

/** Lets the game go on. */
export const pause = async (trial: Pick<Trial, "console">, ms: number): Promise<void> => {
  await trial.console.line(NEVER, ms, trial.console.lines.length);
};

/** A world that keeps up ticks as often a second; with less, something is in its way. */
export const KEEPS_UP = 19.5;
/** How long a machine gets to come to rest before something is measured once more. */
const REST_MS = 5_000;
/** What is said of what was slow both times. */
export const BUSY = "a machine that is busy with other things does that too";

/** What was measured, and once more after a pause where it was slow: a machine is busy for a while. */
export async function rested<T>(
  trial: Pick<Trial, "console">,
  measure: () => Promise<T>,
  isSlow: (measured: T) => boolean,
): Promise<{ measured: T; isSlow: boolean }> {
  const measured = await measure();
  if (!isSlow(measured)) return { measured, isSlow: false };
  await pause(trial, REST_MS);
  const again = await measure();
  return { measured: again, isSlow: isSlow(again) };
}

/** What is found, asked again and again; undefined where nothing is within so many milliseconds. */
export async function until<T>(
  trial: Trial,
  ms: number,
  find: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  for (const end = trial.now() + ms; ; ) {
    const found = await find();
    if (found !== undefined || trial.now() >= end) return found;
    await pause(trial, 200);
  }
}

/** A pattern for the whole of a line in which `…` stands for what differs. Blanks at the end of a line are not read. */
export function patternOf(line: string): RegExp {
  const parts = line.split("…").map(part => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*").replace(/ \.\*$/, "(?: .*)?")}$`);
}

/** What the script has noted from the place `since` on. */
export async function notedSince(
  trial: Trial,
  since: number,
): Promise<{ next: number; noted: readonly Held[] }> {
  const { next, noted } = await askRecord(trial, "noted", { since });
  return { next: numberOf(next), noted: listOf(noted).map(recordOf) };
}

/** What the script notes while something is done, and for half a second of the game after it. */
export async function notedWhile(trial: Trial, act: () => Promise<unknown>): Promise<readonly Held[]> {
  const { next } = await notedSince(trial, Number.MAX_SAFE_INTEGER);
  await act();
  await ask(trial, "wait-ticks", { ticks: 10 });
  return (await notedSince(trial, next)).noted;
}

/** What a request of the script has come to, in words. */
export function wentWords(went: Held): string {
  const { came, status, failure } = went;
  if (came === "answer") return `an answer with status ${numberOf(status)}`;
  const { name, fields, isError } = recordOf(failure);
  const { errorCode } = recordOf(fields);
  const code = errorCode === undefined ? "" : ` ${String(errorCode)}`;
  return `${came === "thrown" ? "thrown at the call" : "rejected"}: ${textOf(name)}${code}${isError === true ? "" : ", no Error"}`;
}

/** Milliseconds as a person reads them. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;

/** Something that costs seconds is done once for all probes that ask what came of it. */
export function once<T>(act: (trial: Trial) => Promise<T>): (trial: Trial) => Promise<T> {
  const done = new WeakMap<Trial, Promise<T>>();
  return trial => {
    const made = done.get(trial) ?? act(trial);
    done.set(trial, made);
    return made;
  };
}
