import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { Contract } from "../reference/contract.ts";
import { takeBlocks } from "../reference/stream.ts";
import type { Surroundings } from "./journal.ts";
import type { FeedReader, Told } from "./ledger/feed.ts";
import type { Heard } from "./ledger/order.ts";

const AGAIN_MS = 50;
const LINE = /§§(line (\d+))"$/;

/** Somebody who reads all events, and goes on from the last one whenever a connection has ended. */
export class Reader implements FeedReader {
  readonly name: string;
  readonly told: Told[] = [];
  readonly gaps: number[] = [];
  connections = 0;
  readonly #url: string;
  readonly #around: Surroundings;
  #place = "";
  #asked: ClientRequest | undefined;
  #isOver = false;

  constructor(name: string, base: string, around: Surroundings) {
    this.name = name;
    const of = around.server === undefined ? "" : `&server=${around.server}`;
    this.#url = `${base}/events?since=0${of}`;
    this.#around = around;
    this.#connect();
  }

  /** Lines of the game that have come. */
  get lines(): Heard[] {
    return this.told.flatMap(({ at, what }) => {
      const [, text] = LINE.exec(what) ?? [];
      return text === undefined ? [] : [{ at, text }];
    });
  }

  /** Number of the last line of the game that has come; 0 where none has. */
  get lastLine(): number {
    const last = this.told.findLast(({ what }) => LINE.test(what));
    return Number(LINE.exec(last?.what ?? "")?.[2] ?? 0);
  }

  /** Whether a line of the game has come. */
  hasHeard(line: string | undefined): boolean {
    return this.told.some(({ what }) => what.endsWith(`§§${line}"`));
  }

  /** The connection goes, and another one comes. */
  drop(): void {
    this.#asked?.destroy();
  }

  end(): void {
    this.#isOver = true;
    this.drop();
  }

  #connect(): void {
    this.#around.journal.trace(`${this.name} goes on from ${this.#place || "the beginning"}`);
    const asked = get(this.#url, { agent: false, headers: { "Last-Event-ID": this.#place } });
    this.#asked = asked;
    asked.on("error", () => undefined);
    asked.on("response", res => this.#read(res));
    asked.on("close", () => {
      if (!this.#isOver) setTimeout(() => this.#connect(), AGAIN_MS);
    });
  }

  #read(res: IncomingMessage): void {
    this.connections++;
    let rest = "";
    const header = (name: string): string | null => res.headers[name.toLowerCase()]?.toString() ?? null;
    this.#hold(contract => {
      const seen = { method: "GET", path: "/events", status: res.statusCode ?? 0, header };
      contract.answer({ ...seen, text: undefined });
      if (res.statusCode === 503 && this.#around.isShared) return;
      if (res.statusCode !== 200) throw new Error(`a stream was answered with ${res.statusCode}`);
    });
    res.on("error", () => undefined);
    res.setEncoding("utf8").on("data", (text: string) => {
      const taken = takeBlocks(rest + text);
      ({ rest } = taken);
      for (const block of taken.blocks) this.#hold(contract => this.#take(contract, block));
    });
  }

  #take(contract: Contract, text: string): void {
    const { id, event, data } = contract.streamed("/events", text);
    const at = this.#around.journal.now();
    if (id !== undefined) this.#place = id;
    this.#around.journal.trace(`${this.name} is told ${event ?? "its place"} ${id ?? ""}`);
    if (event === "gap") this.gaps.push(at);
    else if (event !== undefined && id !== undefined) {
      const { content } = data as { content?: string };
      this.told.push({ at, id, what: `${event} ${JSON.stringify(content ?? data)}` });
    }
  }

  #hold(check: (contract: Contract) => void): void {
    this.#around.journal.hold(this.name, () => check(this.#around.contract));
  }
}
