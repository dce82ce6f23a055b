import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// Own connections: is a receiver of webhooks, or listens instead of a sidecar.

interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on a free loopback port. */
export interface Receiver {
  /** with a secret path */
  url: string;
  received: ReceivedRequest[];
  /** Responds to each request once its body has arrived; 204 by default. */
  answer: (response: ServerResponse, request: ReceivedRequest) => void;
  /** `data.content` of each request, or Discord's `content` */
  contents(): string[];
  /** number of connections */
  connections: number;
  stop(): Promise<void>;
}

export const answers =
  (status: number, headers: Record<string, string> = {}, body = ""): Receiver["answer"] =>
  response =>
    void response.writeHead(status, headers).end(body);

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      const received = { path, headers, body: Buffer.concat(chunks).toString() };
      receiver.received.push(received);
      receiver.answer(response, received);
    });
  });
  server.on("connection", () => receiver.connections++);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/path-of-hook`,
    received: [],
    answer: answers(204),
    contents: () =>
      receiver.received.map(({ body }) => {
        const { content, data } = JSON.parse(body);
        return content ?? data.content ?? data.state;
      }),
    connections: 0,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

export interface OtherServer {
  port: number;
  /** requested paths */
  paths: string[];
  close(): Promise<void>;
}

/** A listener instead of the sidecar, with its own responses. */
export async function startOtherServer(
  answer: (path: string, response: ServerResponse) => void,
): Promise<OtherServer> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    paths.push(path);
    request.resume();
    request.on("end", () => answer(path, response));
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    paths,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
