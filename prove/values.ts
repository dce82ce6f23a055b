import { setTimeout as sleep } from "node:timers/promises";
import type { Fields, Level, Probe, TestEnvironment } from "./probe.ts";

/** Probes that need a level. */
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

/** A duration for people. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;

/** Asks the script for an object. */
export const ask = async (env: TestEnvironment, name: string, input?: Fields, ms?: number): Promise<Fields> =>
  fieldsOf(await env.script.ask(name, input, ms));

/** Name of the error in an answer; empty: none. */
export function failureIn(value: unknown): string {
  const { failure } = fieldsOf(value);
  const { name, message } = fieldsOf(failure);
  return failure === undefined ? "" : textOf(name) || textOf(message) || "an error without a name";
}

const AGAIN_MS = 200;

/** Calls `find` until it finds something; undefined: nothing within `ms` milliseconds. */
export async function until<T>(
  ms: number,
  find: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  for (const end = performance.now() + ms; ; await sleep(AGAIN_MS)) {
    const found = await find();
    if (found !== undefined || performance.now() >= end) return found;
  }
}

/** The recorded events from number `since` on. */
export async function eventsSince(
  env: TestEnvironment,
  since: number,
): Promise<{ next: number; events: readonly Fields[] }> {
  const { next, events } = await ask(env, "events", { since });
  return { next: numberOf(next), events: listOf(events).map(fieldsOf) };
}

/** The events of these kinds while something happens, and for half a second of game time after it. */
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

export const kindsOf = (events: readonly Fields[]): string =>
  events.map(({ is }) => textOf(is)).join(", ") || "nothing";
