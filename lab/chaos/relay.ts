import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Journal } from "./journal.ts";
import type { NetFault } from "./plan.ts";
import type { Wire } from "./wire.ts";

interface Answer {
  status: number;
  body: string;
}

const SOON_MS = 300;
const LOOK_MS = 20;

/** Stands between pack and sidecar and passes on every request, with faults on demand. */
export class Relay {
  readonly #target: URL;
  readonly #life: () => number;
  readonly #journal: Journal;
  readonly #wire: Wire;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #sockets = new Set<Socket>();
  readonly #swallowed = new Set<ServerResponse>();
  readonly #server: Server;
  #faults: { fault: NetFault; until: number }[] = [];
  #isOut = false;
  /** requests under way that have a fault */
  #spoiling = 0;

  /** `life`: which process of the sidecar is there */
  constructor(target: string, journal: Journal, wire: Wire, life: () => number) {
    this.#life = life;
    this.#target = new URL(target);
    this.#journal = journal;
    this.#wire = wire;
    this.#server = createServer((req, res) => void this.#pass(req, res));
    this.#server.keepAliveTimeout = 65_000;
    this.#server.on("connection", socket => {
      if (this.#isOut) {
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  /** Begins to listen; its address. */
  async open(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next requests get this fault, if they come soon. */
  spoil(fault: NetFault, requests: number): void {
    const until = this.#journal.now() + SOON_MS;
    for (let i = 0; i < requests; i++) this.#faults.push({ fault, until });
  }

  /** Settles when no request is spoilt any more. */
  async settled(): Promise<void> {
    while (this.#spoiling > 0 || this.#faults.some(({ until }) => until > this.#journal.now()))
      await sleep(LOOK_MS);
  }

  /** Cuts every connection; further ones are refused until it is over. */
  outage(isOut: boolean): void {
    this.#isOut = isOut;
    if (isOut) for (const socket of this.#sockets) socket.destroy();
  }

  /** From now on all is well, and what was swallowed is known to be lost. */
  heal(): void {
    this.#faults = [];
    this.#isOut = false;
    for (const res of this.#swallowed) res.destroy();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  async #pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await read(req);
    const now = this.#journal.now();
    this.#faults = this.#faults.filter(({ until }) => until > now);
    const fault = this.#faults.shift()?.fault;
    if (!fault) return this.#passOn(req, res, body, fault);
    this.#journal.trace(`${req.url} ${JSON.stringify(fault)}`);
    await this.#spoilt(this.#passOn(req, res, body, fault));
  }

  #spoilt<T>(work: Promise<T>): Promise<T> {
    this.#spoiling++;
    return work.finally(() => {
      this.#spoiling--;
    });
  }

  async #passOn(
    req: IncomingMessage,
    res: ServerResponse,
    body: string,
    fault: NetFault | undefined,
  ): Promise<void> {
    if (fault?.is === "late") await sleep(fault.requestMs);
    const seen = fault?.is === "lose-request" || fault?.is === "lose-answer" ? fault.seen : "at once";
    if (fault?.is === "lose-request") return this.#lose(res, seen);
    const gone = new AbortController();
    // What is spoilt goes on to the other side though the sender has given it up.
    if (!fault) res.on("close", () => gone.abort());
    const forward = () => this.#forward(req, body, gone.signal);
    const first = fault ? this.#spoilt(forward()) : forward();
    const second = fault?.is === "double" ? this.#spoilt(sleep(fault.afterMs).then(forward)) : undefined;
    const answer = await (fault?.is === "double" && fault.answer === "second" ? second : first);
    if (fault?.is === "late") await sleep(fault.answerMs);
    if (!answer || fault?.is === "lose-answer") return this.#lose(res, answer ? seen : "at once");
    if (res.destroyed) return;
    res.writeHead(answer.status, { "Content-Type": "application/json" }).end(answer.body);
  }

  #lose(res: ServerResponse, seen: "at once" | "never"): void {
    if (seen === "at once") return void res.destroy();
    this.#swallowed.add(res);
    res.on("close", () => this.#swallowed.delete(res));
  }

  /** The sidecar's answer; undefined when there is none. */
  #forward(req: IncomingMessage, body: string, signal: AbortSignal): Promise<Answer | undefined> {
    const path = req.url ?? "/";
    const { authorization = "", "content-type": type = "" } = req.headers;
    const headers = { Authorization: authorization, "Content-Type": type };
    if (!this.#isOut) this.#wire.asked(this.#life(), path, body);
    return new Promise(resolve => {
      if (this.#isOut) return resolve(undefined);
      const url = new URL(path, this.#target);
      const out = request(url, { method: req.method, agent: this.#agent, headers, signal });
      out.on("error", () => resolve(undefined));
      out.on("response", incoming =>
        read(incoming).then(
          text => {
            const status = incoming.statusCode ?? 0;
            this.#wire.answered(path, body, status, text);
            resolve({ status, body: text });
          },
          () => resolve(undefined),
        ),
      );
      out.end(body);
    });
  }
}

async function read(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
