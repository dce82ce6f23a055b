import { randomUUID } from "node:crypto";
import { afterEach } from "@jest/globals";
import { systemClock } from "../../sidecar/clock.ts";
import type { Shared } from "../../sidecar/ports/shared.ts";
import { openRedis } from "../../sidecar/redis/open.ts";
import { startSidecar } from "../../sidecar/sidecar.ts";
import { logBounds } from "../../sidecar/webhooks/webhooks.ts";
import { ChatSocket } from "./chat-socket.ts";
import { serves } from "./contract.ts";
import { EventStream } from "./event-stream.ts";
import { RecordingLog } from "./log.ts";
import { FIGURES, TOKEN, testConfig } from "./sidecar.ts";
import { NO_RATES } from "./traffic.ts";

export interface SideOptions {
  /** addresses of Redis */
  url: string;
  prefix?: string;
  sentinel?: string;
  yaml?: string;
  /** what the sidecar gets in place of what it shares with others */
  with?(shared: Shared): Partial<Shared>;
}

/** A sidecar on a Redis; both go by the clocks of this machine. */
export interface RedisSide {
  log: RecordingLog;
  /** addresses of the listeners */
  base: string;
  bridge: string;
  stop(): Promise<void>;
}

/** What a test starts; it is ended after each of them, in the reverse order. */
export function createEnds() {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return (end: () => unknown): void => void ends.push(end);
}

export async function startRedisSide(options: SideOptions): Promise<RedisSide> {
  const { url, prefix = "web-bridge", sentinel = "", yaml = NO_RATES } = options;
  const config = testConfig({ yaml });
  const log = new RecordingLog();
  const shared = await openRedis({
    settings: { url, sentinel, ca: "", prefix },
    machine: systemClock,
    log,
    bounds: logBounds(config),
    token: TOKEN,
    self: { name: randomUUID(), version: "1", settings: "" },
  });
  const sidecar = await startSidecar({
    config,
    token: TOKEN,
    log,
    shared: { ...shared, ...options.with?.(shared) },
    probe: { read: async () => FIGURES },
  });
  const base = `http://127.0.0.1:${sidecar.publicAddress.port}`;
  const forget = serves(base, config.modules.api);
  let stopped: Promise<void> | undefined;
  return {
    log,
    base,
    bridge: `http://127.0.0.1:${sidecar.bridgeAddress.port}`,
    stop: () => {
      stopped ??= sidecar.stop().then(forget);
      return stopped;
    },
  };
}

/** Whoever hears all that is said: a chat socket and an event stream of each sidecar. */
export class Listeners {
  readonly #sockets: ChatSocket[];
  readonly #streams: EventStream[];

  private constructor(sockets: ChatSocket[], streams: EventStream[]) {
    this.#sockets = sockets;
    this.#streams = streams;
  }

  static async open(sides: readonly RedisSide[]): Promise<Listeners> {
    return new Listeners(
      await Promise.all(sides.map(({ base }) => ChatSocket.open(base))),
      await Promise.all(sides.map(({ base }) => EventStream.open(base, "?types=chat,join,leave,server"))),
    );
  }

  get areOpen(): boolean {
    return (
      this.#sockets.every(({ ws }) => ws.readyState === ws.OPEN) &&
      this.#streams.every(({ isClosed }) => !isClosed)
    );
  }

  /** Lines of the game that each of them has heard, in the order in which they came. */
  lines(): string[][] {
    return [
      ...this.#sockets.map(({ received }) =>
        received.filter(({ type }) => type === "CHAT").map(({ content }) => `${content}`),
      ),
      ...this.events("chat").map(events => events.map(({ content }) => `${content}`)),
    ];
  }

  /** Events of a type that each of the streams has told. */
  events(type: string): Record<string, unknown>[][] {
    return this.#streams.map(({ events }) =>
      events.flatMap(({ event, data }) =>
        event === type && typeof data === "object" && data !== null ? [{ ...data }] : [],
      ),
    );
  }

  close(): void {
    for (const { ws } of this.#sockets) ws.terminate();
    for (const stream of this.#streams) stream.close();
  }
}
