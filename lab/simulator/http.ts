import { Bounded } from "./bounded.ts";
import type { Fault, FaultFunction, RequestInfo } from "./faults.ts";
import type { HttpCompletion } from "./guest/host.ts";
import type { HttpQuirks } from "./quirks.ts";
import { type Answer, failure, type OutgoingRequest, Sender } from "./send.ts";
import type { NetOptions } from "./types.ts";

const DEFAULT_TIMEOUT_S = 30;
const RECENT = 500;
const REFUSED = 111;
const TIMED_OUT = 110;
const RESET = 104;
const TIMEOUT = failure(TIMED_OUT, "Connection timed out");
const CUT = failure(RESET, "Connection reset by peer");
const BODY_METHODS = new Set(["Post", "Put", "Delete"]);

interface SentRequest extends RequestInfo {
  readonly bytes: number;
  /** Ticks since the game started. */
  readonly tick: number;
  readonly fault: Fault["kind"] | undefined;
}

interface ScriptRequest {
  readonly id: number;
  readonly uri: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string | number])[];
  readonly timeout: number;
}

interface Flight {
  readonly id: number;
  readonly outgoing: OutgoingRequest;
  readonly fault: Fault | undefined;
  readonly deadline: number;
  readonly cutAt: number;
  sendAt: number;
  answer: Answer | undefined;
  deliverAt: number;
  abort: (() => void) | undefined;
}

/** Sends the script's HTTP requests over the real network, with optional faults. */
export class SimulatedHttp {
  counters = newCounters();
  readonly #net: NetOptions;
  readonly #quirks: HttpQuirks;
  readonly #now: () => number;
  readonly #secrets: readonly string[];
  readonly #sender: Sender;
  readonly #flights = new Map<number, Flight>();
  #copies: { readonly outgoing: OutgoingRequest; readonly at: number }[] = [];
  #faults: FaultFunction = () => undefined;
  #index = 0;
  #tick = 0;

  readonly #recent = new Bounded<SentRequest>(RECENT);

  constructor(net: NetOptions, now: () => number, secrets: readonly string[], quirks: HttpQuirks = {}) {
    this.#quirks = quirks;
    this.#net = net;
    this.#sender = new Sender(net.authority);
    this.#now = now;
    this.#secrets = secrets;
  }

  /** The newest requests, oldest first, at most 500. */
  get recent(): readonly SentRequest[] {
    return this.#recent.items;
  }

  /** Sets the faults of requests from now on; undefined: none. */
  setFaults(faults: FaultFunction | undefined): void {
    this.#faults = faults ?? (() => undefined);
  }

  /** Requests whose response the script has not received. */
  get inFlight(): number {
    return this.#flights.size;
  }

  /** Number of requests without a response. */
  get unanswered(): number {
    let without = 0;
    for (const { answer } of this.#flights.values()) if (answer === undefined) without++;
    return without;
  }

  resetCounters(): void {
    this.counters = newCounters();
  }

  /** Starts a request of the script; `json`: all except its body. Returns "" or the JSON of its error. */
  request(json: string, body: string): string {
    const request: ScriptRequest = JSON.parse(json);
    const url = parseUrl(request.uri);
    const bytes = Buffer.byteLength(body);
    const refusal = this.#refusal(request, url, bytes);
    if (refusal || !url) {
      this.counters.refused++;
      return JSON.stringify(refusal);
    }
    const { id, method, timeout } = request;
    const headers = request.headers.map(([key, value]) => [key, this.#reveal(value)] as const);
    const outgoing = { url, method, headers, body };
    this.#count(url.pathname, bytes);
    const info = { path: url.pathname, method, index: this.#index++ };
    const fault = this.#faults(info);
    this.#recent.push({ ...info, bytes, tick: this.#tick, fault: fault?.kind });
    const wait = fault?.kind === "delay" ? (fault.requestTicks ?? 0) : 0;
    const { cutSeconds = Number.POSITIVE_INFINITY } = this.#quirks;
    const requestedAt = this.#now();
    if (fault?.kind === "duplicate") {
      this.#copies.push({ outgoing, at: this.#tick + 1 + fault.afterTicks });
    }
    const flight: Flight = {
      id,
      outgoing,
      fault,
      deadline: requestedAt + (timeout || DEFAULT_TIMEOUT_S) * 1000,
      cutAt: requestedAt + cutSeconds * 1000,
      sendAt: this.#tick + wait,
      answer: undefined,
      deliverAt: 0,
      abort: undefined,
    };
    this.#flights.set(id, flight);
    this.counters.inFlightMax = Math.max(this.counters.inFlightMax, this.#flights.size);
    this.#launch(flight);
    return "";
  }

  /** Begins a tick; returns requests completed since the last one. */
  advance(): HttpCompletion[] {
    this.#tick++;
    if (this.#copies.length > 0) this.#sendCopies();
    if (this.#flights.size === 0) return [];
    const now = this.#now();
    const completions: HttpCompletion[] = [];
    for (const flight of [...this.#flights.values()]) {
      this.#launch(flight);
      if (flight.answer && flight.deliverAt <= this.#tick) {
        this.#flights.delete(flight.id);
        completions.push({ id: flight.id, ...flight.answer });
      } else if (now >= Math.min(flight.deadline, flight.cutAt)) {
        if (now >= flight.deadline) this.counters.timedOut++;
        flight.abort?.();
        this.#flights.delete(flight.id);
        const fault = now >= flight.deadline ? TIMEOUT : CUT;
        completions.push({ id: flight.id, ...fault });
      }
    }
    return completions;
  }

  /** Ends all requests with an error, which the script sees in the next tick. */
  cancelAll(reason: string): void {
    for (const flight of this.#flights.values()) {
      flight.abort?.();
      flight.sendAt = Number.POSITIVE_INFINITY;
      flight.answer = failure(0, reason);
      flight.deliverAt = this.#tick;
    }
  }

  /** Ends all requests without an error for the script. */
  abortAll(): void {
    for (const flight of this.#flights.values()) flight.abort?.();
    this.#flights.clear();
    this.#copies = [];
  }

  close(): void {
    this.abortAll();
    this.#sender.close();
  }

  #sendCopies(): void {
    for (const { outgoing, at } of this.#copies) {
      if (at <= this.#tick) this.#sender.send(outgoing, () => undefined);
    }
    this.#copies = this.#copies.filter(({ at }) => at > this.#tick);
  }

  #launch(flight: Flight): void {
    const { fault, outgoing } = flight;
    if (flight.sendAt > this.#tick) return;
    flight.sendAt = Number.POSITIVE_INFINITY;
    if (fault?.kind === "outage") this.#answer(flight, failure(REFUSED, "Connection refused"));
    else if (fault?.kind === "loseRequest") {
      if (fault.seen === "atOnce") this.#answer(flight, failure(RESET, "Connection reset by peer"));
    } else flight.abort = this.#sender.send(outgoing, answer => this.#arrived(flight, answer));
  }

  #arrived(flight: Flight, answer: Answer): void {
    if (this.#flights.get(flight.id) !== flight || flight.answer) return;
    const { fault } = flight;
    if (fault?.kind !== "loseResponse") this.#answer(flight, answer);
    else if (fault.seen === "atOnce") this.#answer(flight, failure(RESET, "Connection reset by peer"));
  }

  #answer(flight: Flight, answer: Answer): void {
    flight.answer = answer;
    const wait = flight.fault?.kind === "delay" ? (flight.fault.responseTicks ?? 0) : 0;
    flight.deliverAt = this.#tick + 1 + wait;
  }

  #reveal(value: string | number): string {
    return typeof value === "string" ? value : (this.#secrets[value] ?? "");
  }

  #count(path: string, bytes: number): void {
    const { counters } = this;
    counters.total++;
    counters.byPath.set(path, (counters.byPath.get(path) ?? 0) + 1);
    counters.largestBodyBytes = Math.max(counters.largestBodyBytes, bytes);
  }

  #refusal({ uri, method }: ScriptRequest, url: URL | undefined, bytes: number): object | undefined {
    const { allowedUris, forceTls = false, maxConcurrentRequests } = this.#net;
    const { maxBodyBytes = Number.POSITIVE_INFINITY } = this.#net;
    const { wholeUris } = this.#quirks;
    if (!url) return { name: "MalformedUriError", message: `Malformed URI: ${uri}` };
    if (BODY_METHODS.has(method) && bytes === 0) {
      this.counters.bodiesMissing++;
      return { name: "Error", message: `simulator: a ${method} request without a body blocks the game` };
    }
    if (allowedUris && !allowedUris.some(one => (wholeUris ? uri === one : uri.startsWith(one)))) {
      return { name: "UriNotAllowedError", message: `URI is not allowed: ${uri}`, uri };
    }
    if (forceTls && url.protocol !== "https:") {
      return { name: "TLSOnlyError", message: `Only https is allowed: ${uri}`, uri };
    }
    if (bytes > maxBodyBytes) {
      const message = `Request body too large: ${bytes} of at most ${maxBodyBytes} bytes`;
      return { name: "RequestBodyTooLargeError", message, providedBytes: bytes, maxBytes: maxBodyBytes };
    }
    if (maxConcurrentRequests !== undefined && this.#flights.size >= maxConcurrentRequests) {
      const message = `Too many requests in flight: ${this.#flights.size}`;
      const inFlightRequests = this.#flights.size;
      return { name: "HttpRequestLimitExceededError", message, inFlightRequests, maxConcurrentRequests };
    }
    return undefined;
  }
}

const newCounters = () => ({
  total: 0,
  byPath: new Map<string, number>(),
  inFlightMax: 0,
  largestBodyBytes: 0,
  /** Requests that would have blocked the game: Post, Put or Delete without a body. */
  bodiesMissing: 0,
  /** Requests rejected because of a limit or a malformed address. */
  refused: 0,
  /** Requests that timed out. */
  timedOut: 0,
});

const parseUrl = (uri: string): URL | undefined =>
  /^https?:\/\//i.test(uri) && URL.canParse(uri) ? new URL(uri) : undefined;
