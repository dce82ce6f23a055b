import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { ErrorReply, RedisClient } from "@redis/client";
import { freePort } from "../../cli/free-port.ts";
import { type Guard, guard } from "./guard.ts";

const PROGRAMS = ["redis-server", "valkey-server"];
const HOST = "127.0.0.1";
const LINES = 50;
const RETRY_MS = 10;
const CONNECT_MS = 1_000;
/** Long enough for a busy machine; it measures nothing. */
const START_TIMEOUT_MS = 30_000;
/** `createClient` would create a class with all Redis commands for each connection, which takes longer than most commands. */
const createClient = RedisClient.factory();
/** Another process may take a port between its choice and its use. */
const TRIES = 5;

export interface RedisOptions {
  /** lines of `redis.conf` by their names, such as `appendonly: "yes"` or `replicaof: "127.0.0.1 10001"` */
  settings?: Readonly<Record<string, string>>;
  /** lines of an ACL file, such as `user default off` */
  acl?: readonly string[];
  /** paths of PEM files, for TLS only */
  tls?: { cert: string; key: string };
  /** is a sentinel, which stores no data */
  isSentinel?: boolean;
}

/** Path of `redis-server` or `valkey-server` on this machine, or the value of `REDIS_SERVER`; undefined if there is none. */
export function findRedisServer(): string | undefined {
  const { PATH = "", REDIS_SERVER } = process.env;
  if (REDIS_SERVER) return REDIS_SERVER;
  const folders = PATH.split(delimiter).filter(folder => folder !== "");
  return PROGRAMS.flatMap(name => folders.map(folder => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The reply of a command, as `@redis/client` parses it. */
type RedisReply = Awaited<ReturnType<ReturnType<typeof createClient>["sendCommand"]>>;

/**
 * A real `redis-server` with its own folder, port and settings. It stores nothing on disk unless the
 * settings say so, and ends with this process.
 */
export class RedisServer {
  readonly folder = mkdtempSync(join(tmpdir(), "redis-"));
  readonly #program: string;
  readonly #options: RedisOptions;
  readonly #guard: Guard = guard(this.folder);
  #port = 0;
  #busPort = 0;
  #child: ChildProcess | undefined;
  #said: string[] = [];

  constructor(program: string, options: RedisOptions) {
    this.#program = program;
    this.#options = options;
    this.#emptyData();
  }

  get port(): number {
    return this.#port;
  }

  /** port of the cluster bus; 0 outside of a cluster */
  get busPort(): number {
    return this.#busPort;
  }

  /** Of the running process; undefined while it is down. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Address with the password of `requirepass`, if any. */
  get url(): string {
    const { requirepass } = this.#options.settings ?? {};
    const login = requirepass === undefined ? "" : `:${encodeURIComponent(requirepass)}@`;
    return `${this.#options.tls ? "rediss" : "redis"}://${login}${HOST}:${this.#port}`;
  }

  /** The last lines of its log. */
  get said(): string {
    return this.#said.join("\n");
  }

  /** Starts it for the first time, on a free port. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      this.#port = await freePort();
      if (this.#isInCluster) this.#busPort = await freePort();
      this.#writeFiles();
      if (await this.#run()) return;
      if (tries === TRIES || !this.said.includes("ddress already in use")) throw this.#notStarted();
    }
  }

  /** Sends a command on its own connection. @throws the error of Redis, or that it cannot be reached */
  async command(...words: string[]): Promise<RedisReply> {
    const client = createClient({
      url: this.url,
      socket: { reconnectStrategy: false, connectTimeout: CONNECT_MS, ...this.#trust() },
    });
    // The promises reject with the error, too.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  }

  /** Kills it as in a crash, also while paused, and waits for its end. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Asks it to stop cleanly, and waits until it has. */
  shutDown(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  /** Starts it again on the same port; kills it first if it runs. `empty`: without the data on its disk. */
  async restart({ empty = false }: { empty?: boolean } = {}): Promise<void> {
    await this.kill();
    if (empty) this.#emptyData();
    if (!(await this.#run())) throw this.#notStarted();
  }

  /** Pauses it; connections stay open. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Stops it and removes its folder. */
  async stop(): Promise<void> {
    await this.kill();
    this.#guard.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** @returns whether it runs and answers; false: it has ended */
  async #run(): Promise<boolean> {
    const args = [join(this.folder, "redis.conf"), ...(this.#options.isSentinel ? ["--sentinel"] : [])];
    const child = spawn(this.#program, args, { cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.#said = [];
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", line => {
        this.#said = [...this.#said, line].slice(-LINES);
      });
    child.once("error", error => this.#said.push(`${error}`));
    // Its log is complete now, unlike at the exit event.
    const ended = new Promise<void>(resolve => child.once("close", () => resolve()));
    const forget = (): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#guard.watch(undefined);
    };
    child.once("exit", forget);
    void ended.then(forget);
    this.#guard.watch(child.pid);
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (this.#child === child && performance.now() < deadline) {
      if (await this.#answers()) return true;
      await Promise.race([sleep(RETRY_MS), ended]);
    }
    await this.kill();
    await ended;
    return false;
  }

  async #answers(): Promise<boolean> {
    try {
      await this.command("PING");
      return true;
    } catch (error) {
      // A rejected command means that it runs; loading data from disk may take a while.
      return error instanceof ErrorReply && !error.message.startsWith("LOADING");
    }
  }

  get #isInCluster(): boolean {
    return this.#options.settings?.["cluster-enabled"] === "yes";
  }

  #notStarted(): Error {
    return new Error(`${this.#program} did not start\n${this.said}`);
  }

  #emptyData(): void {
    rmSync(join(this.folder, "data"), { recursive: true, force: true });
    mkdirSync(join(this.folder, "data"));
  }

  /** Test certificates are self-signed. */
  #trust(): { tls?: true; rejectUnauthorized?: false; cert?: Buffer; key?: Buffer } {
    const { tls } = this.#options;
    if (tls === undefined) return {};
    const [cert, key] = [readFileSync(tls.cert), readFileSync(tls.key)];
    return { tls: true, rejectUnauthorized: false, cert, key };
  }

  #writeFiles(): void {
    const { settings = {}, acl, tls } = this.#options;
    const lines = {
      bind: HOST,
      ...(tls ? { port: "0", "tls-port": `${this.#port}` } : { port: `${this.#port}` }),
      ...(tls ? { "tls-cert-file": tls.cert, "tls-key-file": tls.key, "tls-auth-clients": "no" } : {}),
      dir: JSON.stringify(join(this.folder, "data")),
      save: '""',
      "enable-debug-command": "local",
      // Replicas synchronise without a delay.
      "repl-diskless-sync-delay": "0",
      ...(this.#isInCluster ? { "cluster-port": `${this.#busPort}` } : {}),
      ...(acl ? { aclfile: JSON.stringify(join(this.folder, "users.acl")) } : {}),
      ...settings,
    };
    const text = Object.entries(lines).map(([name, value]) => `${name} ${value}\n`);
    writeFileSync(join(this.folder, "redis.conf"), text.join(""));
    if (acl) writeFileSync(join(this.folder, "users.acl"), `${acl.join("\n")}\n`);
  }
}

/**
 * Starts a real `redis-server` and waits until it answers.
 * @throws if this machine has none, or it ends; with its output
 */
export async function startRedisServer(options: RedisOptions = {}): Promise<RedisServer> {
  const program = findRedisServer();
  if (program === undefined) throw new Error("there is no redis-server on this machine");
  const server = new RedisServer(program, options);
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/**
 * Starts several servers as a group.
 * @throws the error of `make`, after it has stopped those that were started
 */
export async function together<T extends object>(
  make: (start: (options: RedisOptions) => Promise<RedisServer>) => Promise<T>,
): Promise<T & { stop(): Promise<void> }> {
  const running: RedisServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map(server => server.stop()));
  };
  try {
    const made = await make(async options => {
      const server = await startRedisServer(options);
      running.push(server);
      return server;
    });
    return Object.assign(made, { stop });
  } catch (error) {
    await stop();
    throw error;
  }
}
