import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { ChatMessage } from "../../client/types.ts";
import type { Contract } from "../../lab/reference/contract.ts";
import { noting } from "./breaches.ts";
import { contractOf } from "./contract.ts";

// Own connections: checks.

/**
 * A chat socket whose messages a test reads one at a time. Each is checked against the documents. Messages of the test match
 * them, too, or get an EXCEPTION before `settled` resolves.
 */
export class ChatSocket {
  readonly ws: WebSocket;
  readonly #contract: Contract;
  #raw: Socket | undefined;
  /** sent messages that are not described and have no EXCEPTION yet */
  #unrefused: string[] = [];
  readonly received: ChatMessage[] = [];
  readonly closed: Promise<number>;
  readonly #waiting: ((message: ChatMessage) => void)[] = [];
  #unread = 0;

  constructor(base: string, headers: Record<string, string> = {}, query = "") {
    this.#contract = contractOf(base);
    this.ws = new WebSocket(`${base.replace("http", "ws")}/chat${query}`, { headers });
    this.ws.on("upgrade", ({ socket }) => {
      this.#raw = socket;
    });
    watchReceived(this.ws, this.#contract);
    this.ws.on("message", data => {
      const message = JSON.parse(data.toString()) as ChatMessage;
      if (message.type === "EXCEPTION") this.#unrefused.shift();
      this.received.push(message);
      const waiting = this.#waiting.shift();
      if (waiting) {
        this.#unread++;
        waiting(message);
      }
    });
    this.closed = new Promise(resolve => this.ws.on("close", resolve));
    this.ws.on("error", () => undefined);
  }

  /** Connects and reads the greeting. */
  static async open(base: string, headers: Record<string, string> = {}, query = ""): Promise<ChatSocket> {
    const socket = new ChatSocket(base, headers, query);
    await socket.next();
    return socket;
  }

  /** The next unread message. */
  next(): Promise<ChatMessage> {
    const next = this.received[this.#unread + this.#waiting.length];
    if (next && this.#waiting.length === 0) {
      this.#unread++;
      return Promise.resolve(next);
    }
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  /** The unread messages, without waiting. */
  unread(): ChatMessage[] {
    const rest = this.received.slice(this.#unread);
    this.#unread = this.received.length;
    return rest;
  }

  send(value: unknown): void {
    const data = typeof value === "string" || Buffer.isBuffer(value) ? value : JSON.stringify(value);
    if (typeof data !== "string" || !this.#contract.fromClient(data)) this.#unrefused.push(`${data}`);
    this.ws.send(data);
  }

  say(content: string): void {
    this.send({ type: "CHAT", content });
  }

  /** Sends these messages in one write; otherwise the service may stop reading between two of them until its clock advances. */
  sendAll(count: number, message: (index: number) => unknown): void {
    this.#raw?.cork();
    for (let i = 0; i < count; i++) this.send(message(i));
    this.#raw?.uncork();
  }

  /** Sends the same message this many times, numbered, in one write. */
  sayAll(count: number, line = "line"): void {
    this.sendAll(count, i => ({ type: "CHAT", content: `${line} ${i}` }));
  }

  /** Sends a PING, whose PONG comes after everything before it has been processed. */
  async settled(): Promise<ChatMessage[]> {
    this.send({ type: "PING" });
    const before: ChatMessage[] = [];
    for (;;) {
      const message = await this.next();
      if (message.type !== "PONG") before.push(message);
      else if (this.#unrefused.length === 0) return before;
      else throw new Error(`clients may not send this, and it was not refused: ${this.#unrefused.join()}`);
    }
  }

  async close(): Promise<void> {
    this.ws.close();
    await this.closed;
  }
}

/** Checks the handshake and every received message against the documents; an error fails the test when it ends. */
function watchReceived(ws: WebSocket, contract: Contract): void {
  ws.on("upgrade", ({ headers }) =>
    noting(() => {
      const header = (name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null;
      contract.answer({ method: "GET", path: "/chat", status: 101, header, text: "" });
    }),
  );
  ws.on("message", (data, isBinary) =>
    noting(() => {
      if (isBinary) throw new Error("the service may not send bytes");
      contract.fromService(data.toString());
    }),
  );
}

/** Checks a tested program against the documents: everything that it receives and sends. */
export function watched(ws: WebSocket): WebSocket {
  const contract = contractOf(ws.url);
  watchReceived(ws, contract);
  const send = ws.send.bind(ws);
  ws.send = (data: string) => {
    noting(() => {
      if (!contract.fromClient(data)) throw new Error(`clients may not send ${data}`);
    });
    send(data);
  };
  return ws;
}

/** The status and body of a rejected upgrade, checked against the documents. */
export function refusedUpgrade(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url.replace("http", "ws"), { headers });
    ws.on("open", () => {
      ws.terminate();
      reject(new Error("the upgrade was not refused"));
    });
    ws.on("error", reject);
    ws.on("unexpected-response", (_req, res) => {
      let body = "";
      res.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      res.on("end", () => {
        ws.removeAllListeners("error").on("error", () => undefined);
        const status = res.statusCode ?? 0;
        noting(() =>
          contractOf(url).answer({
            method: "GET",
            path: new URL(url).pathname,
            status,
            header: name => res.headers[name.toLowerCase()]?.toString() ?? null,
            text: body,
          }),
        );
        resolve({ status, body, headers: res.headers });
      });
    });
  });
}
