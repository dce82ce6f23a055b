import { median } from "./numbers.ts";
import type { HttpLoad, Load } from "./roles/http-load.ts";
import type { Worker } from "./worker.ts";

/** A server that answers requests. */
export interface Served extends Omit<Load, "ms" | "connections"> {
  /** CPU that it has used so far, in microseconds */
  cpu(): Promise<number>;
}

/** What its answers took: the median of the rounds. */
export interface Rate {
  /** of CPU for an answer */
  microseconds: number;
  perSecond: number;
  /** CPU of the first server for an answer as a share of this one's: above 1 where the first takes more */
  ofFirst: number;
}

const CONNECTIONS = 50;
const ROUND_MS = 300;
const WARM_UP_MS = 1000;

/** Measures things by turns, so that what else the machine does reaches all of them: the values of each by rounds. */
export async function takeTurns(
  measures: readonly (() => Promise<number>)[],
  rounds: number,
  say: (words: string) => void,
): Promise<number[][]> {
  const taken = measures.map(() => [] as number[]);
  for (let i = 0; i < rounds; i++) {
    if (i % 20 === 0) say(`round ${i + 1} of ${rounds}`);
    // The one who goes first may find the machine in another state.
    const order = [...measures.entries()];
    for (const [at, measure] of i % 2 === 0 ? order : order.reverse()) taken[at]?.push(await measure());
  }
  return taken;
}

/** What one takes as a share of another: the median of those within rounds. */
export const ratioOf = (one: readonly number[], other: readonly number[]): number =>
  median(one.map((value, i) => value / (other[i] ?? Number.NaN)));

/** Asks servers by turns, on 50 connections each. */
export async function answersByTurns<const S extends readonly Served[]>(
  load: Pick<Worker<HttpLoad>, "ask">,
  servers: S,
  rounds: number,
  say: (words: string) => void,
): Promise<{ [K in keyof S]: Rate }> {
  const perSecond = servers.map(() => [] as number[]);
  const rounding = (ms: number) => (server: Served, at: number) => async (): Promise<number> => {
    const { cpu, path, ...target } = server;
    await load.ask("open", { ...target, connections: CONNECTIONS });
    const before = await cpu();
    const { answered, seconds } = await load.ask("run", { ...target, path, ms });
    perSecond[at]?.push(answered / seconds);
    return ((await cpu()) - before) / answered;
  };
  say("warming up");
  for (const warmUp of servers.map(rounding(WARM_UP_MS))) await warmUp();
  for (const warm of perSecond) warm.length = 0;
  const taken = await takeTurns(servers.map(rounding(ROUND_MS)), rounds, say);
  const rates = taken.map(
    (each, at): Rate => ({
      microseconds: median(each),
      perSecond: median(perSecond[at] ?? []),
      ofFirst: ratioOf(taken[0] ?? [], each),
    }),
  );
  return rates as { [K in keyof S]: Rate };
}
