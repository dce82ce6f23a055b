import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { anything, checkJson, object } from "../../../shared/guard.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import type { Clock } from "../../platform/clock.ts";
import { isPublicAddress } from "./public-address.ts";

/** Timeout of an attempt, in milliseconds. */
const ATTEMPT_MS = 20_000;
/** Bytes of an answer that are read. */
const ANSWER_BYTES = 65_536;
/** How long a connection is kept alive for the next event, in milliseconds: less than servers usually do. */
const IDLE_MS = 4_000;

/** Statuses that ask to retry later. */
const WAITS: ReadonlySet<number> = new Set([429, 503]);

const NOT_PUBLIC = "its address is not public, and allow-private is not set";
const BROKE = "the connection broke";
const NO_ANSWER = `no answer within ${ATTEMPT_MS / 1000} s`;

/** An answer: its status, the wait that it requests in milliseconds, and the code in the JSON of a rejection. */
export interface HookResponse {
  status: number;
  waitMs?: number;
  code?: number;
}

/** Result of an attempt: the answer, or why there is none. */
export type Attempt = HookResponse | { fault: string };

/** Resolves a name to all its addresses, like `lookup` of `node:dns`. */
export type Resolve = (
  name: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface Poster {
  /** Sends once. `signal` aborts it. */
  post(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Attempt>;
  close(): void;
}

/** Creates a sender for one address, which makes one request at a time. */
export function createPoster(deps: {
  url: string;
  /** sent with every request */
  headers?: Record<string, string>;
  allowPrivate: boolean;
  clock: Clock;
  resolve?: Resolve;
  /** environment with the proxies; default: that of the process */
  env?: NodeJS.ProcessEnv;
  /** receives the start of each answer's body */
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

  /** A proxy resolves the host name itself, so it is checked before. A name that does not resolve here is left to the proxy. */
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
      // A connection that breaks after the status still counts as an answer.
      let hasStatus = false;
      sent.on("error", error => hasStatus || done({ fault: reasonOf(error) }));
      // After a 101 there is neither an error nor an answer.
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

/** The proxies in HTTPS_PROXY, HTTP_PROXY and NO_PROXY, as read by Node; blank: none. The default scheme is `http://`. */
function proxiesIn(env: NodeJS.ProcessEnv) {
  const named = (name: string): string => env[name] || env[name.toUpperCase()] || "";
  const address = (name: string): string => named(name).replace(/^(?!.*:\/\/)(?=.)/, "http://");
  return {
    http_proxy: address("http_proxy"),
    https_proxy: address("https_proxy"),
    no_proxy: named("no_proxy"),
  };
}

/** A lookup for connections that fails if a name has an address that is not public. The checked address is the one connected to. */
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

/** The system's error code; other texts may contain the address. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code !== undefined) return error.code;
  return [NO_ANSWER, NOT_PUBLIC].find(known => known === error.message) ?? BROKE;
}

const answerBody = object({ retry_after: anything, code: anything });

function answered(
  { statusCode: status = 0, headers }: IncomingMessage,
  body: Buffer,
  now: number,
): HookResponse {
  if (status < 400) return { status };
  const read = checkJson(answerBody, body.toString());
  const { retry_after: retryAfter, code } = "value" in read ? read.value : {};
  const waits = [
    msOf(headers["retry-after"], now),
    msOf(headers["x-ratelimit-reset-after"], now),
    typeof retryAfter === "number" ? retryAfter * 1000 : 0,
  ].filter(ms => ms > 0);
  return {
    status,
    // The shortest: proxies, and early versions of Discord, write milliseconds instead of seconds.
    ...(WAITS.has(status) && waits.length > 0 && { waitMs: Math.min(...waits) }),
    ...(typeof code === "number" && { code }),
  };
}

/** Milliseconds in a header with seconds or a date; at most 0 if it requests no wait. */
function msOf(header: string | string[] | undefined, now: number): number {
  const value = `${header ?? ""}`.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // The oldest of the three date formats has no time zone: it is always GMT.
  // biome-ignore lint/style/noRestrictedGlobals: it parses a given time, not the current one
  return Date.parse(value.includes(",") ? value : `${value} GMT`) - now;
}
