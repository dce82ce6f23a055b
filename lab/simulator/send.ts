import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { constants } from "node:os";
import type { HttpCompletion } from "./guest/host.ts";

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export type Answer = Omit<HttpCompletion, "id">;

/** Sends real HTTP over keep-alive connections. */
export class Sender {
  readonly #plain = new PlainAgent({ keepAlive: true });
  readonly #tls: TlsAgent;

  /** `authority`: certificate authority to trust instead of those of Node, in PEM */
  constructor(authority?: string) {
    this.#tls = new TlsAgent({ keepAlive: true, ...(authority !== undefined && { ca: authority }) });
  }

  /** Sends a request. `done` is called once, with the response or the network error. Returns a function that aborts it. */
  send({ url, method, headers, body }: OutgoingRequest, done: (answer: Answer) => void): () => void {
    const tls = url.protocol === "https:";
    const request = (tls ? tlsRequest : plainRequest)(url, {
      method: method.toUpperCase(),
      agent: tls ? this.#tls : this.#plain,
    });
    for (const [key, value] of headers) request.appendHeader(key, value);
    const bytes = Buffer.from(body, "utf8");
    if (bytes.length > 0) request.setHeader("content-length", bytes.length);
    request.on("error", error => done(networkError(error)));
    request.on("response", response => receive(response, done));
    request.end(bytes);
    return () => request.destroy();
  }

  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }
}

function receive(response: IncomingMessage, done: (answer: Answer) => void): void {
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => chunks.push(chunk));
  response.on("error", error => done(networkError(error)));
  response.on("end", () => {
    const headers: [string, string][] = [];
    for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) {
      headers.push([response.rawHeaders[i] ?? "", response.rawHeaders[i + 1] ?? ""]);
    }
    done({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8"), headers });
  });
}

function networkError(error: NodeJS.ErrnoException): Answer {
  const numbers: Readonly<Record<string, number>> = constants.errno;
  return failure(numbers[error.code ?? ""] ?? 0, error.message);
}

/** A failed request. `errorCode` is a Linux errno. */
export function failure(errorCode: number, errorMessage: string): Answer {
  return { error: { errorCode, errorMessage } };
}
