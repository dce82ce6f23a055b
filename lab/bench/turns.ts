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

/**
 * Asks servers by turns, on 50 connections each, so that what else the machine does reaches all of them. Each ratio is the
 * median of those within rounds.
 */
export async function answersByTurns<const S extends readonly Served[]>(
  load: Pick<Worker<HttpLoad>, "ask">,
  servers: S,
  rounds: number,
  say: (words: string) => void,
): Promise<{ [K in keyof S]: Rate }> {
  const taken = servers.map(() => [] as { microseconds: number; perSecond: number }[]);
  async function round(server: Served, ms: number): Promise<{ microseconds: number; perSecond: number }> {
    const { port, path, host, ca, cpu } = server;
    const target = { port, ...(host !== undefined && { host }), ...(ca !== undefined && { ca }) };
    await load.ask("open", { ...target, connections: CONNECTIONS });
    const before = await cpu();
    const { answered, seconds } = await load.ask("run", { ...target, path, ms });
    return { microseconds: ((await cpu()) - before) / answered, perSecond: answered / seconds };
  }
  say("warming up");
  for (const server of servers) await round(server, WARM_UP_MS);
  for (let i = 0; i < rounds; i++) {
    if (i % 10 === 0) say(`round ${i + 1} of ${rounds}`);
    // The one who goes first may find the machine in another state.
    const order = servers.map((server, at) => ({ server, at }));
    for (const { server, at } of i % 2 === 0 ? order : order.reverse())
      taken[at]?.push(await round(server, ROUND_MS));
  }
  const first = taken[0] ?? [];
  const rates = taken.map(
    (each): Rate => ({
      microseconds: median(each.map(({ microseconds }) => microseconds)),
      perSecond: median(each.map(({ perSecond }) => perSecond)),
      ofFirst: median(
        each.map(({ microseconds }, i) => (first[i]?.microseconds ?? Number.NaN) / microseconds),
      ),
    }),
  );
  return rates as { [K in keyof S]: Rate };
}
