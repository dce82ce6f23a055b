// What is used of browsers and Node, so that neither has to bring its types.

/** The type of that name where the types of browsers or Node are known, and else what is used of it. */
type Known<Name extends string, Used> =
  typeof globalThis extends Record<Name, { prototype: infer Whole }> ? Whole : Used;

/** An `AbortSignal`. */
export type Signal = Known<
  "AbortSignal",
  {
    readonly aborted: boolean;
    readonly reason: unknown;
    addEventListener(type: "abort", listener: () => void): void;
    removeEventListener(type: "abort", listener: () => void): void;
  }
>;

/** What `fetch` is called with. */
export interface Asked {
  method?: "GET" | "POST" | "DELETE";
  credentials?: "include";
  headers?: Record<string, string>;
  body?: string | null;
  signal: Signal;
}

/** As much of a `Response` as is used: that of browsers, of Node and of a framework will do. */
export interface Answered {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The same of one that is read as it comes. */
export interface Streamed extends Answered {
  readonly body: { getReader(): PieceReader } | null;
}

export interface PieceReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

/** An `AbortController`. */
export interface Ending {
  readonly signal: Signal;
  abort(reason?: unknown): void;
}

/** A `URL`. */
export interface Address {
  readonly href: string;
  readonly searchParams: { set(name: string, value: string): void };
}

/** Time, so that tests can own it. */
export interface Timers {
  /** milliseconds since 1970 */
  now(): number;
  /** calls back once after `ms` milliseconds; returns what cancels it */
  after(ms: number, callback: () => void): () => void;
}

declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const URL: new (address: string, base?: string) => Address;

/** Timers of browsers and Node run at once where they are told to wait for longer. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

interface Target {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** What a page has; in Node it is missing. */
const page = globalThis as Partial<Target> & {
  location?: { href: string };
  document?: Target & { hidden: boolean };
};

/**
 * What happens to a page: `online`, `offline`: the network has come back or is gone, as far as the system knows; `seen`,
 * `hidden`: somebody sees the page from now on, or nobody.
 */
export type Happening = "online" | "offline" | "seen" | "hidden";

/** Tells what happens to the page, or to whatever a program has in its place. */
export interface Surroundings {
  /** whether nobody sees it at the moment */
  isHidden(): boolean;
  /** calls back with what happens; returns what ends that */
  listen(listener: (what: Happening) => void): () => void;
}

/** Those of a page; in Node nothing ever happens. */
export const ownSurroundings: Surroundings = {
  isHidden: () => page.document?.hidden === true,
  listen(listener) {
    const { document } = page;
    const online = (): void => listener("online");
    const offline = (): void => listener("offline");
    const look = (): void => listener(document?.hidden ? "hidden" : "seen");
    page.addEventListener?.("online", online);
    page.addEventListener?.("offline", offline);
    document?.addEventListener("visibilitychange", look);
    return () => {
      page.removeEventListener?.("online", online);
      page.removeEventListener?.("offline", offline);
      document?.removeEventListener("visibilitychange", look);
    };
  },
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The object or list that a text is as JSON, if it is one. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A base without slashes at its end. */
export const trimmed = (base: string): string => base.replace(/\/+$/, "");

/** What can be fetched: `fetch` takes no address with a name and a password. */
const FETCHED = /^https?:\/\/[^/@]+\//;

/**
 * The whole address of what may be below the page's own origin.
 * @throws TypeError when there is none, or none of this kind
 */
export function whole(address: string, kind = FETCHED): Address {
  const url = new URL(address, page.location?.href);
  if (kind.test(url.href)) return url;
  throw new TypeError(`bad address: ${address}`);
}
