import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ProbeHttpServer } from "./probe.ts";
import { fieldsOf, parsed } from "./values.ts";

/** Paths of the server: one answers as the body requests, one breaks the connection. */
export const PATHS = { answer: "/answer", cut: "/cut" };
/** A path whose prefix alone is in `allowed_uris`. */
export const BELOW = "/below/another";
/** Concurrent requests of the script: three of the pack, and those of one probe. */
export const PROBE_REQUESTS = 8;
/** Largest body of the script, in bytes: larger than the pack needs, to find other limits of the game. */
export const PROBE_BODY_BYTES = 128 * 1024;

/** Addresses for `allowed_uris`, in both forms: it is unknown whether the game compares prefixes or complete addresses. */
export const probeAddresses = (url: string): string[] => [
  `${url}/`,
  ...Object.values(PATHS).map(path => url + path),
];

/** Starts the server at a free port of this machine. */
export async function startProbeHttpServer(): Promise<ProbeHttpServer> {
  const arrived: { path: string; atMs: number }[] = [];
  const waiting = new Set<NodeJS.Timeout>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = "/", socket } = request;
    arrived.push({ path, atMs: performance.now() });
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    if (path === PATHS.cut) return void socket.destroy();
    // The request of the script contains the wanted response.
    const { waitMs, status, answer } = fieldsOf(parsed(text));
    const reply = (): void => {
      waiting.delete(timer);
      const { "content-type": type, "x-probe": header } = request.headers;
      const summary = { bytes: Buffer.byteLength(text), type, header };
      response.writeHead(typeof status === "number" ? status : 200, { "content-type": "application/json" });
      response.end(typeof answer === "number" ? "a".repeat(answer) : (answer ?? JSON.stringify(summary)));
    };
    const timer = setTimeout(reply, typeof waitMs === "number" ? waitMs : 0);
    waiting.add(timer);
  }

  const server = createServer((request, response) => {
    // Some probes break connections.
    response.on("error", () => undefined);
    serve(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    arrived,
    async close() {
      for (const timer of waiting) clearTimeout(timer);
      const closed = once(server.close(), "close");
      server.closeAllConnections();
      await closed;
    },
  };
}
