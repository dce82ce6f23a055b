import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Journal } from "./journal.ts";
import type { NetFault } from "./plan.ts";

const SOON_MS = 300;
const LOOK_MS = 20;

/** A proxy between pack and sidecar, with faults on demand. */
export class Relay {
  readonly #target: string;
  readonly #journal: Journal;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #faults: { fault: NetFault; until: number }[] = [];
  #isOut = false;
  /** pending requests with a fault */
  #spoilt = 0;

  constructor(target: string, journal: Journal) {
    this.#target = target;
    this.#journal = journal;
    this.#server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => void this.#pass(req, res));
    this.#server.on("connection", socket => {
      if (this.#isOut) return void socket.destroy();
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  /** Starts to listen. @returns its address */
  async open(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next requests get this fault, if they arrive soon. */
  spoil(fault: NetFault, requests: number): void {
    const until = this.#journal.now() + SOON_MS;
    for (let i = 0; i < requests; i++) this.#faults.push({ fault, until });
  }

  /** Resolves when no request has a fault any longer. */
  async settled(): Promise<void> {
    while (this.#spoilt > 0 || this.#faults.some(({ until }) => until > this.#journal.now()))
      await sleep(LOOK_MS);
  }

  /** Closes every connection, and refuses new ones until the fault ends. */
  outage(isOut: boolean): void {
    this.#isOut = isOut;
    if (isOut) for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await textOf(req);
    const now = this.#journal.now();
    this.#faults = this.#faults.filter(({ until }) => until > now);
    const fault = this.#faults.shift()?.fault;
    if (fault === undefined) {
      const gone = new AbortController();
      res.on("close", () => gone.abort());
      return answer(res, await this.#forward(req, body, gone.signal));
    }
    this.#spoilt++;
    await this.#spoil(fault, req, res, body).finally(() => this.#spoilt--);
  }

  /** A request with a fault still reaches the sidecar after the pack has given up. */
  async #spoil(fault: NetFault, req: IncomingMessage, res: ServerResponse, body: string): Promise<void> {
    switch (fault.is) {
      case "lose-request":
        return void res.destroy();
      case "lose-answer":
        await this.#forward(req, body);
        return void res.destroy();
      case "late": {
        await sleep(fault.requestMs);
        const late = await this.#forward(req, body);
        await sleep(fault.answerMs);
        return answer(res, late);
      }
      case "double": {
        const first = this.#forward(req, body);
        const second = sleep(fault.afterMs).then(() => this.#forward(req, body));
        answer(res, await (fault.answer === "first" ? first : second));
        await Promise.all([first, second]);
      }
    }
  }

  /** The sidecar's response; undefined if there is none. */
  async #forward(req: IncomingMessage, body: string, signal?: AbortSignal): Promise<Answer | undefined> {
    if (this.#isOut) return undefined;
    const { authorization = "", "content-type": type = "" } = req.headers;
    try {
      const response = await fetch(`${this.#target}${req.url}`, {
        method: req.method ?? "POST",
        headers: { Authorization: authorization, "Content-Type": type },
        body,
        ...(signal && { signal }),
      });
      return { status: response.status, body: await response.text() };
    } catch {
      return undefined;
    }
  }
}

interface Answer {
  status: number;
  body: string;
}

function answer(res: ServerResponse, given: Answer | undefined): void {
  if (given === undefined || res.destroyed) res.destroy();
  else res.writeHead(given.status, { "Content-Type": "application/json" }).end(given.body);
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
