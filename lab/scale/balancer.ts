import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Forwarding, headersFor, rawHead, withoutHops } from "./forwarded.ts";

/** The sidecar itself must reject requests that are too large. */
const HEAD_BYTES = 256 * 1024;
/** As in other proxies. With Node's default of 5 s, a slow client may send a request just when its connection is closed. */
const KEEP_ALIVE_MS = 75_000;
/** `HTTP/1.1 101` and similar. */
const STATUS = /^HTTP\/1\.\d (\d{3})/;

/** A server behind a balancer. */
export interface Target {
  name: string;
  /** address without a path */
  url: string;
}

export interface BalancerOptions {
  targets: readonly Target[];
  /** 0, the default: any free port of the loopback interface */
  port?: number;
  /** how targets get the client's address; default: in a header, as most balancers do */
  addresses?: Forwarding;
  /** called when a target has begun to respond */
  onServed?(target: Target, method: string, path: string, status: number): void;
}

interface Waiting {
  target: Target;
  path: string;
}

/**
 * Gives each request to the next of its targets, also on a keep-alive connection; from an upgrade on, the whole connection. It
 * skips targets that refuse the connection. If all fail, or one fails during a request, it closes the connection. It uses Node's
 * HTTP: proxy libraries have one target, without rotation, retries and counts.
 */
export class Balancer {
  readonly #options: BalancerOptions;
  #turn = 0;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;
  readonly #raw = new Set<Duplex>();
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  private constructor(options: BalancerOptions) {
    this.#options = options;
    const limits = { maxHeaderSize: HEAD_BYTES, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS };
    this.#server = createServer(limits, (req, res) => this.#pass(req, res, this.#next()));
    this.#server.on("upgrade", (req, socket, head) => this.#passRaw(req, socket, head, this.#next()));
  }

  /** @throws when the port is in use */
  static async open(options: BalancerOptions): Promise<Balancer> {
    const balancer = new Balancer(options);
    await once(balancer.#server.listen(options.port ?? 0, "127.0.0.1"), "listening");
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** its origin, without a trailing slash */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Number of requests that each target has begun to respond to, by its name. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Requests that wait for the response of a target. */
  get waiting(): Waiting[] {
    return [...this.#waiting];
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeAllConnections();
    for (const socket of this.#raw) socket.destroy();
    this.#agent.destroy();
    await closed;
  }

  /** All targets in the order in which a request tries them. */
  #next(): Target[] {
    const { targets } = this.#options;
    const from = this.#turn++ % targets.length;
    return [...targets.slice(from), ...targets.slice(0, from)];
  }

  #pass(req: IncomingMessage, res: ServerResponse, [target, ...others]: Target[]): void {
    if (!target) return void res.destroy();
    const { addresses = "header" } = this.#options;
    const { hostname, port } = new URL(target.url);
    const { method, url: path } = req;
    const headers = headersFor(req, addresses);
    const localAddress = addresses === "kept" ? { localAddress: req.socket.remoteAddress } : {};
    const out = request({ hostname, port, path, method, headers, agent: this.#agent, ...localAddress });
    const waiting = { target, path: path ?? "" };
    let isSent = false;
    const send = (): void => {
      isSent = true;
      this.#waiting.add(waiting);
      req.pipe(out);
    };
    out.once("close", () => this.#waiting.delete(waiting));
    out.once("socket", socket => {
      if (socket.connecting) socket.once("connect", send);
      else send();
    });
    out.on("response", answer => {
      const { statusCode = 0, statusMessage } = answer;
      this.#waiting.delete(waiting);
      this.#served(target, req, statusCode);
      res.writeHead(statusCode, statusMessage, withoutHops(answer.rawHeaders));
      res.flushHeaders();
      answer.on("error", () => res.destroy());
      answer.pipe(res);
    });
    out.on("error", () => {
      // A target that received nothing has done nothing. A reused connection may have been closed in the meantime.
      const isUntouched = !isSent || (out.reusedSocket && !res.headersSent && isRepeatable(req));
      if (isUntouched && !res.destroyed) this.#pass(req, res, others);
      else if (!res.writableEnded) res.destroy();
    });
    res.on("close", () => {
      if (!res.writableFinished) out.destroy();
    });
  }

  /** Forwards the bytes of a connection in both directions, after the head of its request. */
  #passRaw(req: IncomingMessage, near: Duplex, head: Buffer, [target, ...others]: Target[]): void {
    if (!target) return void near.destroy();
    const { addresses = "header" } = this.#options;
    const { hostname: host, port } = new URL(target.url);
    const localAddress = addresses === "kept" ? req.socket.remoteAddress : undefined;
    const far = connect({ host, port: Number(port), ...(localAddress ? { localAddress } : {}) });
    let isConnected = false;
    this.#keep(near);
    this.#keep(far);
    far.on("error", () => {
      if (isConnected || near.destroyed) near.destroy();
      else this.#passRaw(req, near, head, others);
    });
    far.once("connect", () => {
      isConnected = true;
      far.setNoDelay(true);
      far.write(rawHead(req, addresses));
      far.write(head);
      near.pipe(far).pipe(near);
      near.on("close", () => far.destroy());
    });
    far.once("data", (first: Buffer) => {
      const [, status = "0"] = STATUS.exec(first.toString("latin1", 0, 16)) ?? [];
      this.#served(target, req, Number(status));
    });
  }

  #keep(socket: Duplex | Socket): void {
    if (this.#raw.has(socket)) return;
    this.#raw.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#raw.delete(socket));
  }

  #served(target: Target, { method = "", url = "" }: IncomingMessage, status: number): void {
    this.#counts.set(target.name, (this.#counts.get(target.name) ?? 0) + 1);
    this.#options.onServed?.(target, method, url, status);
  }
}

const isRepeatable = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";
