import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ProbeHost } from "./probe.ts";

/** What a request asks this service for, as JSON in its body. */
interface Wish {
  /** when to answer, in milliseconds */
  readonly waitMs?: number;
  readonly status?: number;
  /** what to answer in the place of what the service tells; so many letters where it is a number */
  readonly answer?: string | number;
  /** takes up room */
  readonly pad?: string;
}

/** What the service tells of a request. */
interface Told {
  /** of its body */
  readonly bytes: number;
  readonly type: string;
  readonly header: string;
  /** number of the connection that it came on */
  readonly connection: number;
  /** wall time of the answer */
  readonly at: number;
}

/** The addresses of the service that requests of the script go to. */
export const PATHS = { answer: "/answer", cut: "/cut", away: "/away" };

/** Where nobody listens. */
export const NOBODY = "http://127.0.0.1:1/nobody";

/** A path that the list of allowed addresses holds by its beginning only. */
export const BELOW = "/below/another";

/** Requests at once that the script with the probes is to be allowed: three of the pack, and those of one probe. */
export const PROBE_REQUESTS = 8;

/** Largest body that it is to be allowed, in bytes of UTF-8: larger than the pack needs, so that another limit shows. */
export const PROBE_BODY_BYTES = 128 * 1024;

/**
 * What `allowed_uris` must hold beside the addresses of the sidecar. It is not known whether the game compares beginnings or the
 * whole: so each address stands there twice.
 */
export const probeAddresses = (url: string): string[] => [
  `${url}/`,
  ...Object.values(PATHS).map(path => url + path),
  NOBODY,
];

const MOST = 1_000;
const MOST_BYTES = 1024 * 1024;
const LONGEST_WAIT_MS = 120_000;

type Arrived = { method: string; path: string; bytes: number; atMs: number; goneAtMs?: number };

/** What the service goes by, beside the time of the trial. */
interface HostTime {
  /** wall time, in milliseconds */
  now(): number;
  /** Calls back after so many milliseconds, unless it is taken back. */
  after(ms: number, callback: () => void): () => void;
}

const systemTime: HostTime = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

type OpenHost = ProbeHost & {
  /** how many requests are held at the moment */
  readonly held: number;
  close(): Promise<void>;
};

/** Begins the service of a trial on this machine, at a free port. `monotonic`: the time of the trial, never set back. */
export async function openProbeHost(monotonic: () => number, time: HostTime = systemTime): Promise<OpenHost> {
  const arrived: Arrived[] = [];
  let connections = 0;
  const numbers = new WeakMap<object, number>();
  const waiting = new Set<() => void>();

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { method = "", url: path = "/", socket } = request;
    const one: Arrived = { method, path, bytes: 0, atMs: monotonic() };
    arrived.push(one);
    if (arrived.length > MOST) arrived.shift();
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      one.bytes += Buffer.byteLength(piece);
      if (one.bytes <= MOST_BYTES) text += piece;
    });
    // A connection that ends is what some of the probes are about.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    response.on("close", () => {
      if (!response.writableFinished) one.goneAtMs = monotonic();
    });
    request.on("end", () => {
      if (path === PATHS.cut) {
        socket.destroy();
        return;
      }
      if (path === PATHS.away) {
        response.writeHead(302, { location: PATHS.answer }).end();
        return;
      }
      const wish = read(text);
      const answer = (): void => {
        waiting.delete(forget);
        const told: Told = {
          bytes: one.bytes,
          type: request.headers["content-type"] ?? "",
          header: String(request.headers["x-probe"] ?? ""),
          connection: numbers.get(socket) ?? 0,
          at: time.now(),
        };
        response.writeHead(wish.status ?? 200, { "content-type": "application/json" });
        response.end(answerOf(wish) ?? JSON.stringify(told));
      };
      const forget = time.after(Math.min(LONGEST_WAIT_MS, wish.waitMs ?? 0), answer);
      waiting.add(forget);
    });
  }

  const server = createServer(serve);
  server.on("connection", socket => numbers.set(socket, ++connections));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    get held() {
      return waiting.size;
    },
    close: () =>
      new Promise(resolve => {
        for (const forget of waiting) forget();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const answerOf = ({ answer }: Wish): string | undefined =>
  typeof answer === "number" ? "a".repeat(Math.min(MOST_BYTES, answer)) : answer;

function read(text: string): Wish {
  try {
    const wish: unknown = JSON.parse(text);
    return typeof wish === "object" && wish !== null ? wish : {};
  } catch {
    return {};
  }
}
