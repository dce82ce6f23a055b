import { WebSocket } from "ws";
import { createEvents, type Events } from "../../client/events.ts";
import type { ChatMessage } from "../../client/types.ts";
import type { Journal } from "./journal.ts";
import type { Connection, FeedReader } from "./ledger.ts";

const AGAIN_MS = 100;

/** A client that stays in the chat and reconnects whenever its connection ends. */
export class Visitor {
  /** all connections that got a greeting; the last one may still be open */
  readonly connections: Connection[] = [];
  readonly name: string;
  readonly #url: string;
  readonly #journal: Journal;
  #socket: WebSocket | undefined;
  #open: Connection | undefined;
  #isOver = false;

  constructor(name: string, base: string, journal: Journal) {
    this.name = name;
    this.#url = `${base.replace("http", "ws")}/chat`;
    this.#journal = journal;
    this.#connect();
  }

  /** Sends the next message, if the chat is open. @returns it */
  speak(): string | undefined {
    if (!this.#open || this.#socket?.readyState !== WebSocket.OPEN) return undefined;
    const text = `${this.#open.name} ${this.#open.said.length + 1}`;
    this.#open.said.push({ text, at: this.#journal.now() });
    this.#socket.send(JSON.stringify({ type: "CHAT", content: text }));
    return text;
  }

  /** Number of the last game message on the open connection; 0: none. */
  get lastLine(): number {
    return lineOf(this.#open?.received.findLast(({ text }) => lineOf(text) > 0)?.text);
  }

  drop(): void {
    this.#socket?.terminate();
  }

  end(): void {
    this.#isOver = true;
    this.drop();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, { perMessageDeflate: false });
    this.#socket = socket;
    socket.on("error", () => undefined);
    socket.on("message", data => this.#received(JSON.parse(String(data))));
    socket.on("close", () => {
      if (this.#open) this.#open.until = this.#journal.now();
      this.#open = undefined;
      if (!this.#isOver) setTimeout(() => this.#connect(), AGAIN_MS);
    });
  }

  #received({ type, content }: ChatMessage): void {
    const at = this.#journal.now();
    if (type === "VERIFICATION") {
      const name = `${this.name}.${this.connections.length + 1}`;
      this.#open = { name, until: Number.POSITIVE_INFINITY, received: [], said: [], exceptions: [] };
      this.connections.push(this.#open);
    } else if (type === "CHAT") this.#open?.received.push({ text: plain(content), at });
    else if (type === "EXCEPTION" && content === "server unavailable") this.#open?.exceptions.push(at);
    else if (type === "EXCEPTION") this.#journal.violation(`${this.name}: a line was answered "${content}"`);
  }
}

/** The message without the player's name and colours. */
const plain = (content: string): string => content.replace(/^§§<[^>]*> §§/, "");

/** Number of a game message. */
const lineOf = (text = ""): number => Number(/^line (\d+)$/.exec(text)?.[1] ?? 0);

/** A subscriber of all events that uses the product's client, which resumes after each interruption. */
export class Reader implements FeedReader {
  readonly name: string;
  readonly delivered: { at: number; id: string; what: string }[] = [];
  readonly gaps: number[] = [];
  readonly #base: string;
  readonly #journal: Journal;
  #events: Events;

  constructor(name: string, base: string, journal: Journal) {
    this.name = name;
    this.#base = base;
    this.#journal = journal;
    this.#events = this.#follow("0");
  }

  /** Chat messages in order. */
  get texts(): string[] {
    return this.delivered.flatMap(({ what }) =>
      what.startsWith("chat ") ? [what.slice("chat ".length)] : [],
    );
  }

  /** Number of the last game message received; 0: none. */
  get lastLine(): number {
    return lineOf(this.texts.findLast(text => lineOf(text) > 0));
  }

  drop(): void {
    this.end();
    this.#events = this.#follow(this.#events.place ?? "0");
  }

  end(): void {
    this.#events.close();
  }

  #follow(since: string): Events {
    return createEvents({
      ...{ base: this.#base, since },
      onGap: () => this.gaps.push(this.#journal.now()),
      onEvent: ({ id, event, ...data }) => {
        const what = "content" in data ? plain(data.content) : JSON.stringify(data);
        this.delivered.push({ at: this.#journal.now(), id, what: `${event} ${what}` });
      },
    });
  }
}
