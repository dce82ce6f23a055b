import { messageOf } from "../../../../cli/errno.ts";
import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { type Lease, type Reach, StorageAway } from "../ports.ts";
import {
  ANSWER_TIMEOUT_MS,
  close,
  findServer,
  formatAddress,
  NO_ANSWER,
  type RedisClient,
  type RedisServer,
  type RedisSettings,
  wrongProtocol,
} from "./client.ts";
import { describeFault, faultOf, refusalOf, shouldReconnect } from "./faults.ts";
import { onRunningTime } from "./running-time.ts";
import { everyScript, listOf, numberOf, type Script } from "./script.ts";

/** How long commands wait for a reconnect, since the connection was lost, in milliseconds. */
const GRACE_MS = 500;
/** Pause between attempts to connect, in milliseconds. */
const RETRY_MS = 100;
/** Interval of logging the same fault, in milliseconds. */
const LOG_MS = 60_000;
/** Interval of a health check, which also measures latency and Redis's clock, in milliseconds. */
const MEASURE_MS = 250;
/** Latency above which an answer does not measure Redis's clock, in milliseconds. */
const LATE_MS = 100;

/**
 * Prepares each new connection before it is used; a rejection closes the connection. `onEnd` registers a callback for the end of the
 * connection; if it has already ended, the callback runs immediately.
 */
export type OnServer = (
  server: RedisServer,
  broken: (error: unknown) => void,
  onEnd: (end: () => void) => void,
) => Promise<void>;

type ConnectionState =
  | { is: "there"; client: RedisClient }
  | {
      is: "away";
      since: number;
      /** callbacks of calls that wait for the reconnect */
      waiting: Set<() => void>;
      /** the current error that retrying cannot fix */
      refusal?: Error | undefined;
    };

export type RedisConnection = ReturnType<typeof createConnection>;

/** The connection, for keys that begin with `scope`, such as those of one game server. */
export function scoped(redis: RedisConnection, scope: string): RedisConnection {
  const scopedName = (name: string): string => `${scope}${name}`;
  return {
    ...redis,
    key: name => redis.key(scopedName(name)),
    run: (script, keys, ...more) => redis.run(script, keys.map(scopedName), ...more),
    read: (script, keys, values) => redis.read(script, keys.map(scopedName), values),
    runOn: (on, script, keys, values) => redis.runOn(on, script, keys.map(scopedName), values),
  };
}

/** The connection to Redis. It reconnects forever. */
export function createConnection(deps: {
  settings: RedisSettings;
  /** clock of this machine, for network timeouts */
  clock: Clock;
  log: Pick<Log, "info" | "error">;
}) {
  const { settings, clock, log } = deps;
  const listeners: ((isAway: boolean) => void)[] = [];
  const steps: OnServer[] = [];
  let state: ConnectionState = { is: "away", since: clock.monotonic(), waiting: new Set() };
  let phase: "starting" | "started" | "closed" = "starting";
  /** of the newest connection; `restartTimeout`: an answer came, or the first command after a pause was sent */
  let newest: { break(error: unknown): void; restartTimeout(): void } = {
    break: () => undefined,
    restartTimeout: () => undefined,
  };
  let offsetMs = 0;
  let latencyMs = 0;
  let pending = 0;
  let lastLogged: { what: string; at: number } | undefined;

  const isClosed = (): boolean => phase === "closed";

  function onConnected(client: RedisClient): void {
    const before = state;
    state = { is: "there", client };
    if (before.is === "away") for (const resume of before.waiting) resume();
    for (const listener of listeners) listener(false);
  }

  function onLost(): void {
    if (state.is === "away") return;
    state = { is: "away", since: clock.monotonic(), waiting: new Set() };
    for (const listener of listeners) listener(true);
  }

  /** Settles when Redis is reachable, or after `ms` milliseconds; returns whether it is. */
  function waitForReconnect(ms: number): Promise<boolean> {
    if (state.is === "there") return Promise.resolve(true);
    if (ms <= 0 || isClosed()) return Promise.resolve(false);
    const { waiting } = state;
    return new Promise(resolve => {
      const resume = (): void => {
        cancel();
        waiting.delete(resume);
        resolve(state.is === "there");
      };
      const cancel = clock.after(ms, resume);
      waiting.add(resume);
    });
  }

  async function connected(): Promise<RedisClient> {
    if (state.is === "away") await waitForReconnect(GRACE_MS - (clock.monotonic() - state.since));
    if (state.is === "there") return state.client;
    throw new StorageAway(`storage.url: ${lastLogged?.what ?? "Redis cannot be reached"}`);
  }

  async function answered<T>(call: Promise<T>): Promise<T> {
    if (pending++ === 0) newest.restartTimeout();
    try {
      return await call;
    } finally {
      pending--;
      newest.restartTimeout();
    }
  }

  async function use<T>(call: (client: RedisClient) => Promise<T>): Promise<T> {
    const on = state.is === "there" ? state.client : await connected();
    try {
      return await answered(call(on));
    } catch (error) {
      const isFenced = /^FENCED/.test(messageOf(error));
      const isCurrent = state.is === "there" && on === state.client;
      if (!isFenced && (shouldReconnect(error) || refusalOf(error)) && isCurrent) newest.break(error);
      throw faultOf(error);
    }
  }

  async function call(
    on: RedisClient,
    { hash, source }: Script,
    keys: string[],
    values: string[],
  ): Promise<unknown> {
    const options = { keys, arguments: values };
    try {
      return await on.evalSha(hash, options);
    } catch (error) {
      // The script cache was flushed.
      if (!/^NOSCRIPT/.test(messageOf(error))) throw error;
      return on.eval(source, options);
    }
  }

  const key = (name: string): string => `{${settings.prefix}}:${name}`;

  /** `isFirst`: whether it is the first measurement on this connection */
  async function measure(on: RedisClient, isFirst: boolean): Promise<void> {
    const before = clock.monotonic();
    const [seconds, micros] = listOf(await answered(on.sendCommand(["TIME"]))).map(numberOf);
    const after = clock.monotonic();
    latencyMs = after - before;
    const offset = (seconds ?? 0) * 1_000 + (micros ?? 0) / 1_000 - (before + after) / 2;
    // Ignores a difference within the measuring error, and a late answer, whose error may be large.
    if (!isFirst && latencyMs > LATE_MS) return;
    if (Math.abs(offset - offsetMs) > latencyMs / 2) offsetMs = offset;
  }

  function logFault(what: string): void {
    if (lastLogged?.what === what && clock.monotonic() - lastLogged.at < LOG_MS) return;
    lastLogged = { what, at: clock.monotonic() };
    log.error({}, `storage.url: ${what}; trying again`);
  }

  /** Connects, and resolves with the error that ended the connection; rejects if there was no connection. */
  async function runConnection(ready: () => void): Promise<unknown> {
    const server = await findServer(settings, clock);
    if (isClosed()) return close(server.client);
    const ends: (() => void)[] = [() => close(server.client)];
    let isEnded = false;
    const onEnd = (end: () => void): void => {
      if (isEnded) end();
      else ends.push(end);
    };
    const broken = new Promise<unknown>(resolve => {
      const watch = onRunningTime(clock, ANSWER_TIMEOUT_MS, () => {
        if (pending > 0) resolve(new Error(NO_ANSWER));
      });
      newest = { break: resolve, restartTimeout: watch.restart };
      server.client.on("error", resolve);
      server.client.on("end", () => resolve(new Error("the connection was lost")));
      ends.push(watch.end);
    });
    const current = newest;
    ends.push(clock.every(MEASURE_MS, () => void measure(server.client, false).catch(() => undefined)));
    try {
      const prepared = (async () => {
        await measure(server.client, true);
        const loaded = everyScript().map(({ source }) =>
          server.client.sendCommand(["SCRIPT", "LOAD", source]),
        );
        await answered(Promise.all(loaded));
        for (const step of steps) await step(server, current.break, onEnd);
      })();
      const early = await Promise.race([prepared, broken.then(error => ({ error }))]);
      if (early) throw early.error;
      ready();
      log.info(
        { redis: formatAddress(server.place), latencyMs: Math.round(latencyMs * 100) / 100 },
        "Connected to Redis",
      );
      lastLogged = undefined;
      onConnected(server.client);
      return await broken;
    } finally {
      isEnded = true;
      onLost();
      for (const end of ends) end();
    }
  }

  /** Retries a read at the start if the connection was lost during it: the start cannot continue without it. */
  async function retryAtStart(call: (client: RedisClient) => Promise<unknown>): Promise<unknown> {
    for (;;) {
      const before = state;
      try {
        return await use(call);
      } catch (error) {
        if (phase !== "starting") throw error;
        await pause();
        if (state.is === "away" && state.refusal) throw state.refusal;
        if (before.is === "there" && before === state) throw error;
      }
    }
  }

  const pause = (): Promise<void> => new Promise(resolve => void clock.after(RETRY_MS, resolve));

  async function run(ready: () => void, refused: (error: Error) => void): Promise<void> {
    let isReady = false;
    while (!isClosed()) {
      let fault: unknown;
      try {
        fault = await runConnection(() => {
          isReady = true;
          ready();
        });
      } catch (error) {
        fault = error;
      }
      if (isClosed()) return;
      const refusal = refusalOf(fault) ?? (isReady ? undefined : await wrongProtocol(settings));
      if (state.is === "away") state.refusal = refusal;
      if (refusal && !isReady) return refused(refusal);
      logFault(refusal ? refusal.message.replace(/^storage\.[\w-]+: /, "") : describeFault(fault));
      await pause();
    }
  }

  const now: SharedTime = () => Math.round(offsetMs + clock.monotonic());

  return {
    key,
    /** Redis's clock, estimated: it is assumed not to be set between two measurements. */
    now,
    latencyMs: () => latencyMs,
    reach: {
      isAway: () => state.is === "away",
      onChange: listener => void listeners.push(listener),
    } satisfies Reach,
    waitForReconnect,
    /** Registers a step that prepares each new connection before it is used. */
    onServer: (step: OnServer) => void steps.push(step),
    /**
     * Runs a script atomically; a fenced one only while its lease is valid.
     * @throws StorageAway, also for an expired lease, and StorageFull
     */
    run: (
      script: Script,
      keys: readonly string[],
      values: readonly (string | number)[],
      lease?: Lease,
    ): Promise<unknown> => {
      const { token = "", key: ofTurn = key("turn") } = lease ?? {};
      const fence = script.isFenced ? { keys: [ofTurn], values: [token] } : { keys: [], values: [] };
      const all = [...fence.values, ...values.map(String)];
      return use(on => call(on, script, [...fence.keys, ...keys.map(key)], all));
    },
    /** Runs a script on a connection that is not yet in use. */
    runOn: (
      on: RedisClient,
      script: Script,
      keys: readonly string[],
      values: readonly (string | number)[],
    ) => {
      const fence = script.isFenced ? { keys: ["turn"], values: [""] } : { keys: [], values: [] };
      const all = [...fence.values, ...values.map(String)];
      return answered(call(on, script, [...fence.keys, ...keys].map(key), all));
    },
    /** Sends a command. @throws StorageAway; during the start it waits for Redis instead, and throws a refusal */
    ask: (...command: string[]): Promise<unknown> => retryAtStart(on => on.sendCommand(command)),
    /** Runs a read-only script. It throws like `ask`. */
    read: (script: Script, keys: readonly string[], values: readonly string[]): Promise<unknown> =>
      retryAtStart(on => call(on, script, keys.map(key), [...values])),
    /** The start is over: from now on calls do not wait long for Redis. */
    started(): void {
      if (phase === "starting") phase = "started";
    },
    askOn: (on: RedisClient, ...command: string[]): Promise<unknown> => answered(on.sendCommand(command)),
    /**
     * Settles when there is a connection; retries until then.
     * @throws RedisRefusal if retrying is useless
     */
    start: (): Promise<void> => new Promise((resolve, reject) => void run(resolve, reject)),
    close(): void {
      phase = "closed";
      if (state.is === "away") for (const resume of state.waiting) resume();
      newest.break(new Error("closed"));
    },
  };
}
