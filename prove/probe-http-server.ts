import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ProbeHttpServer } from "./probe.ts";
import { fieldsOf, parsed } from "./values.ts";

/** Paths of the service: one answers as the body asks, one breaks the connection. */
export const PATHS = { answer: "/answer", cut: "/cut" };
/** A path that `allowed_uris` holds by its beginning only. */
export const BELOW = "/below/another";
/** Requests at once that the script with the probes may have: three of the pack, and those of one probe. */
export const PROBE_REQUESTS = 8;
/** Largest body that it may send, in bytes: larger than the pack needs, so that no other limit of the game is hidden. */
export const PROBE_BODY_BYTES = 128 * 1024;

/** What `allowed_uris` must hold: the beginning, and whole addresses for a game that compares those. */
export const probeAddresses = (url: string): string[] => [
  `${url}/`,
  ...Object.values(PATHS).map(path => url + path),
];

/** Starts the service at a free port of this machine. */
export async function startProbeHttpServer(): Promise<ProbeHttpServer> {
  const arrived: { path: string; atMs: number }[] = [];
  const waiting = new Set<NodeJS.Timeout>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = "/", socket } = request;
    arrived.push({ path, atMs: performance.now() });
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    if (path === PATHS.cut) return void socket.destroy();
    // How the script asks to be answered.
    const { waitMs, status, answer } = fieldsOf(parsed(text));
    const reply = (): void => {
      waiting.delete(timer);
      const { "content-type": type, "x-probe": header } = request.headers;
      const told = { bytes: Buffer.byteLength(text), type, header };
      response.writeHead(typeof status === "number" ? status : 200, { "content-type": "application/json" });
      response.end(typeof answer === "number" ? "a".repeat(answer) : (answer ?? JSON.stringify(told)));
    };
    const timer = setTimeout(reply, typeof waitMs === "number" ? waitMs : 0);
    waiting.add(timer);
  }

  const server = createServer((request, response) => {
    // Connections that break are what some of the probes are about.
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
