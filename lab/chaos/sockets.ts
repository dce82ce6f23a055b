import { WebSocket } from "ws";
import type { ChatMessage } from "../../client/types.ts";
import type { Surroundings } from "./journal.ts";
import type { Heard } from "./ledger/order.ts";
import type { Mouth } from "./ledger/web-lines.ts";

const AGAIN_MS = 100;
const LINE = "line ";

/** A connection as it goes on. */
interface Connection extends Mouth {
  until: number;
  heard: Heard[];
  said: Heard[];
  exceptions: number[];
}

/** A visitor who stays in the chat: each connection that ends is followed by another one. */
export class Visitor {
  readonly name: string;
  /** all connections that were greeted, the last one perhaps still open */
  readonly connections: Connection[] = [];
  readonly #url: string;
  readonly #around: Surroundings;
  #socket: WebSocket | undefined;
  #connection: Connection | undefined;
  #pausedAt: number | undefined;
  #spoken = 0;
  #isOver = false;

  constructor(name: string, base: string, around: Surroundings) {
    this.name = name;
    const of = around.server === undefined ? "" : `?server=${around.server}`;
    this.#url = `${base.replace("http", "ws")}/chat${of}`;
    this.#around = around;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#connection !== undefined;
  }

  /** Number of the last line of the game that has come by the connection that is open; 0 where none has. */
  get lastLine(): number {
    const last = this.#connection?.heard.findLast(({ text }) => text.startsWith(LINE));
    return Number(last?.text.slice(LINE.length) ?? 0);
  }

  /** Whether it has said this from a moment on. */
  hasSaidSince(text: string, from: number): boolean {
    return this.connections.some(({ said }) => said.some(line => line.at >= from && line.text === text));
  }

  /** Says the next line, if the chat is open. */
  speak(): void {
    if (!this.#connection || this.#socket?.readyState !== WebSocket.OPEN) return;
    const text = `${this.#connection.speaker} ${++this.#spoken}`;
    this.#connection.said.push({ text, at: this.#around.journal.now() });
    this.#socket.send(JSON.stringify({ type: "CHAT", content: text }));
  }

  /** Stops reading, or goes on. */
  pause(isPaused: boolean): void {
    if (isPaused) this.#socket?.pause();
    else this.#socket?.resume();
    this.#pausedAt = isPaused ? this.#around.journal.now() : undefined;
  }

  /** The connection goes without a word. */
  drop(): void {
    this.#socket?.terminate();
  }

  end(): void {
    this.#isOver = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    const { journal, life } = this.#around;
    const ws = new WebSocket(this.#url, { perMessageDeflate: false });
    const number = life();
    this.#socket = ws;
    ws.on("error", () => undefined);
    ws.on("message", data => this.#received(data.toString(), number));
    ws.on("close", code => {
      if (this.#connection) {
        // What came while it did not read was perhaps never read.
        this.#connection.until = this.#pausedAt ?? journal.now();
        journal.trace(`${this.#connection.name} closed with ${code}`);
      }
      this.#connection = undefined;
      this.#pausedAt = undefined;
      if (!this.#isOver) setTimeout(() => this.#connect(), AGAIN_MS);
    });
  }

  #received(text: string, life: number): void {
    const { contract, journal } = this.#around;
    const at = journal.now();
    journal.hold(this.name, () => contract.fromService(text));
    const { type, content } = JSON.parse(text) as ChatMessage;
    if (type === "VERIFICATION") this.#greeted(at, life);
    if (type === "CHAT") this.#connection?.heard.push({ text: plain(content), at });
    if (type !== "EXCEPTION") return;
    if (content === "server unavailable") this.#connection?.exceptions.push(at);
    else journal.violation(`${this.name}: the load was answered "${content}"`);
  }

  #greeted(at: number, life: number): void {
    this.#connection = {
      name: `${this.name} on connection ${this.connections.length + 1}`,
      speaker: this.#around.isShared ? `${this.name}.${this.connections.length + 1}` : this.name,
      life,
      from: at,
      until: Number.POSITIVE_INFINITY,
      heard: [],
      said: [],
      exceptions: [],
    };
    this.connections.push(this.#connection);
    this.#around.journal.trace(`${this.#connection.name} open at sidecar ${life}`);
  }
}

/** The line without the player's name and its colours. */
const plain = (content: string): string => content.replace(/^§§<[^>]*> §§/, "");
