import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import type { ChatMessage } from "../../client/types.ts";
import type { Journal } from "./journal.ts";
import type { Connection, FeedReader } from "./ledger.ts";

const AGAIN_MS = 100;

/** Somebody who stays in the chat: each connection that ends is followed by another one. */
export class Visitor {
  /** all connections that were greeted, the last one perhaps still open */
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

  /** Says the next line, if the chat is open. @returns it */
  speak(): string | undefined {
    if (!this.#open || this.#socket?.readyState !== WebSocket.OPEN) return undefined;
    const text = `${this.#open.name} ${this.#open.said.length + 1}`;
    this.#open.said.push({ text, at: this.#journal.now() });
    this.#socket.send(JSON.stringify({ type: "CHAT", content: text }));
    return text;
  }

  /** Number of the last line of the game on the connection that is open; 0: none. */
  get lastLine(): number {
    return lineOf(this.#open?.heard.findLast(({ text }) => lineOf(text) > 0)?.text);
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
    socket.on("close", code => {
      if (this.#open) this.#open.until = this.#journal.now();
      this.#journal.trace(`${this.#open?.name} closed with ${code}`);
      this.#open = undefined;
      if (!this.#isOver) setTimeout(() => this.#connect(), AGAIN_MS);
    });
  }

  #received({ type, content }: ChatMessage): void {
    const at = this.#journal.now();
    if (type === "VERIFICATION") {
      const name = `${this.name}.${this.connections.length + 1}`;
      this.#open = { name, until: Number.POSITIVE_INFINITY, heard: [], said: [], exceptions: [] };
      this.connections.push(this.#open);
    } else if (type === "CHAT") this.#open?.heard.push({ text: plain(content), at });
    else if (type === "EXCEPTION" && content === "server unavailable") this.#open?.exceptions.push(at);
    else if (type === "EXCEPTION") this.#journal.violation(`${this.name}: a line was answered "${content}"`);
  }
}

/** The line without the player's name and its colours. */
const plain = (content: string): string => content.replace(/^§§<[^>]*> §§/, "");

/** Number of a line of the game. */
const lineOf = (text = ""): number => Number(/^line (\d+)$/.exec(text)?.[1] ?? 0);

/** Somebody who reads all events, and goes on from the last one whenever a connection has ended. */
export class Reader implements FeedReader {
  readonly name: string;
  readonly delivered: { at: number; id: string; what: string }[] = [];
  readonly gaps: number[] = [];
  readonly #base: string;
  readonly #journal: Journal;
  #place = "";
  #request: ClientRequest | undefined;
  #isOver = false;

  constructor(name: string, base: string, journal: Journal) {
    this.name = name;
    this.#base = base;
    this.#journal = journal;
    this.#connect();
  }

  /** Texts of the chat in their order. */
  get texts(): string[] {
    return this.delivered.flatMap(({ what }) =>
      what.startsWith("chat ") ? [what.slice("chat ".length)] : [],
    );
  }

  /** Number of the last line of the game that has come; 0: none. */
  get lastLine(): number {
    return lineOf(this.texts.findLast(text => lineOf(text) > 0));
  }

  drop(): void {
    this.#request?.destroy();
  }

  end(): void {
    this.#isOver = true;
    this.drop();
  }

  #connect(): void {
    const headers = { "Last-Event-ID": this.#place };
    const request = get(`${this.#base}/events?since=0`, { agent: false, headers }, res => this.#read(res));
    this.#request = request;
    request.on("error", () => undefined);
    request.on("close", () => {
      if (!this.#isOver) setTimeout(() => this.#connect(), AGAIN_MS);
    });
  }

  #read(res: IncomingMessage): void {
    res.on("error", () => undefined);
    if (res.statusCode !== 200) return void res.resume();
    let rest = "";
    res.setEncoding("utf8").on("data", (text: string) => {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    });
  }

  #take(block: string): void {
    const field = (name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
    const [id, event, data = "{}"] = [field("id"), field("event"), field("data")];
    if (id !== undefined) this.#place = id;
    const at = this.#journal.now();
    if (event === "gap") this.gaps.push(at);
    else if (event !== undefined && id !== undefined) {
      const { content }: { content?: string } = JSON.parse(data);
      this.delivered.push({ at, id, what: `${event} ${content === undefined ? data : plain(content)}` });
    }
  }
}
