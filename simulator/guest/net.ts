import { SecretString, secretNumber } from "./admin.ts";
import { host } from "./bridge.ts";
import { errorFromHost, InternalHttpRequestError } from "./errors.ts";
import type { HttpCompletion } from "./host.ts";
import { requireMode } from "./mode.ts";
import { surface } from "./surface.ts";

export const HttpRequestMethod = {
  Delete: "Delete",
  Get: "Get",
  Head: "Head",
  Patch: "Patch",
  Post: "Post",
  Put: "Put",
} as const;

const methods: ReadonlySet<unknown> = new Set(Object.values(HttpRequestMethod));

type HeaderValue = string | SecretString;

function headerValue(value: unknown): HeaderValue {
  if (typeof value === "string" || value instanceof SecretString) return value;
  throw new TypeError("Native variant type conversion failed.");
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("Native type conversion failed.");
  return value;
}

export class HttpHeader {
  #key: string;
  #value: HeaderValue;
  constructor(key: string, value: HeaderValue) {
    requireMode("r", "class constructor [HttpHeader]");
    this.#key = text(key);
    this.#value = headerValue(value);
  }
  get key(): string {
    return this.#key;
  }
  set key(value: string) {
    this.#key = text(value);
  }
  get value(): HeaderValue {
    return this.#value;
  }
  set value(value: HeaderValue) {
    this.#value = headerValue(value);
  }
}

export class HttpRequest {
  #uri: string;
  #method: string = HttpRequestMethod.Get;
  #headers: HttpHeader[] = [];
  #body = "";
  #timeout = 0;
  constructor(uri: string) {
    requireMode("r", "class constructor [HttpRequest]");
    this.#uri = text(uri);
  }
  get uri(): string {
    return this.#uri;
  }
  set uri(value: string) {
    this.#uri = text(value);
  }
  get method(): string {
    return this.#method;
  }
  set method(value: string) {
    if (!methods.has(value)) throw new TypeError("Native type conversion failed.");
    this.#method = value;
  }
  get headers(): HttpHeader[] {
    return this.#headers;
  }
  set headers(value: HttpHeader[]) {
    if (!Array.isArray(value) || !value.every(header => header instanceof HttpHeader)) {
      throw new TypeError("Native type conversion failed.");
    }
    this.#headers = [...value];
  }
  get body(): string {
    return this.#body;
  }
  set body(value: string) {
    this.#body = text(value);
  }
  get timeout(): number {
    return this.#timeout;
  }
  set timeout(value: number) {
    if (!Number.isInteger(value) || value < 0) throw new TypeError("Native type conversion failed.");
    this.#timeout = value;
  }
  setMethod(value: string): this {
    this.method = value;
    return this;
  }
  setHeaders(value: HttpHeader[]): this {
    this.headers = value;
    return this;
  }
  addHeader(key: string, value: HeaderValue): this {
    this.#headers.push(new HttpHeader(key, value));
    return this;
  }
  setBody(value: string): this {
    this.body = value;
    return this;
  }
  setTimeout(value: number): this {
    this.timeout = value;
    return this;
  }
}

export class HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: readonly HttpHeader[];
  readonly request: HttpRequest;
  constructor(request: HttpRequest, { status = 0, body = "", headers = [] }: HttpCompletion) {
    this.request = request;
    this.status = status;
    this.body = body;
    this.headers = headers.map(([key, value]) => new HttpHeader(key, value));
  }
}

interface Flight {
  readonly request: HttpRequest;
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: unknown) => void;
}

const flights = new Map<number, Flight>();
let lastRequest = 0;

export class HttpClient {
  /** Starts a request. Every refusal comes as a rejection, except the one for a missing body. */
  request(config: HttpRequest): Promise<HttpResponse> {
    if (!(config instanceof HttpRequest)) throw new TypeError("Native type conversion failed.");
    const id = ++lastRequest;
    const refused = host().request(
      JSON.stringify({
        id,
        uri: config.uri,
        method: config.method,
        headers: config.headers.map(({ key, value }) => [
          key,
          value instanceof SecretString ? secretNumber(value) : value,
        ]),
        body: config.body,
        timeout: config.timeout,
      }),
    );
    if (refused !== "") {
      const error = errorFromHost(refused);
      if (error.message.startsWith("simulator: ")) throw error;
      return Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      flights.set(id, { request: config, resolve, reject });
    });
  }
  get(uri: string): Promise<HttpResponse> {
    return this.request(new HttpRequest(uri));
  }
  cancelAll(reason: string): void {
    host().cancelRequests(text(reason));
  }
}

/** Settles the requests that completed. */
export function settleRequests(completions: readonly HttpCompletion[]): void {
  for (const completion of completions) {
    const flight = flights.get(completion.id);
    if (!flight) continue;
    flights.delete(completion.id);
    if (completion.error) {
      const { errorCode, errorMessage } = completion.error;
      const error = new InternalHttpRequestError(errorMessage);
      flight.reject(Object.assign(error, { errorCode, errorMessage }));
    } else flight.resolve(new HttpResponse(flight.request, completion));
  }
}

class NetworkBeforeEvents {}
class WebSocket {}

export const beforeEvents = new NetworkBeforeEvents();
export const websocket = new WebSocket();

surface("HttpHeader", HttpHeader, "key:r/re value:r/re");
surface(
  "HttpRequest",
  HttpRequest,
  `uri:r/re method:r/re headers:r/re body:r/re timeout:r/re setMethod:re setHeaders:re addHeader:re setBody:re
  setTimeout:re`,
);
surface("HttpResponse", HttpResponse, "", "deserialize");
surface("HttpClient", HttpClient, "request:re get:re cancelAll:re");
surface("NetworkBeforeEvents", NetworkBeforeEvents, "", "packetReceive packetSend");
surface("WebSocket", WebSocket, "", "connect");
