import { messageOf } from "../../cli/errno.ts";
import { type Clock, type Log, type Reach, type SharedTime, StorageAway, type Turn } from "../ports.ts";
import { whileAwake } from "./awake.ts";
import {
  type Client,
  close,
  findServer,
  NO_ANSWER,
  type RedisSettings,
  type Server,
  SILENT_MS,
  shown,
} from "./client.ts";
import { faultOf, inWords, isElsewhere, refusalOf } from "./faults.ts";
import { listOf, numberOf } from "./reply.ts";
import { everyScript, type Script } from "./script.ts";

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
  server: Server,
  broken: (error: unknown) => void,
  onEnd: (end: () => void) => void,
) => Promise<void>;

export type Connection = ReturnType<typeof createConnection>;

/** The same connection for keys that `scope` stands ahead of, such as those of one world. */
export function within(redis: Connection, scope: string): Connection {
  const own = (name: string): string => `${scope}${name}`;
  return {
    ...redis,
    key: name => redis.key(own(name)),
    run: (script, keys, ...more) => redis.run(script, keys.map(own), ...more),
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
  let client: Client | undefined;
  let awaySince: number | undefined = clock.monotonic();
  let waiting: (() => void)[] = [];
  let isClosed = false;
  let isStarting = true;
  /** what cannot be mended by trying again, while that is so */
  let refusal: Error | undefined;
  let break_ = (_error: unknown): void => undefined;
  let offsetMs = 0;
  /** whether the clock was measured on this connection */
  let isMeasured = false;
  let latencyMs = 0;
  let pending = 0;
  /** called when an answer came, and when the first question after a pause went out */
  let heard = (): void => undefined;
  let told: { what: string; at: number } | undefined;

  function setAway(isAway: boolean): void {
    if (isAway === (awaySince !== undefined)) return;
    awaySince = isAway ? clock.monotonic() : undefined;
    if (!isAway) {
      for (const go of waiting) go();
      waiting = [];
    }
    for (const listener of listeners) listener(isAway);
  }

  /** Settles when Redis can be reached, after `ms` milliseconds at the latest; whether it can. */
  function back(ms: number): Promise<boolean> {
    if (awaySince === undefined) return Promise.resolve(true);
    if (ms <= 0 || isClosed) return Promise.resolve(false);
    return new Promise(resolve => {
      const go = (): void => {
        cancel();
        resolve(awaySince === undefined);
      };
      const cancel = clock.after(ms, () => {
        waiting = waiting.filter(each => each !== go);
        resolve(false);
      });
      waiting.push(go);
    });
  }

  async function connected(): Promise<Client> {
    if (awaySince !== undefined) await back(GRACE_MS - (clock.monotonic() - awaySince));
    if (client && awaySince === undefined) return client;
    throw new StorageAway(`storage.url: ${told?.what ?? "Redis cannot be reached"}`);
  }

  async function answered<T>(call: Promise<T>): Promise<T> {
    if (pending++ === 0) heard();
    try {
      return await call;
    } finally {
      pending--;
      heard();
    }
  }

  async function use<T>(call: (client: Client) => Promise<T>): Promise<T> {
    const on = awaySince === undefined && client ? client : await connected();
    try {
      return await answered(call(on));
    } catch (error) {
      const isTaken = /^FENCED/.test(messageOf(error));
      if (!isTaken && (isElsewhere(error) || refusalOf(error)) && on === client) break_(error);
      throw faultOf(error);
    }
  }

  async function call(
    on: Client,
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

  async function measure(on: Client): Promise<void> {
    const before = clock.monotonic();
    const [seconds, micros] = listOf(await answered(on.sendCommand(["TIME"]))).map(numberOf);
    const after = clock.monotonic();
    latencyMs = after - before;
    const offset = (seconds ?? 0) * 1_000 + (micros ?? 0) / 1_000 - (before + after) / 2;
    // Within what the measuring itself may be wrong by, nothing has changed; of an answer that was late it may be much.
    if (isMeasured && latencyMs > LATE_MS) return;
    isMeasured = true;
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
    isMeasured = false;
    if (isClosed) return close(server.client);
    const ends: (() => void)[] = [() => close(server.client)];
    let isOver = false;
    const onEnd = (end: () => void): void => {
      if (isOver) end();
      else ends.push(end);
    };
    const broken = new Promise<unknown>(resolve => {
      break_ = resolve;
      server.client.on("error", resolve);
      server.client.on("end", () => resolve(new Error("the connection was lost")));
    });
    const watch = whileAwake(clock, SILENT_MS, () => {
      if (pending > 0) break_(new Error(NO_ANSWER));
    });
    heard = watch.beginAgain;
    const stopMeasuring = clock.every(MEASURE_MS, () => void measure(server.client).catch(() => undefined));
    ends.push(watch.end, stopMeasuring);
    try {
      const prepared = (async () => {
        await measure(server.client);
        const loaded = everyScript().map(({ source }) =>
          server.client.sendCommand(["SCRIPT", "LOAD", source]),
        );
        await answered(Promise.all(loaded));
        for (const step of steps) await step(server, break_, onEnd);
      })();
      const early = await Promise.race([prepared, broken.then(error => ({ error }))]);
      if (early) throw early.error;
      client = server.client;
      ready();
      log.info(
        { redis: shown(server.place), latencyMs: Math.round(latencyMs * 100) / 100 },
        "connected to Redis",
      );
      told = undefined;
      refusal = undefined;
      setAway(false);
      return await broken;
    } finally {
      isOver = true;
      client = undefined;
      setAway(true);
      for (const end of ends) end();
    }
  }

  /** Whatever is read at the start is read again where the connection was lost meanwhile; nobody can go on without it. */
  async function ask(...command: string[]): Promise<unknown> {
    for (;;) {
      const on = client;
      try {
        return await use(on => on.sendCommand(command));
      } catch (error) {
        if (!isStarting || isClosed) throw error;
        await pause();
        if (refusal) throw refusal;
        if (on !== undefined && on === client) throw error;
      }
    }
  }

  const pause = (): Promise<void> => new Promise(resolve => void clock.after(RETRY_MS, resolve));

  async function run(ready: () => void, refused: (error: Error) => void): Promise<void> {
    let isReady = false;
    while (!isClosed) {
      let fault: unknown;
      try {
        fault = await live(() => {
          isReady = true;
          ready();
        });
      } catch (error) {
        fault = error;
      }
      if (isClosed) return;
      refusal = refusalOf(fault);
      if (refusal && !isReady) return refused(refusal);
      tell(refusal ? refusal.message.replace(/^storage\.url: /, "") : inWords(fault));
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
      isAway: () => awaySince !== undefined,
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
      turn?: Turn,
    ): Promise<unknown> => {
      const { token = "", key: ofTurn = key("turn") } = turn ?? {};
      const fence = script.isFenced ? { keys: [ofTurn], values: [token] } : { keys: [], values: [] };
      const all = [...fence.values, ...values.map(String)];
      return use(on => call(on, script, [...fence.keys, ...keys.map(key)], all));
    },
    /** Runs a script on a connection that is not yet in use. */
    runOn: (on: Client, script: Script, keys: readonly string[], values: readonly (string | number)[]) =>
      answered(call(on, script, keys.map(key), values.map(String))),
    /** Asks with a plain command. @throws StorageAway; at the start it waits for Redis instead, and throws what that refuses */
    ask,
    /** The start is over: from now on nobody waits for Redis for long. */
    started(): void {
      isStarting = false;
    },
    askOn: (on: Client, ...command: string[]): Promise<unknown> => answered(on.sendCommand(command)),
    /**
     * Settles when there is a connection; until then Redis is looked for.
     * @throws RedisRefusal where that is in vain
     */
    start: (): Promise<void> => new Promise((resolve, reject) => void run(resolve, reject)),
    close(): void {
      isClosed = true;
      for (const go of waiting) go();
      break_(new Error("closed"));
    },
  };
}
