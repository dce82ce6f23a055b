import { messageOf } from "../../../../cli/errno.ts";
import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { type Lease, type Reach, StorageAway } from "../ports.ts";
import { whileAwake } from "./awake.ts";
import {
  close,
  findServer,
  NO_ANSWER,
  type RedisClient,
  type RedisServer,
  type RedisSettings,
  SILENT_MS,
  shown,
  wrongProtocol,
} from "./client.ts";
import { faultOf, inWords, isElsewhere, refusalOf } from "./faults.ts";
import { everyScript, listOf, numberOf, type Script } from "./script.ts";

/** How long a command waits for Redis to be back, from the moment in which it was lost, in milliseconds. */
const GRACE_MS = 500;
/** Wait before Redis is looked for again, in milliseconds. */
const RETRY_MS = 100;
/** How often the same fault is told, in milliseconds. */
const TELL_MS = 60_000;
/** How often Redis is asked something, so that it is seen whether answers come, in milliseconds. */
const MEASURE_MS = 250;
/** Latency from which on an answer tells nothing of Redis's clock, in milliseconds. */
const LATE_MS = 100;

/**
 * What is done with each new connection before anybody uses it, which ends it when it rejects. `onEnd` takes what is to be done
 * when the connection ends, which may be while this still goes on: at once then.
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
      /** those who wait for it to be back */
      waiting: Set<() => void>;
      /** what cannot be mended by trying again, while that is so */
      refusal?: Error | undefined;
    };

export type RedisConnection = ReturnType<typeof createConnection>;

/** A connection for keys that begin with `scope`, such as those of one game server. */
export function scoped(redis: RedisConnection, scope: string): RedisConnection {
  const own = (name: string): string => `${scope}${name}`;
  return {
    ...redis,
    key: name => redis.key(own(name)),
    run: (script, keys, ...more) => redis.run(script, keys.map(own), ...more),
    read: (script, keys, values) => redis.read(script, keys.map(own), values),
    runOn: (on, script, keys, values) => redis.runOn(on, script, keys.map(own), values),
  };
}

/** The connection to Redis: lost, it is made again for as long as it takes. */
export function createConnection(deps: {
  settings: RedisSettings;
  /** of this machine: what waits on it waits for the network */
  clock: Clock;
  log: Pick<Log, "info" | "error">;
}) {
  const { settings, clock, log } = deps;
  const listeners: ((isAway: boolean) => void)[] = [];
  const steps: OnServer[] = [];
  let state: ConnectionState = { is: "away", since: clock.monotonic(), waiting: new Set() };
  let phase: "starting" | "started" | "closed" = "starting";
  /** of the newest connection; `heard`: an answer came, or the first question after a pause went out */
  let line: { break(error: unknown): void; heard(): void } = {
    break: () => undefined,
    heard: () => undefined,
  };
  let offsetMs = 0;
  let latencyMs = 0;
  let pending = 0;
  let told: { what: string; at: number } | undefined;

  const isClosed = (): boolean => phase === "closed";

  function found(client: RedisClient): void {
    const before = state;
    state = { is: "there", client };
    if (before.is === "away") for (const go of before.waiting) go();
    for (const listener of listeners) listener(false);
  }

  function lost(): void {
    if (state.is === "away") return;
    state = { is: "away", since: clock.monotonic(), waiting: new Set() };
    for (const listener of listeners) listener(true);
  }

  /** Settles when Redis can be reached, after `ms` milliseconds at the latest; whether it can. */
  function back(ms: number): Promise<boolean> {
    if (state.is === "there") return Promise.resolve(true);
    if (ms <= 0 || isClosed()) return Promise.resolve(false);
    const { waiting } = state;
    return new Promise(resolve => {
      const go = (): void => {
        cancel();
        waiting.delete(go);
        resolve(state.is === "there");
      };
      const cancel = clock.after(ms, go);
      waiting.add(go);
    });
  }

  async function connected(): Promise<RedisClient> {
    if (state.is === "away") await back(GRACE_MS - (clock.monotonic() - state.since));
    if (state.is === "there") return state.client;
    throw new StorageAway(`storage.url: ${told?.what ?? "Redis cannot be reached"}`);
  }

  async function answered<T>(call: Promise<T>): Promise<T> {
    if (pending++ === 0) line.heard();
    try {
      return await call;
    } finally {
      pending--;
      line.heard();
    }
  }

  async function use<T>(call: (client: RedisClient) => Promise<T>): Promise<T> {
    const on = state.is === "there" ? state.client : await connected();
    try {
      return await answered(call(on));
    } catch (error) {
      const isTaken = /^FENCED/.test(messageOf(error));
      const isOfThis = state.is === "there" && on === state.client;
      if (!isTaken && (isElsewhere(error) || refusalOf(error)) && isOfThis) line.break(error);
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
      // Somebody has flushed the scripts.
      if (!/^NOSCRIPT/.test(messageOf(error))) throw error;
      return on.eval(source, options);
    }
  }

  const key = (name: string): string => `{${settings.prefix}}:${name}`;

  /** `isFirst`: on this connection */
  async function measure(on: RedisClient, isFirst: boolean): Promise<void> {
    const before = clock.monotonic();
    const [seconds, micros] = listOf(await answered(on.sendCommand(["TIME"]))).map(numberOf);
    const after = clock.monotonic();
    latencyMs = after - before;
    const offset = (seconds ?? 0) * 1_000 + (micros ?? 0) / 1_000 - (before + after) / 2;
    // Within what the measuring itself may be wrong by, nothing has changed; of an answer that was late it may be much.
    if (!isFirst && latencyMs > LATE_MS) return;
    if (Math.abs(offset - offsetMs) > latencyMs / 2) offsetMs = offset;
  }

  function tell(what: string): void {
    if (told?.what === what && clock.monotonic() - told.at < TELL_MS) return;
    told = { what, at: clock.monotonic() };
    log.error({}, `storage.url: ${what}; trying again`);
  }

  /** Connects, and resolves with what the connection broke by; rejects when there was none. */
  async function live(ready: () => void): Promise<unknown> {
    const server = await findServer(settings, clock);
    if (isClosed()) return close(server.client);
    const ends: (() => void)[] = [() => close(server.client)];
    let isOver = false;
    const onEnd = (end: () => void): void => {
      if (isOver) end();
      else ends.push(end);
    };
    const broken = new Promise<unknown>(resolve => {
      const watch = whileAwake(clock, SILENT_MS, () => {
        if (pending > 0) resolve(new Error(NO_ANSWER));
      });
      line = { break: resolve, heard: watch.beginAgain };
      server.client.on("error", resolve);
      server.client.on("end", () => resolve(new Error("the connection was lost")));
      ends.push(watch.end);
    });
    const own = line;
    ends.push(clock.every(MEASURE_MS, () => void measure(server.client, false).catch(() => undefined)));
    try {
      const prepared = (async () => {
        await measure(server.client, true);
        const loaded = everyScript().map(({ source }) =>
          server.client.sendCommand(["SCRIPT", "LOAD", source]),
        );
        await answered(Promise.all(loaded));
        for (const step of steps) await step(server, own.break, onEnd);
      })();
      const early = await Promise.race([prepared, broken.then(error => ({ error }))]);
      if (early) throw early.error;
      ready();
      log.info(
        { redis: shown(server.place), latencyMs: Math.round(latencyMs * 100) / 100 },
        "Connected to Redis",
      );
      told = undefined;
      found(server.client);
      return await broken;
    } finally {
      isOver = true;
      lost();
      for (const end of ends) end();
    }
  }

  /** Whatever is read at the start is read again where the connection was lost meanwhile; nobody can go on without it. */
  async function reading(call: (client: RedisClient) => Promise<unknown>): Promise<unknown> {
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
        fault = await live(() => {
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
      tell(refusal ? refusal.message.replace(/^storage\.[\w-]+: /, "") : inWords(fault));
      await pause();
    }
  }

  const now: SharedTime = () => Math.round(offsetMs + clock.monotonic());

  return {
    key,
    /** Redis's clock, as far as it can be told from here: between two measurements nobody sets it. */
    now,
    latencyMs: () => latencyMs,
    reach: {
      isAway: () => state.is === "away",
      onChange: listener => void listeners.push(listener),
    } satisfies Reach,
    back,
    /** Has this done with each new connection before it is used. */
    onServer: (step: OnServer) => void steps.push(step),
    /**
     * Runs a script in one step; one that is fenced, with a turn, only as long as that lasts.
     * @throws StorageAway, also of a turn that is over, and StorageFull
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
    /** Asks with a plain command. @throws StorageAway; at the start it waits for Redis instead, and throws what that refuses */
    ask: (...command: string[]): Promise<unknown> => reading(on => on.sendCommand(command)),
    /** Runs a script that only reads. It throws as `ask` does. */
    read: (script: Script, keys: readonly string[], values: readonly string[]): Promise<unknown> =>
      reading(on => call(on, script, keys.map(key), [...values])),
    /** The start is over: from now on nobody waits for Redis for long. */
    started(): void {
      if (phase === "starting") phase = "started";
    },
    askOn: (on: RedisClient, ...command: string[]): Promise<unknown> => answered(on.sendCommand(command)),
    /**
     * Settles when there is a connection; until then Redis is looked for.
     * @throws RedisRefusal where that is in vain
     */
    start: (): Promise<void> => new Promise((resolve, reject) => void run(resolve, reject)),
    close(): void {
      phase = "closed";
      if (state.is === "away") for (const go of state.waiting) go();
      line.break(new Error("closed"));
    },
  };
}
