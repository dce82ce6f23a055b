// The used parts of browser and Node APIs, so that users need neither's types.

/** The global type with that name if it exists, otherwise the used part. */
type GlobalType<Name extends string, Used> =
  typeof globalThis extends Record<Name, { prototype: infer Whole }> ? Whole : Used;

/** An `AbortSignal`. */
export type Signal = GlobalType<
  "AbortSignal",
  {
    readonly aborted: boolean;
    readonly reason: unknown;
    addEventListener(type: "abort", listener: () => void): void;
    removeEventListener(type: "abort", listener: () => void): void;
  }
>;

/** The options that `fetch` is called with. */
export interface FetchOptions {
  method?: "GET" | "POST" | "DELETE";
  credentials?: "include";
  headers?: Record<string, string>;
  body?: string | null;
  signal: Signal;
}

/** The used part of a `Response`. */
export interface FetchedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The used part of a `Response` that is read as a stream. */
export interface FetchedStream extends FetchedResponse {
  readonly body: { getReader(): ChunkReader } | null;
}

export interface ChunkReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

/** The used part of an `AbortController`. */
export interface Aborter {
  readonly signal: Signal;
  abort(reason?: unknown): void;
}

/** The used part of a `URL`. */
export interface Address {
  readonly href: string;
  readonly searchParams: { set(name: string, value: string): void };
}

/** A clock and timers, which tests can replace. */
export interface Timers {
  /** milliseconds since 1970 */
  now(): number;
  /** Calls once after `ms` milliseconds; returns what cancels it. */
  after(ms: number, callback: () => void): () => void;
}

declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const URL: new (address: string, base?: string) => Address;

/** Browsers and Node fire longer timers immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

interface Target {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** The globals of a page; in Node they are missing. */
const page = globalThis as Partial<Target> & {
  location?: { href: string };
  document?: Target & { hidden: boolean };
};

/** An event of a page. `online`, `offline`: the network is back or gone, as far as the system knows; `seen`: the page became visible. */
export type PageEvent = "online" | "offline" | "seen" | "hidden";

/** Visibility and network of a page, or of a program's own interface. */
export interface PageState {
  isHidden(): boolean;
  /** Calls with each event; returns what unsubscribes. */
  listen(listener: (what: PageEvent) => void): () => void;
}

/** Visibility and network of the current page. In Node there are no events. */
export const browserPage: PageState = {
  isHidden: () => page.document?.hidden === true,
  listen(listener) {
    const { document } = page;
    const online = (): void => listener("online");
    const offline = (): void => listener("offline");
    const onVisibility = (): void => listener(document?.hidden ? "hidden" : "seen");
    page.addEventListener?.("online", online);
    page.addEventListener?.("offline", offline);
    document?.addEventListener("visibilitychange", onVisibility);
    return () => {
      page.removeEventListener?.("online", online);
      page.removeEventListener?.("offline", offline);
      document?.removeEventListener("visibilitychange", onVisibility);
    };
  },
};

/** The object or list in a JSON text, if it is one. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A base address without slashes at its end. */
export const trimmed = (base: string): string => base.replace(/\/+$/, "");

/** Addresses for `fetch`, which takes no user name and password. */
const FETCHED = /^https?:\/\/[^/@]+\//;

/**
 * The absolute URL of an address, relative to that of the page.
 * @throws TypeError if it is invalid, or of another kind
 */
export function absoluteUrl(address: string, kind = FETCHED): Address {
  const url = new URL(address, page.location?.href);
  if (kind.test(url.href)) return url;
  throw new TypeError(`bad address: ${address}`);
}
