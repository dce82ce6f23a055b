import {
  type Aborter,
  absoluteUrl,
  type FetchedResponse,
  type FetchOptions,
  objectIn,
  type Signal,
  systemTimers,
  type Timers,
  trimmed,
} from "./platform.ts";
import { ERROR_CODES, type ErrorCode, type Failure, type Result } from "./types.ts";

export interface ClientOptions {
  /** address of the service, also below a path; the page's own origin when it is left out */
  base?: string;
  /** called instead of `fetch` */
  fetch?: (url: string, init: FetchOptions) => Promise<FetchedResponse>;
  /** sent with every request, for example a cookie outside of a browser */
  headers?: Record<string, string>;
  /** how long a call may take, in milliseconds; 12 s when it is left out: the service waits 10 s for the game */
  timeoutMs?: number;
  timers?: Timers;
}

export interface CallOptions {
  /** aborts the call */
  signal?: Signal;
  /** for this call instead of that of the client */
  timeoutMs?: number;
}

interface CallInput extends CallOptions {
  body?: object;
  method?: "POST" | "DELETE";
  key?: string | undefined;
  idempotencyKey?: string | undefined;
}

const TIMEOUT_MS = 12_000;

declare const AbortController: new () => Aborter;
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare function fetch(url: string, init: FetchOptions): Promise<FetchedResponse>;

/** Makes calls to a service. None of them throws. */
export function createRequests(options: ClientOptions) {
  const { headers: ownHeaders, timers = systemTimers, timeoutMs: usualMs = TIMEOUT_MS } = options;
  const base = trimmed(options.base ?? "");
  const send = options.fetch ?? ((url: string, init: FetchOptions) => fetch(url, init));

  /** The result of `begin`, or a failure on timeout or abort, whether `begin` observes the signal or not. */
  function within<T>(limits: CallOptions, begin: (signal: Signal) => Promise<T>): Promise<T | Failure> {
    const { signal, timeoutMs = usualMs } = limits;
    return new Promise(resolve => {
      const aborter = new AbortController();
      function settle(result: T | Failure): void {
        cancel();
        signal?.removeEventListener("abort", onAbort);
        resolve(result);
      }
      function fail(code: ErrorCode, cause: unknown): void {
        settle({ ok: false, status: 0, code, cause });
        aborter.abort(cause);
      }
      const onAbort = (): void => fail("aborted", signal?.reason);
      const cancel = timers.after(timeoutMs, () =>
        fail("unreachable", new Error(`no answer within ${timeoutMs} ms`)),
      );
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort);
      begin(aborter.signal).then(settle, (cause: unknown) => fail(codeOf(base), cause));
    });
  }

  async function call<T>(path: string, input: CallInput = {}): Promise<Result<T>> {
    const { body, method, key, idempotencyKey } = input;
    const result = await within(input, async signal => {
      const answer = await send(base + path, {
        method: method ?? (body ? "POST" : "GET"),
        credentials: "include",
        headers: {
          ...ownHeaders,
          ...(body && { "Content-Type": "application/json" }),
          ...(key !== undefined && { "X-Service-Api-Key": bytesOf(key) }),
          ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
        },
        body: body ? JSON.stringify(body) : null,
        signal,
      });
      return { answer, text: await answer.text() };
    });
    if (!("answer" in result)) return result;
    const { answer, text } = result;
    const { ok, status, headers } = answer;
    const value = objectIn(text);
    if (value && (ok || (path === "/readyz" && "reason" in value))) {
      const next = headers.get("Link")?.match(/after=([\w-]+)/)?.[1];
      return { ok: true, value: value as T, next };
    }
    let code: ErrorCode = ERROR_CODES.find(known => known === value?.error) ?? "unknown";
    if (value?.status === "already_pending") code = value.status;
    if (status === 401 && !text) code = "wrong_key";
    const retryAfter = Number(headers.get("Retry-After") ?? -1);
    const requestId = headers.get("X-Request-Id");
    return {
      ok: false,
      status,
      code,
      ...(typeof value?.message === "string" && { message: value.message }),
      ...(typeof value?.field === "string" && { field: value.field }),
      ...(retryAfter >= 0 && { retryAfter }),
      ...(requestId && { requestId }),
    };
  }

  return { call, within, usualMs };
}

/** Why a call to an address failed without a response. */
function codeOf(base: string): ErrorCode {
  try {
    absoluteUrl(base);
    return "unreachable";
  } catch {
    return "bad_address";
  }
}

/** A key as the bytes of UTF-8, one character each: `fetch` refuses other characters in headers. */
const bytesOf = (key: string): string => String.fromCharCode(...new TextEncoder().encode(key));
