import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request } from "node:http";
import type { Contract } from "../../lab/reference/contract.ts";
import { takeBlocks } from "../../lab/reference/stream.ts";
import { noting } from "./breaches.ts";
import { contractOf } from "./contract.ts";

// Own connections: checks.

/** What a stream has said, as a browser reads it (HTML, section 9.2.6). */
export interface StreamEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

/** Events in short: chat by its text, joins as `+Steve`, leaves as `-Steve`. */
export const short = (events: readonly Pick<StreamEvent, "event" | "data">[]): string[] =>
  events.map(({ event, data }) => {
    const { content, player, state } = data as {
      content?: string;
      player?: { name: string };
      state?: string;
    };
    if (event === "join") return `+${player?.name}`;
    if (event === "leave") return `-${player?.name}`;
    return content?.replace("§§<Steve> §§", "") ?? state ?? event;
  });

/** A reader of `GET /events`. What it gets has to be in the description. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  /** comment lines, without their colon */
  readonly comments: string[] = [];
  /** everything that came, as it came */
  text = "";
  /** the place that a browser would name when it connects again */
  lastEventId = "";
  retry: number | undefined;
  isClosed = false;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #res: IncomingMessage;
  readonly #contract: Contract;
  #rest = "";
  #wake: (() => void)[] = [];

  private constructor(res: IncomingMessage, contract: Contract) {
    this.#res = res;
    this.#contract = contract;
    this.status = res.statusCode ?? 0;
    this.headers = res.headers;
    res.setEncoding("utf8");
    res.on("data", (text: string) => this.#read(text));
    const isStream = res.headers["content-type"] === "text/event-stream";
    const header = (name: string): string | null => res.headers[name.toLowerCase()]?.toString() ?? null;
    const seen = { method: "GET", path: "/events", status: this.status, header };
    if (isStream) noting(() => contract.answer({ ...seen, text: undefined }));
    res.on("close", () => {
      this.isClosed = true;
      if (!isStream && res.complete) noting(() => contract.answer({ ...seen, text: this.text }));
      this.#changed();
    });
    res.on("error", () => undefined);
  }

  /** Resolves with the headers; the body of an answer that is no stream is read like one, into `text`. */
  static open(base: string, query = "", headers: Record<string, string> = {}): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const asked = request(`${base}/events${query}`, { headers, agent: false }, res =>
        resolve(new EventStream(res, contractOf(base))),
      );
      asked.on("error", reject);
      asked.end();
    });
  }

  /** Calls back with each event that comes from now on. */
  on(listener: (event: StreamEvent) => void): void {
    this.#listeners.push(listener);
  }
  readonly #listeners: ((event: StreamEvent) => void)[] = [];

  /** Resolves once `isThere` holds. */
  async until(isThere: (stream: this) => boolean): Promise<void> {
    while (!isThere(this)) {
      if (this.isClosed) throw new Error(`the stream has ended: ${this.text}`);
      await new Promise<void>(resolve => this.#wake.push(resolve));
    }
  }

  /** Resolves with the next `count` events that nobody has waited for yet. */
  async next(count = 1): Promise<StreamEvent[]> {
    const from = this.#taken;
    this.#taken += count;
    await this.until(() => this.events.length >= from + count);
    return this.events.slice(from, from + count);
  }
  #taken = 0;

  /** Resolves when the service has ended the stream. */
  async ended(): Promise<void> {
    while (!this.isClosed) await new Promise<void>(resolve => this.#wake.push(resolve));
  }

  close(): void {
    this.#res.destroy();
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #read(text: string): void {
    this.text += text;
    const { blocks, rest } = takeBlocks(this.#rest + text);
    this.#rest = rest;
    for (const block of blocks) noting(() => this.#block(block));
    this.#changed();
  }

  #block(text: string): void {
    const { id, event, data, retry, comment } = this.#contract.streamed("/events", text);
    if (comment !== undefined) this.comments.push(comment);
    if (retry !== undefined) this.retry = retry;
    if (id !== undefined) this.lastEventId = id;
    if (event === undefined) return;
    this.events.push({ event, id, data });
    for (const listener of this.#listeners) listener({ event, id, data });
  }
}
