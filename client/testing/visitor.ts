import { getEventListeners } from "node:events";
import { WebSocket } from "ws";
import { watched } from "../../test/helpers/chat-socket.ts";
import { checkedFetch } from "../../test/helpers/client.ts";
import type { ManualClock } from "../../test/helpers/clock.ts";
import { type Client, createClient, type Timers } from "../index.ts";

// Own connections: checks, except streams, whose bytes are checked by the tests of their route.

/** The browser of a visitor: it keeps the cookie of the service, and what it has open can be counted. */
export class Visitor {
  readonly #clock: ManualClock;
  /** what it sends of itself; empty while there is none */
  cookie = "";
  keepsCookies = true;
  /** the calls, such as `GET /session` */
  readonly calls: string[] = [];
  readonly sockets: WebSocket[] = [];
  /** called before each call */
  onAsk: ((call: string) => unknown) | undefined;
  /** reads the stream of events */
  stream: (url: string, init: RequestInit) => Promise<Response> = fetch;
  readonly client: Client;
  #timers = 0;

  constructor(base: string, clock: ManualClock) {
    this.#clock = clock;
    this.client = createClient({ base, timers: this.timers, fetch: this.ask });
  }

  readonly ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    const call = `${init.method ?? "GET"} ${pathname}`;
    this.calls.push(call);
    await this.onAsk?.(call);
    const headers = { ...init.headers, ...(this.cookie && { Cookie: this.cookie }) };
    const isStream = pathname === "/events" && !searchParams.has("format");
    const answer = await (isStream ? this.stream : checkedFetch)(url, { ...init, headers });
    const [set] = answer.headers.get("set-cookie")?.split(";") ?? [];
    if (set !== undefined && this.keepsCookies) this.cookie = set;
    return answer;
  };

  readonly connect = (url: string): WebSocket => {
    const headers = this.cookie === "" ? {} : { Cookie: this.cookie };
    const socket = watched(new WebSocket(url, { headers }));
    this.sockets.push(socket);
    return socket;
  };

  /** Those of the test, which count what waits. */
  readonly timers: Timers = {
    now: () => this.#clock.now(),
    after: (ms, callback) => {
      let isOver = false;
      const end = (): void => {
        if (!isOver) this.#timers--;
        isOver = true;
      };
      this.#timers++;
      const cancel = this.#clock.after(ms, () => {
        end();
        callback();
      });
      return () => {
        end();
        cancel();
      };
    },
  };

  /** number of calls of a method and path */
  times(call: string): number {
    return this.calls.filter(one => one === call).length;
  }

  /** Open timers and sockets. */
  get left(): { timers: number; sockets: number } {
    const sockets = this.sockets.filter(({ readyState }) => readyState !== WebSocket.CLOSED).length;
    return { timers: this.#timers, sockets };
  }
}

export const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;
