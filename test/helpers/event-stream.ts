import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request } from "node:http";
import type { Contract } from "../../lab/reference/contract.ts";
import { takeBlocks } from "../../lab/reference/stream.ts";
import { noting } from "./breaches.ts";
import { contractOf } from "./contract.ts";

// Own connections: checks.

/** A parsed event stream, as in a browser (HTML, section 9.2.6). */
export interface StreamEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

/** Events in short form: chat messages as text, joins as `+Steve`, leaves as `-Steve`. */
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

/** A subscriber of `GET /events` that checks everything against the documents. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  /** comment lines, without the colon */
  readonly comments: string[] = [];
  /** everything received, unchanged */
  text = "";
  /** the last event id, which a browser sends when it reconnects */
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

  /** Resolves with the headers. The body of another response is read into `text`, too. */
  static open(base: string, query = "", headers: Record<string, string> = {}): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const req = request(`${base}/events${query}`, { headers, agent: false }, res =>
        resolve(new EventStream(res, contractOf(base))),
      );
      req.on("error", reject);
      req.end();
    });
  }

  /** Calls back for each further event. */
  on(listener: (event: StreamEvent) => void): void {
    this.#listeners.push(listener);
  }
  readonly #listeners: ((event: StreamEvent) => void)[] = [];

  /** Resolves once `isThere` returns true. */
  async until(isThere: (stream: this) => boolean): Promise<void> {
    while (!isThere(this)) {
      if (this.isClosed) throw new Error(`the stream has ended: ${this.text}`);
      await new Promise<void>(resolve => this.#wake.push(resolve));
    }
  }

  /** Resolves with the next `count` events that were not awaited yet. */
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
