import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "@jest/globals";
import { build } from "esbuild";
import {
  findRedisServer,
  type RedisOptions,
  type RedisServer,
  startRedisServer,
} from "../../lab/scale/redis-server.ts";
import { eventually, needs } from "../helpers/runner.ts";

describe("findRedisServer", () => {
  const { PATH = "", REDIS_SERVER } = process.env;
  afterEach(() => {
    process.env.PATH = PATH;
    if (REDIS_SERVER === undefined) delete process.env.REDIS_SERVER;
    else process.env.REDIS_SERVER = REDIS_SERVER;
  });

  it("finds nothing where no folder has one", () => {
    delete process.env.REDIS_SERVER;
    process.env.PATH = tmpdir();
    expect(findRedisServer()).toBeUndefined();
  });

  it("believes the environment", () => {
    process.env.REDIS_SERVER = "/opt/redis";
    expect(findRedisServer()).toBe("/opt/redis");
  });
});

needs("redis-server", findRedisServer() !== undefined).describe("a redis-server of a test", () => {
  const running: RedisServer[] = [];
  const start = async (options?: RedisOptions): Promise<RedisServer> => {
    const server = await startRedisServer(options);
    running.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });

  it("answers, and keeps nothing on the disk", async () => {
    const server = await start();
    expect(await server.command("SET", "a", "1")).toBe("OK");
    await server.restart();
    expect(await server.command("GET", "a")).toBeNull();
  });

  it("keeps what it was told to keep through a kill, on the same port, unless it comes back empty", async () => {
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

  it("says why it did not start", async () => {
    await expect(start({ settings: { "no-such-setting": "1" } })).rejects.toThrow(/no-such-setting/);
  });

  it("does not outlive the process that started it, however that ended", async () => {
    const folder = mkdtempSync(join(tmpdir(), "outlive-"));
    const module = fileURLToPath(new URL("../../lab/scale/redis-server.ts", import.meta.url));
    const program = join(folder, "main.cjs");
    const contents = `import { startRedisServer } from ${JSON.stringify(module)};
      startRedisServer().then(server => console.log(JSON.stringify([server.pid, server.folder])));
      setInterval(() => undefined, 1000);`;
    const stdin = { contents, resolveDir: fileURLToPath(new URL("../../", import.meta.url)) };
    await build({ stdin, outfile: program, bundle: true, platform: "node", format: "cjs" });
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
    const line = await new Promise<string>(resolve =>
      createInterface({ input: child.stdout }).once("line", resolve),
    );
    const [pid, data]: [number, string] = JSON.parse(line);
    child.kill("SIGKILL");
    await eventually(() => {
      expect(() => process.kill(pid, 0)).toThrow();
      expect(existsSync(data)).toBe(false);
    });
    rmSync(folder, { recursive: true, force: true });
  });
});
