import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request } from "node:http";

/** What a stream has said, as a browser reads it (HTML, section 9.2.6). */
export interface StreamEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

/** A reader of `GET /events`. */
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
  #rest = "";
  #wake: (() => void)[] = [];

  private constructor(res: IncomingMessage) {
    this.#res = res;
    this.status = res.statusCode ?? 0;
    this.headers = res.headers;
    res.setEncoding("utf8");
    res.on("data", (text: string) => this.#read(text));
    res.on("close", () => {
      this.isClosed = true;
      this.#changed();
    });
    res.on("error", () => undefined);
  }

  /** Resolves with the headers; the body of an answer that is no stream is read like one, into `text`. */
  static open(base: string, query = "", headers: Record<string, string> = {}): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const asked = request(`${base}/events${query}`, { headers, agent: false }, res =>
        resolve(new EventStream(res)),
      );
      asked.on("error", reject);
      asked.end();
    });
  }

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

  /** Reads nothing any more. */
  pause(): void {
    this.#res.pause();
  }

  close(): void {
    this.#res.destroy();
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #read(text: string): void {
    this.text += text;
    this.#rest += text;
    for (let end = this.#rest.indexOf("\n\n"); end >= 0; end = this.#rest.indexOf("\n\n")) {
      this.#block(this.#rest.slice(0, end).split("\n"));
      this.#rest = this.#rest.slice(end + 2);
    }
    this.#changed();
  }

  #block(lines: string[]): void {
    let event: string | undefined;
    let id: string | undefined;
    let data: string | undefined;
    for (const line of lines) {
      if (line.startsWith(":")) {
        this.comments.push(line.slice(1).trim());
        continue;
      }
      const [field, value = ""] = line.split(/: (.*)/s);
      if (field === "event") event = value;
      else if (field === "id") id = value;
      else if (field === "data" && data === undefined) data = value;
      else if (field === "retry") this.retry = Number(value);
      else throw new Error(`no line of a stream of ours: ${line}`);
    }
    if (id !== undefined) this.lastEventId = id;
    if (event === undefined && data === undefined) return;
    if (event === undefined || data === undefined) throw new Error(`half an event: ${lines.join("\\n")}`);
    this.events.push({ event, id, data: JSON.parse(data) });
  }
}
