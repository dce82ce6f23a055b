import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll } from "@jest/globals";
import { createClient } from "@redis/client";
import { Balancer } from "../../lab/scale/balancer.ts";
import { findRedisServer, type RedisServer, startRedisServer } from "../../lab/scale/redis-server.ts";
import { systemClock } from "../../sidecar/clock.ts";
import type { Clock } from "../../sidecar/ports.ts";
import { openRedis } from "../../sidecar/redis/open.ts";
import { ManualClock } from "./clock.ts";
import { serves } from "./contract.ts";
import { RecordingLog } from "./log.ts";
import {
  namesOf,
  type Options,
  SIDECARS,
  startOneSidecar,
  type TestSidecar,
  TOKEN,
  testConfig,
} from "./one-sidecar.ts";

const TICK_MS = 50;
/** Turns of the event loop: enough for a request to come through the balancer and a sidecar to Redis, or back. */
const TURNS = 12;
const KEPT_ENTRIES = 10_000;

/** Deadlines of Redis are another test's subject: on a busy machine it may take longer than a second over an answer. */
const PATIENT: Clock = { ...systemClock, every: (ms, callback) => systemClock.every(10 * ms, callback) };

interface Redis {
  server: RedisServer;
  /** Commands that were carried out so far, this question with them. */
  commands(): Promise<number>;
  close(): Promise<void>;
}

let redis: Promise<Redis> | undefined;
// What `environment.mjs` skips the tests by.
if (findRedisServer() === undefined) Object.assign(globalThis, { lacksRedis: true });
afterAll(async () => (await redis)?.close());

/** One Redis for all tests of a file. */
async function openServer(): Promise<Redis> {
  const server = await startRedisServer();
  const client = createClient({ url: server.url });
  await client.connect();
  return {
    server,
    commands: async () => Number(/total_commands_processed:(\d+)/.exec(await client.info("stats"))?.[1]),
    async close() {
      client.destroy();
      await server.stop();
    },
  };
}

/** Real sidecars on one real Redis, behind a balancer for each listener that gives every request to the next one. */
export async function startSeveralSidecars(options: Options): Promise<TestSidecar> {
  const clock = options.clock ?? new ManualClock();
  const log = new RecordingLog();
  const { publicPort = 0, bridgePort = 0, prefix = randomUUID(), token = TOKEN, ...each } = options;
  redis ??= openServer();
  const { server, commands } = await redis;
  const start = async (name: string): Promise<TestSidecar> => {
    const shared = await openRedis({
      settings: { url: server.url, prefix, sentinel: "", ca: "" },
      machine: PATIENT,
      log,
      bounds: { entries: KEPT_ENTRIES, forMs: Number.MAX_SAFE_INTEGER },
      token,
      self: { name, version: "1", settings: "" },
      worlds: namesOf(testConfig(options)),
      manual: { clock, time: clock.monotonic },
    });
    return startOneSidecar({ ...each, token }, clock, log, {
      ...shared,
      ...(options.rates && { rates: options.rates }),
    });
  };
  const names = Array.from({ length: SIDECARS }, (_, i) => `${i + 1}`);
  const sides = await Promise.all(names.map(start));
  const [first] = sides;
  if (!first) throw new Error("there is no sidecar");
  const balance = (listener: "base" | "bridge", port: number): Promise<Balancer> =>
    Balancer.open({
      targets: sides.map((side, i) => ({ name: `${i + 1}`, url: side[listener] })),
      port,
      // Tests have addresses of their own, and say what a header may do.
      addresses: "kept",
    });
  const pub = await balance("base", publicPort);
  const bridge = await balance("bridge", bridgePort);
  const forget = serves(pub.origin, first.config.modules.api);
  let last = 0;

  /** Nothing is under way when Redis was asked nothing for as long as a request takes to get there. */
  async function quiet(): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
      const before = last;
      last = await commands();
      if (last === before + 1) return;
    }
  }

  return {
    ...first,
    sidecar: {
      ...first.sidecar,
      publicAddress: { ...first.sidecar.publicAddress, port: pub.port },
      bridgeAddress: { ...first.sidecar.bridgeAddress, port: bridge.port },
      setKeys: keys => {
        for (const side of sides) side.sidecar.setKeys(keys);
      },
    },
    base: pub.origin,
    bridge: bridge.origin,
    quiet,
    async stop() {
      let isStopped = false;
      const stopped = Promise.all(sides.map(side => side.sidecar.stop())).finally(() => {
        isStopped = true;
      });
      while (!isStopped) {
        clock.advance(TICK_MS);
        await quiet();
      }
      await stopped;
      await Promise.all([pub.close(), bridge.close()]);
      forget();
    },
  };
}
