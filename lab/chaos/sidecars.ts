import { EventEmitter, once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATHS } from "../../shared/frames.ts";
import { Balancer } from "../scale/balancer.ts";
import { freePort } from "../scale/free-port.ts";
import { type RedisServer, startRedisServer } from "../scale/redis-server.ts";
import type { Journal } from "./journal.ts";
import { RedisLine } from "./redis-line.ts";
import { Service } from "./service.ts";
import { SidecarProcess } from "./sidecar-process.ts";

/** For facts that do not come, in milliseconds. */
const HANDED_MS = 1_000;

/** One sidecar, or several that are one service. */
export interface Sidecars {
  services: readonly Service[];
  redis: RedisServer | undefined;
  lines: readonly RedisLine[];
  /** where browsers and the pack ask, without a slash at the end */
  base: string;
  bridge: string;
  /** Settles when one of them, by its place, is handed facts next, or after a while without any. */
  handed(place: number): Promise<void>;
  /** Number of the process that is there, or was last; of several, all count as one. */
  life(): number;
  end(): Promise<void>;
}

interface Deps {
  /** built program */
  program: string;
  env: Record<string, string>;
  journal: Journal;
}

/** Starts one with its store in a folder. */
export async function startSidecar({ program, env, journal }: Deps): Promise<Sidecars> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-chaos-"));
  const process = new SidecarProcess(program, folder, env);
  const service = new Service("sidecar", process, journal);
  await service.start();
  return {
    services: [service],
    redis: undefined,
    lines: [],
    base: process.urls.public,
    bridge: process.urls.bridge,
    life: () => service.life,
    handed: async () => undefined,
    async end() {
      await service.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts several on a Redis that loses nothing that it has acknowledged. Every request goes to the next one.
 * @throws when this machine has no Redis
 */
export async function startSidecars(count: number, { program, env, journal }: Deps): Promise<Sidecars> {
  const redis = await startRedisServer({ settings: { appendonly: "yes", appendfsync: "always" } });
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-chaos-"));
  const lines: RedisLine[] = [];
  const processes: SidecarProcess[] = [];
  const services: Service[] = [];
  for (let i = 1; i <= count; i++) {
    const name = `sidecar-${i}`;
    const line = new RedisLine(redis.port);
    mkdirSync(join(folder, name));
    const process = new SidecarProcess(program, join(folder, name), {
      ...env,
      WEB_BRIDGE_STORAGE_KIND: "redis",
      WEB_BRIDGE_STORAGE_URL: await line.open(),
    });
    // None that the system may hand to somebody else while the process is away.
    process.urls.public = `http://127.0.0.1:${await freePort()}`;
    process.urls.bridge = `http://127.0.0.1:${await freePort()}`;
    lines.push(line);
    processes.push(process);
    services.push(new Service(name, process, journal));
  }
  await Promise.all(services.map(service => service.start()));
  const handed = new EventEmitter();
  const open = (listener: "public" | "bridge"): Promise<Balancer> =>
    Balancer.open({
      onSent: ({ name }, path) => path === PATHS.facts && handed.emit(name),
      targets: processes.map(({ urls }, i) => ({ name: services[i]?.name ?? "", url: urls[listener] })),
      onServed: ({ name }, method, path, status) =>
        journal.trace(`${name} answers ${method} ${path} with ${status}`),
    });
  const [balancer, bridge] = [await open("public"), await open("bridge")];
  return {
    ...{ services, redis, lines },
    base: balancer.origin,
    bridge: bridge.origin,
    life: () => 1,
    handed: place =>
      once(handed, services[place]?.name ?? "", { signal: AbortSignal.timeout(HANDED_MS) }).then(
        () => undefined,
        () => undefined,
      ),
    async end() {
      await Promise.all([balancer.close(), bridge.close()]);
      await Promise.all(services.map(service => service.end("SIGKILL")));
      for (const line of lines) line.close();
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
