import { afterEach, expect, it } from "@jest/globals";
import { needs } from "../../test/helpers/needs.ts";
import { findRedisServer, type RedisOptions, type RedisServer, startRedisServer } from "./redis-server.ts";

needs("redis-server", findRedisServer() !== undefined).describe("a redis-server for tests", () => {
  const running: RedisServer[] = [];
  const start = async (options?: RedisOptions): Promise<RedisServer> => {
    const server = await startRedisServer(options);
    running.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });

  it("answers, and stores nothing on disk", async () => {
    const server = await start();
    expect(await server.command("SET", "a", "1")).toBe("OK");
    await server.restart();
    expect(await server.command("GET", "a")).toBeNull();
  });

  it("keeps persistent data through a kill, on the same port, unless it restarts empty", async () => {
    const server = await start({ settings: { appendonly: "yes", appendfsync: "always" } });
    const { port, pid } = server;
    await server.command("SET", "a", "1");
    await server.kill();
    expect(server.pid).toBeUndefined();
    await expect(server.command("PING")).rejects.toThrow();
    await server.restart();
    expect(server.port).toBe(port);
    expect(server.pid).not.toBe(pid);
    expect(await server.command("GET", "a")).toBe("1");
    await server.restart({ empty: true });
    expect(await server.command("GET", "a")).toBeNull();
  });

  it("reports why it did not start", async () => {
    await expect(start({ settings: { "no-such-setting": "1" } })).rejects.toThrow(/no-such-setting/);
  });
});
