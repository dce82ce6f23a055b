import { createClient } from "@redis/client";
import { type RedisServer, startRedisServer } from "../../scale/redis-server.ts";
import { leaveNothing } from "../leftovers.ts";
import { type SidecarProcess, startSidecarProcess } from "../sidecar.ts";

/** As `deploy/redis/redis.conf` has it, but for `appendfsync`, of which it has a choice. */
const SETTINGS = { appendonly: "yes", "maxmemory-policy": "noeviction" };
export type Appendfsync = "always" | "everysec";
const SECOND_US = 1_000_000;

const connectionTo = (url: string) => createClient({ url, RESP: 2 });

/** A Redis that keeps all it is told, with a meter beside it. */
export class BenchRedis {
  readonly #server: RedisServer;
  readonly #client: ReturnType<typeof connectionTo>;

  private constructor(server: RedisServer, client: ReturnType<typeof connectionTo>) {
    this.#server = server;
    this.#client = client;
    leaveNothing(() => {
      client.destroy();
      return server.stop();
    });
  }

  static async start(appendfsync: Appendfsync = "always"): Promise<BenchRedis> {
    const server = await startRedisServer({ settings: { ...SETTINGS, appendfsync } });
    const client = connectionTo(server.url);
    client.on("error", () => undefined);
    await client.connect();
    return new BenchRedis(server, client);
  }

  /** What has a sidecar use it. */
  env(prefix = "web-bridge"): Record<string, string> {
    return {
      WEB_BRIDGE_STORAGE_KIND: "redis",
      WEB_BRIDGE_STORAGE_URL: this.#server.url,
      WEB_BRIDGE_STORAGE_PREFIX: prefix,
    };
  }

  /** So many sidecars on it. */
  async sidecars(count: number, env: Record<string, string> = {}): Promise<SidecarProcess[]> {
    const started: SidecarProcess[] = [];
    for (let i = 0; i < count; i++) started.push(await startSidecarProcess({ ...this.env(), ...env }));
    return started;
  }

  /** CPU time that it has used so far, in microseconds. */
  async cpu(): Promise<number> {
    const info = await this.#info("cpu");
    return SECOND_US * (Number(info.get("used_cpu_user")) + Number(info.get("used_cpu_sys")));
  }

  async version(): Promise<string> {
    return (await this.#info("server")).get("redis_version") ?? "";
  }

  /**
   * Commands that it gets while something is done, those that scripts give not counted again, and how many of them read what is
   * new.
   * @param prefix of the keys, where only those of one bridge count
   */
  async commandsOf(work: () => Promise<void>, prefix = ""): Promise<{ all: number; reads: number }> {
    const monitor = this.#client.duplicate();
    monitor.on("error", () => undefined);
    await monitor.connect();
    let [all, reads] = [0, 0];
    await monitor.monitor(line => {
      const text = String(line);
      if (/^\S+ \[\d+ lua\]/.test(text) || !text.includes(`{${prefix}`)) return;
      all++;
      if (text.includes('"XREAD"')) reads++;
    });
    await work();
    monitor.destroy();
    return { all, reads };
  }

  /** Bytes of the keys that a pattern fits. */
  async bytesOf(pattern: string): Promise<number> {
    let bytes = 0;
    for (const key of await this.#client.keys(pattern)) bytes += (await this.#client.memoryUsage(key)) ?? 0;
    return bytes;
  }

  async #info(section: string): Promise<ReadonlyMap<string, string>> {
    const text = String(await this.#client.sendCommand(["INFO", section]));
    return new Map(text.split("\r\n").map(line => line.split(":") as [string, string]));
  }
}

/** Version of the Redis that is measured. */
export async function redisVersion(): Promise<string> {
  return (await BenchRedis.start()).version();
}
