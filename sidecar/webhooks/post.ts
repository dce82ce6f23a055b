import { type LookupAddress, lookup as systemLookup } from "node:dns";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import type { Clock } from "../ports.ts";
import { isPublicAddress } from "./public-address.ts";

/** How long an attempt may take in all, in milliseconds. */
const ATTEMPT_MS = 10_000;
/** Most of an answer that is read, in bytes. */
const ANSWER_BYTES = 65_536;
/** How long a connection is kept for the next event: less than servers usually do, in milliseconds. */
const IDLE_MS = 4_000;

const NOT_PUBLIC = "its address is not public, and allow-private is not set";
const BROKE = "the connection broke";
const NO_ANSWER = `no answer within ${ATTEMPT_MS / 1000} s`;

/** What came of an attempt: the status of the answer, or why there is none. */
export type Attempt = { status: number; askedMs?: number } | { fault: string };

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
  allowPrivate: boolean;
  clock: Clock;
  resolve?: Resolve;
  /** gets the beginning of the body of each answer */
  seen?(answer: Buffer): void;
}): Poster {
  const { allowPrivate, clock } = deps;
  const url = new URL(deps.url);
  const { Agent, request } = url.protocol === "https:" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: IDLE_MS });
  const lookup = allowPrivate ? undefined : publicLookup(deps.resolve ?? systemLookup);
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  const isRefused = !allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal);

  function post(body: string, more: Record<string, string>, signal: AbortSignal): Promise<Attempt> {
    if (isRefused) return Promise.resolve({ fault: NOT_PUBLIC });
    return new Promise(resolve => {
      const headers = {
        "Content-Type": "application/json",
        "User-Agent": `bedrock-web-bridge/${PRODUCT_VERSION}`,
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
          const { statusCode: status = 0 } = answer;
          const body = Buffer.concat(read);
          deps.seen?.(body);
          const asked = status === 429 ? askedMs(answer.headers["retry-after"], body) : undefined;
          done({ status, ...(asked !== undefined && { askedMs: asked }) });
        });
      });
      sent.end(body);
    });
  }

  return { post, close: () => agent.destroy() };
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

/** How long an answer asks to be left alone, in milliseconds. */
function askedMs(header: string | undefined, body: Buffer): number | undefined {
  const seconds = [Number.parseFloat(header ?? ""), secondsIn(body)].filter(each => each >= 0);
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1000;
}

function secondsIn(body: Buffer): number {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (typeof value !== "object" || value === null || !("retry_after" in value)) return Number.NaN;
    return typeof value.retry_after === "number" ? value.retry_after : Number.NaN;
  } catch {
    return Number.NaN;
  }
}
