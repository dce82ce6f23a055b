import { setTimeout as sleep } from "node:timers/promises";
import type { Fields, Level, Probe, TestEnvironment } from "./probe.ts";

/** A table of probes that can be asked from one level on. */
export const probesAt = (needs: Level, table: readonly Omit<Probe, "needs">[]): readonly Probe[] =>
  table.map(probe => ({ ...probe, needs }));

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? { ...value } : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const numberOf = (value: unknown): number => (typeof value === "number" ? value : Number.NaN);

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Milliseconds as people read them. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;

/** Asks the script, which answers with an object. */
export const ask = async (env: TestEnvironment, name: string, input?: Fields, ms?: number): Promise<Fields> =>
  fieldsOf(await env.script.ask(name, input, ms));

/** Name of the error that a call in the script has failed with; empty where it has not. */
export function failureIn(value: unknown): string {
  const { failure } = fieldsOf(value);
  const { name, message } = fieldsOf(failure);
  return failure === undefined ? "" : textOf(name) || textOf(message) || "an error without a name";
}

const AGAIN_MS = 200;

/** What `find` finds, asked again and again; undefined where that is nothing within so many milliseconds. */
export async function until<T>(
  ms: number,
  find: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  for (const end = performance.now() + ms; ; await sleep(AGAIN_MS)) {
    const found = await find();
    if (found !== undefined || performance.now() >= end) return found;
  }
}

/** What the script has noted from place `since` on. */
export async function eventsSince(
  env: TestEnvironment,
  since: number,
): Promise<{ next: number; events: readonly Fields[] }> {
  const { next, events } = await ask(env, "events", { since });
  return { next: numberOf(next), events: listOf(events).map(fieldsOf) };
}

/** What the script notes while something is done, and for half a second of the game after it; of these kinds only. */
export async function eventsDuring(
  env: TestEnvironment,
  kinds: readonly string[],
  act: () => Promise<unknown>,
): Promise<readonly Fields[]> {
  const { next } = await eventsSince(env, Number.MAX_SAFE_INTEGER);
  await act();
  await ask(env, "wait-ticks", { ticks: 10 });
  return (await eventsSince(env, next)).events.filter(({ is }) => kinds.includes(textOf(is)));
}

/** The kinds of what was noted, in their order. */
export const kindsOf = (events: readonly Fields[]): string =>
  events.map(({ is }) => textOf(is)).join(", ") || "nothing";
