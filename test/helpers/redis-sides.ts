import { randomUUID } from "node:crypto";
import { afterEach } from "@jest/globals";
import { type RedisOptions, type RedisServer, startRedisServer } from "../../lab/scale/redis-server.ts";
import { logBounds } from "../../sidecar/features/webhooks/webhooks.ts";
import type { SharedState } from "../../sidecar/kernel/shared.ts";
import { openRedis } from "../../sidecar/kernel/storage/redis/open.ts";
import { migrateRedis } from "../../sidecar/migrations/redis.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { startSidecar } from "../../sidecar/sidecar.ts";
import { createStores, type Stores, streamsOf } from "../../sidecar/stores.ts";
import { ChatSocket } from "./chat-socket.ts";
import { ask } from "./client.ts";
import { serves } from "./contract.ts";
import { EventStream } from "./event-stream.ts";
import { FakePack, row } from "./fake-pack.ts";
import { RecordingLog } from "./log.ts";
import { FIGURES, namesOf, TOKEN, testConfig } from "./sidecar.ts";
import { NO_RATES } from "./traffic.ts";

interface SideOptions {
  /** addresses of Redis */
  url: string;
  prefix?: string;
  sentinel?: string;
  yaml?: string;
  /** replacements for its shared state */
  with?(shared: SharedState): Partial<SharedState>;
  /** replacements for the stores of its features */
  stores?(own: Stores): Partial<Stores>;
}

/** A sidecar on a Redis; both use the clocks of this machine. */
export interface RedisSide {
  log: RecordingLog;
  /** addresses of the listeners */
  base: string;
  bridge: string;
  stop(): Promise<void>;
}

/** Things that a test starts; each is stopped after it, in reverse order. */
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
  const bounds = logBounds(config);
  const opened = await openRedis({
    settings: { url, sentinel, ca: "", prefix },
    machine: systemClock,
    log,
    streams: streamsOf(bounds),
    token: TOKEN,
    self: { name: randomUUID(), version: "1", settings: "" },
    servers: namesOf(config),
    migrate: migrateRedis(namesOf(config)),
  });
  const shared = { ...opened, ...options.with?.(opened) };
  const stores = createStores(shared, { bounds });
  const sidecar = await startSidecar({
    ...{ config, log, shared },
    token: TOKEN,
    stores: { ...stores, ...options.stores?.(stores) },
    createProbes: () => ({ probe: { read: async () => FIGURES }, askGame: undefined }),
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

/** A browser sends a player a link request over the sidecar at `base`, and the player accepts. */
export async function linkSteve(pack: FakePack, base: string, cookie: string): Promise<void> {
  const pending = ask(base, "/link-player", { cookie, body: { username: "Steve" } });
  const { id } = await pack.carryOut("done", { player: row("Steve").player });
  const { status } = await pending;
  if (status !== 202) throw new Error(`the link request was answered ${status}`);
  await pack.report({ is: "answered", request: id, accepted: true });
}

/** Two sidecars on a Redis, a pack with Steve that is connected to the first one, and subscribers of all messages. */
interface Scene {
  redis: RedisServer;
  sides: readonly [RedisSide, RedisSide];
  pack: FakePack;
  listeners: Listeners;
}

/** Unset options of either side have their defaults; `end` registers what stops it all. */
export async function startScene(
  end: (ending: () => unknown) => void,
  options: RedisOptions = {},
  first: (redis: RedisServer) => Partial<SideOptions> | Promise<Partial<SideOptions>> = () => ({}),
): Promise<Scene> {
  const redis = await startRedisServer(options);
  end(() => redis.stop());
  const start = async (of: Partial<SideOptions> = {}): Promise<RedisSide> => {
    const side = await startRedisSide({ url: redis.url, ...of });
    end(() => side.stop());
    return side;
  };
  const sides = [await start(await first(redis)), await start()] as const;
  const pack = new FakePack(sides[0].bridge);
  await pack.connect();
  await pack.snapshot("Steve");
  const listeners = await Listeners.open(sides);
  end(() => listeners.close());
  return { redis, sides, pack, listeners };
}

/** Subscribers of all messages: a chat socket and an event stream of each sidecar. */
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

  /** Game messages that each of them has received, in order. */
  lines(): string[][] {
    return [
      ...this.#sockets.map(({ received }) =>
        received.filter(({ type }) => type === "CHAT").map(({ content }) => `${content}`),
      ),
      ...this.events("chat").map(events => events.map(({ content }) => `${content}`)),
    ];
  }

  /** Whether a stream has reported the game as offline; an `online` event may come after the streams are open. */
  get receivedAway(): boolean {
    return this.events("server").some(states => states.some(({ state }) => state === "away"));
  }

  /** Events of a type that each stream has received. */
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
