import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../../cli/errno.ts";

/** Between two visitors, in milliseconds. */
const EVERY_MS = 50;

/** How long a visitor waits for an answer; one that does not come counts as that long. */
const PATIENCE_MS = 10_000;

export interface Visits {
  /** from opening a connection until the whole answer is there, in milliseconds, of each request */
  waits: number[];
  /** why requests were not answered with 200 */
  failures: string[];
}

/** What a browser asks first: the page, the files that it names, and the status. */
export async function firstPaths(base: string): Promise<string[]> {
  const page = await (await fetch(base)).text();
  return ["/status", "/", ...(page.match(/assets\/[\w.-]+/g) ?? []).map(path => `/${path}`)];
}

/** For so many milliseconds, lets a new visitor come every 50 ms, who asks for one of these paths on a new connection. */
export async function visit(base: string, paths: readonly string[], ms: number): Promise<Visits> {
  const visits: Visits = { waits: [], failures: [] };
  async function ask(path: string): Promise<void> {
    const begun = performance.now();
    const failure = await failureOf(`${base}${path}`);
    visits.waits.push(failure === undefined ? performance.now() - begun : PATIENCE_MS);
    if (failure !== undefined) visits.failures.push(failure);
  }
  const asked: Promise<void>[] = [];
  for (const end = performance.now() + ms; performance.now() < end; await sleep(EVERY_MS))
    asked.push(ask(paths[asked.length % paths.length] ?? "/"));
  await Promise.all(asked);
  return visits;
}

/** Asks on a new connection. @returns why the answer was not 200, or undefined */
function failureOf(url: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(PATIENCE_MS) }, response => {
      response.on("error", error => resolve(reasonOf(error)));
      response
        .on("end", () => resolve(response.statusCode === 200 ? undefined : `${response.statusCode}`))
        .resume();
    });
    request.on("error", error => resolve(reasonOf(error)));
  });
}
