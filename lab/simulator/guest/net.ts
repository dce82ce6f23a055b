import { SecretString, secretNumber } from "./admin.ts";
import { host } from "./bridge.ts";
import { errorFromHost, InternalHttpRequestError } from "./errors.ts";
import type { HttpCompletion } from "./host.ts";
import { requireMode } from "./mode.ts";
import { GamePromise } from "./promises.ts";
import { accessors, holder, surface } from "./surface.ts";

const methods: ReadonlySet<unknown> = new Set(["Delete", "Get", "Head", "Patch", "Post", "Put"]);

export const HttpRequestMethod = Object.fromEntries([...methods].map(name => [name, name]));

type HeaderValue = string | SecretString;

const failed = (): never => {
  throw new TypeError("Native type conversion failed.");
};

const text = (value: unknown): string => (typeof value === "string" ? value : failed());

function headerValue(value: unknown): HeaderValue {
  if (typeof value === "string" || value instanceof SecretString) return value;
  throw new TypeError("Native variant type conversion failed.");
}

/** An object whose properties accept only valid values. */
class CheckedClass<V extends object> {
  readonly #values: V;
  constructor(values: V) {
    this.#values = values;
  }
  /** The values of the properties, without checks. */
  static inside<V extends object>(self: CheckedClass<V>): V {
    return #values in self ? self.#values : failed();
  }
}

type Checks<V> = { readonly [K in keyof V]: (value: unknown) => V[K] };

/** Adds such properties to a class. */
function checked<V extends object>(
  type: { prototype: CheckedClass<V> },
  checks: Readonly<Record<string, (value: unknown) => unknown>>,
): void {
  accessors(
    type,
    checks,
    (self, _check, name) => Reflect.get(CheckedClass.inside(self), name),
    (self, check, name, value) => {
      Reflect.set(CheckedClass.inside(self), name, check(value));
    },
  );
}

interface HeaderValues {
  key: string;
  value: HeaderValue;
}

export class HttpHeader extends CheckedClass<HeaderValues> {
  declare key: string;
  declare value: HeaderValue;
  constructor(key: string, value: HeaderValue) {
    requireMode("r", "class constructor [HttpHeader]");
    super({ key: text(key), value: headerValue(value) });
  }
}

checked(HttpHeader, { key: text, value: headerValue });

interface RequestValues {
  uri: string;
  method: string;
  headers: HttpHeader[];
  body: string;
  timeout: number;
}

export class HttpRequest extends CheckedClass<RequestValues> {
  declare uri: string;
  declare method: string;
  declare headers: HttpHeader[];
  declare body: string;
  declare timeout: number;
  constructor(uri: string) {
    requireMode("r", "class constructor [HttpRequest]");
    super({ uri: text(uri), method: "Get", headers: [], body: "", timeout: 0 });
  }
  addHeader(key: string, value: HeaderValue): this {
    CheckedClass.inside(this).headers.push(new HttpHeader(key, value));
    return this;
  }
}

const requestChecks: Checks<RequestValues> = {
  uri: text,
  method: value => (typeof value === "string" && methods.has(value) ? value : failed()),
  headers: value =>
    Array.isArray(value) && value.every(header => header instanceof HttpHeader) ? [...value] : failed(),
  body: text,
  timeout: value => (typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : failed()),
};
checked(HttpRequest, requestChecks);

function setter<K extends keyof RequestValues>(name: K): void {
  const check = requestChecks[name];
  Object.assign(HttpRequest.prototype, {
    [`set${name.charAt(0).toUpperCase()}${name.slice(1)}`](this: HttpRequest, value: unknown) {
      const values: RequestValues = CheckedClass.inside(this);
      values[name] = check(value);
      return this;
    },
  });
}
for (const name of ["method", "headers", "body", "timeout"] as const) setter(name);

export class HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly request: HttpRequest;
  readonly #headers: readonly (readonly [string, string])[];
  constructor(request: HttpRequest, { status = 0, body = "", headers = [] }: HttpCompletion) {
    this.request = request;
    this.status = status;
    this.body = body;
    this.#headers = headers;
  }
  get headers(): readonly HttpHeader[] {
    return this.#headers.map(([key, value]) => new HttpHeader(key, value));
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
  /** Starts a request. Errors are rejections, except the one for a missing body. */
  request(config: HttpRequest): Promise<HttpResponse> {
    if (!(config instanceof HttpRequest)) throw new TypeError("Native type conversion failed.");
    const id = ++lastRequest;
    const { body, headers, method, timeout, uri } = CheckedClass.inside(config);
    const sent = headers.map(header => {
      const { key, value } = CheckedClass.inside(header);
      return [key, typeof value === "string" ? value : secretNumber(value)];
    });
    const refused = host.request(JSON.stringify({ id, uri, method, timeout, headers: sent }), body);
    if (refused !== "") {
      const error = errorFromHost(refused);
      if (error.message.startsWith("simulator: ")) throw error;
      return GamePromise.reject(error);
    }
    return new GamePromise((resolve, reject) => {
      flights.set(id, { request: config, resolve, reject });
    });
  }
  get(uri: string): Promise<HttpResponse> {
    return this.request(new HttpRequest(uri));
  }
  cancelAll(reason: string): void {
    host.cancelRequests(text(reason));
  }
}

/** Settles completed requests. */
export function settleRequests(completions: readonly HttpCompletion[]): void {
  for (const completion of completions) {
    const flight = flights.get(completion.id);
    if (!flight) continue;
    flights.delete(completion.id);
    if (completion.error) {
      const { errorCode, errorMessage } = completion.error;
      flight.reject(new InternalHttpRequestError(errorMessage, { errorCode, errorMessage }));
    } else flight.resolve(new HttpResponse(flight.request, completion));
  }
}

export const beforeEvents = holder("NetworkBeforeEvents", {}, "packetReceive packetSend");
export const websocket = holder("WebSocket", {}, "connect");

surface("HttpHeader", HttpHeader, "key:r/re value:r/re");
surface(
  "HttpRequest",
  HttpRequest,
  `uri:r/re method:r/re headers:r/re body:r/re timeout:r/re setMethod:re setHeaders:re addHeader:re setBody:re
  setTimeout:re`,
);
surface("HttpResponse", HttpResponse, "headers:re", "deserialize");
surface("HttpClient", HttpClient, "request:re get:re cancelAll:re");
