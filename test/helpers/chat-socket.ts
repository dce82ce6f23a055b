import { WebSocket } from "ws";
import type { Message } from "../../sidecar/http/frames.ts";

/** A chat socket whose messages a test reads one by one. */
export class ChatSocket {
  readonly ws: WebSocket;
  readonly received: Message[] = [];
  readonly closed: Promise<number>;
  readonly #waiting: ((message: Message) => void)[] = [];
  #unread = 0;

  constructor(base: string, headers: Record<string, string> = {}) {
    this.ws = new WebSocket(`${base.replace("http", "ws")}/chat`, { headers });
    this.ws.on("message", data => {
      const message = JSON.parse(data.toString()) as Message;
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
  static async open(base: string, headers: Record<string, string> = {}): Promise<ChatSocket> {
    const socket = new ChatSocket(base, headers);
    await socket.next();
    return socket;
  }

  /** The next message that was not read yet. */
  next(): Promise<Message> {
    const held = this.received[this.#unread + this.#waiting.length];
    if (held && this.#waiting.length === 0) {
      this.#unread++;
      return Promise.resolve(held);
    }
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  /** Messages that were received and not read, without waiting. */
  unread(): Message[] {
    const rest = this.received.slice(this.#unread);
    this.#unread = this.received.length;
    return rest;
  }

  send(value: unknown): void {
    this.ws.send(typeof value === "string" || Buffer.isBuffer(value) ? value : JSON.stringify(value));
  }

  say(content: string): void {
    this.send({ type: "CHAT", content });
  }

  /** A PING that is answered only after everything before it has been dealt with. */
  async settled(): Promise<Message[]> {
    this.send({ type: "PING" });
    const before: Message[] = [];
    for (;;) {
      const message = await this.next();
      if (message.type === "PONG") return before;
      before.push(message);
    }
  }

  async close(): Promise<void> {
    this.ws.close();
    await this.closed;
  }
}

/** The status and body of a refused upgrade. */
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
        resolve({ status: res.statusCode ?? 0, body, headers: res.headers });
      });
    });
  });
}
