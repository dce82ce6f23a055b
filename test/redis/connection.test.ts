import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "@jest/globals";
import { type RedisServer, startRedisServer } from "../../lab/scale/redis-server.ts";
import { systemClock } from "../../sidecar/clock.ts";
import { type Connection, createConnection } from "../../sidecar/redis/connection.ts";
import { readStreams } from "../../sidecar/redis/reader.ts";
import type { StreamEntry } from "../../sidecar/redis/reply.ts";
import { RecordingLog } from "../helpers/log.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds } from "../helpers/redis-sides.ts";
import { eventually, needs } from "../helpers/runner.ts";

const ends = createEnds();

async function start(): Promise<RedisServer> {
  const redis = await startRedisServer();
  ends(() => redis.stop());
  return redis;
}

function connect({ url }: RedisServer): Connection {
  const settings = { url, prefix: randomUUID(), sentinel: "", ca: "" };
  const connection = createConnection({ settings, clock: systemClock, log: new RecordingLog() });
  ends(() => connection.close());
  return connection;
}

/** A stream that remembers what was heard. */
function stream(connection: Connection) {
  const heard: string[] = [];
  let place = "0-0";
  const onEntries = (entries: StreamEntry[]): void => {
    for (const { id } of entries) heard.push(id);
    place = entries.at(-1)?.id ?? place;
  };
  return { key: connection.key("stream"), heard, place: () => place, onEntries };
}

const clients = async (redis: RedisServer): Promise<string[]> =>
  String(await redis.command("CLIENT", "LIST"))
    .split("\n")
    .filter(line => line !== "" && !/ cmd=client/.test(line));

needs("redis-server", hasRedis).describe("a connection to Redis", () => {
  let openGate = (): void => undefined;
  afterEach(() => openGate());

  it("that is lost while it is prepared leaves no reader behind, and nothing is heard twice", async () => {
    const redis = await start();
    const connection = connect(redis);
    const told = stream(connection);
    const gate = new Promise<void>(resolve => {
      openGate = resolve;
    });
    let id = "";
    const slowAtFirst: Connection["onServer"] = step =>
      connection.onServer(async (server, broken, onEnd) => {
        if (id !== "") return step(server, broken, onEnd);
        id = String(await server.client.sendCommand(["CLIENT", "ID"]));
        const reader = await server.another();
        const send = reader.sendCommand.bind(reader);
        async function sendCommand(command: string[]): Promise<unknown> {
          const reply = await send(command);
          await gate;
          return reply;
        }
        Object.assign(reader, { sendCommand });
        return step({ ...server, another: async () => reader }, broken, onEnd);
      });
    const { key } = told;
    const first = String(await redis.command("XADD", key, "*", "a", "b"));
    readStreams({ ...connection, onServer: slowAtFirst }, systemClock, [told]);
    const started = connection.start();
    await eventually(() => expect(id).not.toBe(""));
    await eventually(async () => expect((await clients(redis)).join()).toContain("cmd=xread"));

    await redis.command("CLIENT", "KILL", "ID", id);
    await started;
    await eventually(() => expect(told.heard).toEqual([first]));
    openGate();
    await eventually(async () =>
      expect((await clients(redis)).filter(line => line.includes("cmd=xread"))).toHaveLength(1),
    );
    const second = String(await redis.command("XADD", key, "*", "a", "b"));
    await eventually(() => expect(told.heard).toContain(second));
    expect(told.heard).toEqual([first, second]);
  });

  it("is not made any more once it was closed", async () => {
    const redis = await start();
    redis.pause();
    const closed = connect(redis);
    void closed.start();
    closed.close();
    const started = connect(redis).start();
    redis.resume();
    await started;
    await eventually(async () => expect(await clients(redis)).toHaveLength(1));
  });

  it("is made again where nothing was heard for so long that something may be gone", async () => {
    const redis = await start();
    const connection = connect(redis);
    let pauseMs = 0;
    let servers = 0;
    connection.onServer(async () => {
      servers++;
    });
    const paused = { ...systemClock, monotonic: () => systemClock.monotonic() + pauseMs };
    readStreams(connection, paused, [stream(connection)]);
    await connection.start();
    expect(servers).toBe(1);
    pauseMs = 60_000;
    await eventually(() => expect(servers).toBe(2));
  });
});
