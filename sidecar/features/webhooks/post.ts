import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { anything, checkJson, object } from "../../../shared/guard.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import type { Clock } from "../../platform/clock.ts";
import { isPublicAddress } from "./public-address.ts";

/** How long an attempt may take in all, in milliseconds. */
const ATTEMPT_MS = 20_000;
/** Most of an answer that is read, in bytes. */
const ANSWER_BYTES = 65_536;
/** How long a connection is kept for the next event: less than servers usually do, in milliseconds. */
const IDLE_MS = 4_000;

/** Statuses that ask to come back later. */
const WAITS: ReadonlySet<number> = new Set([429, 503]);

const NOT_PUBLIC = "its address is not public, and allow-private is not set";
const BROKE = "the connection broke";
const NO_ANSWER = `no answer within ${ATTEMPT_MS / 1000} s`;

/** An answer: its status; how long it asks to be left alone, in milliseconds; and the code in the JSON of one that refuses. */
export interface Answered {
  status: number;
  askedMs?: number;
  code?: number;
}

/** What came of an attempt: the answer, or why there is none. */
export type Attempt = Answered | { fault: string };

/** All addresses of a name, as `lookup` of `node:dns` finds them. */
export type Resolve = (
  name: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface Poster {
  /** Sends once. `signal` breaks it off. */
  post(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Attempt>;
  close(): void;
}

/** Sends to one address, one request at a time. */
export function createPoster(deps: {
  url: string;
  /** sent with every request */
  headers?: Record<string, string>;
  allowPrivate: boolean;
  clock: Clock;
  resolve?: Resolve;
  /** where proxies are named; the process's own where it is left out */
  env?: NodeJS.ProcessEnv;
  /** gets the beginning of the body of each answer */
  seen?(answer: Buffer): void;
}): Poster {
  const { allowPrivate, clock } = deps;
  const url = new URL(deps.url);
  const { Agent, request } = url.protocol === "https:" ? https : http;
  const proxies = proxiesIn(deps.env ?? process.env);
  const isProxied = (url.protocol === "https:" ? proxies.https_proxy : proxies.http_proxy) !== "";
  // In a variable, since the types of the oldest Node lack `proxyEnv`.
  const options = { keepAlive: true, maxSockets: 1, timeout: IDLE_MS, proxyEnv: proxies };
  const agent = new Agent(options);
  const lookup = allowPrivate ? undefined : publicLookup(deps.resolve ?? systemLookup);
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  const isRefused = !allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal);

  /** A proxy resolves the host name by itself, so it is checked before. A name that does not resolve here is left to the proxy. */
  const isPrivate = (signal: AbortSignal): Promise<boolean> =>
    new Promise(resolve => {
      if (lookup === undefined || !isProxied || isIP(literal) !== 0) return resolve(false);
      const stop = (): void => resolve(false);
      signal.addEventListener("abort", stop);
      lookup(url.hostname, {}, error => {
        signal.removeEventListener("abort", stop);
        resolve(error?.message === NOT_PUBLIC);
      });
    });

  async function post(body: string, more: Record<string, string>, signal: AbortSignal): Promise<Attempt> {
    if (isRefused || (await isPrivate(signal))) return { fault: NOT_PUBLIC };
    return new Promise(resolve => {
      const headers = {
        "Content-Type": "application/json",
        "User-Agent": `bedrock-web-bridge/${PRODUCT_VERSION}`,
        ...deps.headers,
        ...more,
      };
      const sent = request(url, { method: "POST", agent, headers, signal, ...(lookup && { lookup }) });
      const stopTimer = clock.after(ATTEMPT_MS, () => sent.destroy(new Error(NO_ANSWER)));
      const done = (attempt: Attempt): void => {
        stopTimer();
        resolve(attempt);
      };
      // What breaks off after its status has come is an answer all the same.
      let hasStatus = false;
      sent.on("error", error => hasStatus || done({ fault: reasonOf(error) }));
      // After a 101 there is neither a fault nor an answer.
      sent.on("close", () => hasStatus || done({ fault: BROKE }));
      sent.on("response", answer => {
        hasStatus = true;
        const read: Buffer[] = [];
        let bytes = 0;
        answer.on("data", (chunk: Buffer) => {
          read.push(chunk);
          bytes += chunk.length;
          if (bytes > ANSWER_BYTES) sent.destroy();
        });
        answer.on("error", () => undefined);
        answer.on("close", () => {
          const body = Buffer.concat(read);
          deps.seen?.(body);
          done(answered(answer, body, clock.now()));
        });
      });
      sent.end(body);
    });
  }

  return { post, close: () => agent.destroy() };
}

/** The proxies in HTTPS_PROXY, HTTP_PROXY and NO_PROXY, as Node reads them; blank: none. Without a scheme it is `http://`. */
function proxiesIn(env: NodeJS.ProcessEnv) {
  const named = (name: string): string => env[name] || env[name.toUpperCase()] || "";
  const address = (name: string): string => named(name).replace(/^(?!.*:\/\/)(?=.)/, "http://");
  return {
    http_proxy: address("http_proxy"),
    https_proxy: address("https_proxy"),
    no_proxy: named("no_proxy"),
  };
}

/** A lookup for connections that fails where a name leads to an address that is not public: what it checks is connected to. */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (name, options, callback) =>
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? new Error("no address"), []);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new Error(NOT_PUBLIC), []);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
}

/** Codes of the system name the fault; other texts may name the address. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code !== undefined) return error.code;
  return [NO_ANSWER, NOT_PUBLIC].find(known => known === error.message) ?? BROKE;
}

const answerBody = object({ retry_after: anything, code: anything });

function answered({ statusCode: status = 0, headers }: IncomingMessage, body: Buffer, now: number): Answered {
  if (status < 400) return { status };
  const read = checkJson(answerBody, body.toString());
  const { retry_after: retryAfter, code } = "value" in read ? read.value : {};
  const asked = [
    msOf(headers["retry-after"], now),
    msOf(headers["x-ratelimit-reset-after"], now),
    typeof retryAfter === "number" ? retryAfter * 1000 : 0,
  ].filter(ms => ms > 0);
  return {
    status,
    // The shortest: proxies, and Discord's early versions, write milliseconds where seconds belong.
    ...(WAITS.has(status) && asked.length > 0 && { askedMs: Math.min(...asked) }),
    ...(typeof code === "number" && { code }),
  };
}

/** Milliseconds in a header that holds seconds or a date; not above 0 where it asks for no wait. */
function msOf(header: string | string[] | undefined, now: number): number {
  const value = `${header ?? ""}`.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // The oldest of the three forms of a date names no time zone: it is always GMT.
  // biome-ignore lint/style/noRestrictedGlobals: it reads a time and asks for none
  return Date.parse(value.includes(",") ? value : `${value} GMT`) - now;
}
