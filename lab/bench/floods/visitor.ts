import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../../cli/errno.ts";

/** Time between two visitors, in milliseconds. */
const EVERY_MS = 50;

/** Longest wait for a response; a missing one counts as this long. */
const REQUEST_TIMEOUT_MS = 10_000;

interface VisitorWaits {
  /** time from opening a connection to the complete response, in milliseconds, for each request */
  waits: number[];
  /** reasons for failed requests */
  failures: string[];
}

/** The first requests of a browser: the page, its files, and the status. */
export async function firstPaths(base: string): Promise<string[]> {
  const page = await (await fetch(base)).text();
  return ["/status", "/", ...(page.match(/assets\/[\w.-]+/g) ?? []).map(path => `/${path}`)];
}

/** For this many milliseconds, opens a connection every 50 ms and requests one of these paths on it. */
export async function visit(base: string, paths: readonly string[], ms: number): Promise<VisitorWaits> {
  const visits: VisitorWaits = { waits: [], failures: [] };
  async function ask(path: string): Promise<void> {
    const begun = performance.now();
    const failure = await failureOf(`${base}${path}`);
    visits.waits.push(failure === undefined ? performance.now() - begun : REQUEST_TIMEOUT_MS);
    if (failure !== undefined) visits.failures.push(failure);
  }
  const pending: Promise<void>[] = [];
  for (const end = performance.now() + ms; performance.now() < end; await sleep(EVERY_MS))
    pending.push(ask(paths[pending.length % paths.length] ?? "/"));
  await Promise.all(pending);
  return visits;
}

/** Sends a request on a new connection. @returns why the response was not 200, or undefined */
function failureOf(url: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }, response => {
      response.on("error", error => resolve(reasonOf(error)));
      response
        .on("end", () => resolve(response.statusCode === 200 ? undefined : `${response.statusCode}`))
        .resume();
    });
    request.on("error", error => resolve(reasonOf(error)));
  });
}
