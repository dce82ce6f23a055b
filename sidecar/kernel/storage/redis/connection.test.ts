import { once } from "node:events";
import { type AddressInfo, createServer, type Server as TcpServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { RecordingLog } from "../../../../test/helpers/log.ts";
import { needs } from "../../../../test/helpers/needs.ts";
import { hasRedis, redisForTests } from "../../../../test/helpers/redis.ts";
import { NO_ANSWER } from "./client.ts";
import { createConnection, type OnServer, type RedisConnection } from "./connection.ts";
import { readStreams } from "./reader.ts";

// Own connections: plays a Redis that goes away.

/** The clock of a process that may be suspended: its timers are late then, and fire once each. */
class StandingClock extends ManualClock {
  #stoodMs = 0;

  override get monotonic(): () => number {
    const awake = super.monotonic;
    return () => awake() + this.#stoodMs;
  }

  standStill(ms: number): void {
    this.#stoodMs += ms;
    this.advance(100);
  }
}

const connect = (url: string, clock: ManualClock, log = new RecordingLog()): RedisConnection =>
  createConnection({ settings: { url, prefix: "test", sentinel: "", ca: "" }, clock, log });

/** A stream that is read over connections whose answers come from the test. */
function readStream(clock: ManualClock) {
  const received: string[] = [];
  let step: OnServer | undefined;
  const redis: Pick<RedisConnection, "onServer"> = {
    onServer(each) {
      step = each;
    },
  };
  const stream = {
    key: "stream",
    place: () => received.at(-1) ?? "0-0",
    onEntries: (entries: { id: string }[]) => void received.push(...entries.map(({ id }) => id)),
  };
  readStreams(redis as RedisConnection, clock, [stream]);

  /** Opens another connection; returns its errors and its end. */
  function begin() {
    const waiting: ((reply: unknown) => void)[] = [];
    const faults: unknown[] = [];
    const ends: (() => void)[] = [];
    const client = {
      on: () => undefined,
      sendCommand: () => new Promise(resolve => waiting.push(resolve)),
    };
    const server = { another: async () => client };
    const prepared = step?.(
      server as never,
      error => faults.push(error),
      end => ends.push(end),
    );
    prepared?.catch((error: unknown) => faults.push(error));
    return {
      faults: () => faults.map(fault => (fault instanceof Error ? fault.message : fault)),
      end(): void {
        for (const end of ends) end();
      },
      /** Answers its read with these entries, or with none. */
      async answer(...ids: string[]): Promise<void> {
        const entries = ids.map(id => [id, ["a", "b"]]);
        await nextTurn();
        waiting.shift()?.(ids.length > 0 ? [["stream", entries]] : null);
        await nextTurn();
      },
    };
  }

  return { received, begin };
}

describe("a reader of a stream", () => {
  it("delivers no entry twice that the next connection has read already", async () => {
    const { received, begin } = readStream(new ManualClock());
    const [first, second] = [begin(), begin()];
    await second.answer("1-0");
    await first.answer("1-0", "2-0");
    expect(received).toEqual(["1-0"]);
    await second.answer("2-0");
    expect(received).toEqual(["1-0", "2-0"]);
  });

  it("delivers nothing from a connection that has ended", async () => {
    const { received, begin } = readStream(new ManualClock());
    const ended = begin();
    await nextTurn();
    ended.end();
    await ended.answer("1-0");
    expect(received).toEqual([]);
  });

  it("drops its connection if it has read nothing for so long that entries may be gone", async () => {
    const clock = new StandingClock();
    const { received, begin } = readStream(clock);
    const { answer, faults } = begin();
    await answer();
    clock.standStill(60_000);
    await answer("1-0");
    expect([received, faults()]).toEqual([[], ["nothing was read for too long"]]);
  });

  it("drops a connection after a second of running time without an answer", async () => {
    const clock = new StandingClock();
    const { faults } = readStream(clock).begin();
    await nextTurn();
    clock.standStill(20_000);
    expect(faults()).toEqual([]);
    clock.advance(800);
    expect(faults()).toEqual([]);
    clock.advance(100);
    expect(faults()).toEqual([NO_ANSWER]);
  });
});

/** `HELLO` in the Redis protocol, and the answer of a server. */
const HELLO = "*1\r\n$5\r\nHELLO\r\n";
const ABOUT = ["version", "7.4.0", "mode", "standalone", "role", "master"];
const WELCOME = `*${ABOUT.length}\r\n${ABOUT.map(word => `$${word.length}\r\n${word}\r\n`).join("")}`;

describe("a connection to Redis", () => {
  let server: TcpServer;
  afterEach(() => void server.close());

  it("is ended without a command if it was closed before it was ready", async () => {
    const commands: string[] = [];
    let over = (): void => undefined;
    const ended = new Promise<void>(resolve => {
      over = resolve;
    });
    server = createServer(socket => {
      socket.on("data", bytes => {
        commands.push(String(bytes));
        if (commands.length === 1) socket.write(WELCOME);
        else socket.destroy();
      });
      socket.on("close", over);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const connection = connect(`redis://127.0.0.1:${port}`, new ManualClock());
    void connection.start();
    connection.close();
    await ended;
    expect(commands).toEqual([HELLO]);
  });
});

needs("redis-server", hasRedis).describe("a suspended process", () => {
  const redis = redisForTests();

  it("does not consider Redis unreachable because of that", async () => {
    const clock = new StandingClock();
    const log = new RecordingLog();
    const connection = connect(redis.server().url, clock, log);
    await connection.start();
    connection.started();
    const pending = connection.ask("BLPOP", "list", "0");
    clock.standStill(20_000);
    await redis.server().command("LPUSH", "list", "a");
    expect(await pending).toEqual(["list", "a"]);
    expect(log.of("error")).toEqual([]);
    connection.close();
  });
});
