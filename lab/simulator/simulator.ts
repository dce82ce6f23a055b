import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { Bounded } from "./bounded.ts";
import { guestSource } from "./guest-source.ts";
import { makeHost, NATIVE } from "./host.ts";
import { SimulatedHttp } from "./http.ts";
import { Timing } from "./timing.ts";
import type { ConsoleLine, LogLevel, Report, SavedWorld, ScriptMemory, SimulatorOptions } from "./types.ts";
import { Vm } from "./vm.ts";
import { World } from "./world.ts";

export type { FaultFunction } from "./faults.ts";
export type { Player } from "./player.ts";
export type * from "./types.ts";
export type { World } from "./world.ts";

const CONSOLE_LINES = 2000;
const PLUGIN = "Plugin [simulated pack]";

/**
 * Starts a game with a compiled pack. The pack is evaluated; `tick` runs its first tick.
 * A pack that cannot be loaded is logged as the game does, and the game runs without it: see `loaded`.
 */
export async function createSimulator(options: SimulatorOptions): Promise<Simulator> {
  const pack = /^[^\n]+\.m?js$/.test(options.pack) ? await readFile(options.pack, "utf8") : options.pack;
  const simulator = new Simulator(options, pack, await guestSource());
  await simulator.reload({ worldLoad: true });
  return simulator;
}

/** A running game. */
export class Simulator {
  readonly world: World;
  readonly http: SimulatedHttp;
  /** The content log, newest last, at most 2000 lines. */
  readonly console: readonly ConsoleLine[];
  /** Whether the pack was evaluated without error. */
  loaded = false;
  /** Why the watchdog stopped the script: `hang` or `out of memory`. */
  terminated: string | undefined;
  readonly #options: SimulatorOptions;
  readonly #pack: string;
  readonly #guest: string;
  readonly #now: () => number;
  readonly #log = new Bounded<ConsoleLine>(CONSOLE_LINES);
  readonly #secrets: string[];
  #timing = new Timing();
  /** of the current tick */
  #nativeMs = 0;
  #vm: Vm | undefined;
  #saved: SavedWorld;
  #over = false;
  #isReloading = false;

  constructor(options: SimulatorOptions, pack: string, guest: string) {
    const { secrets = {}, spawnDelayTicks = 3, allowListDelayTicks = 0, now = Date.now } = options;
    const { happened = () => undefined, allowListFile, quirks = {} } = options;
    this.#options = options;
    this.#pack = pack;
    this.#guest = guest;
    this.#now = now;
    this.#secrets = Object.values(secrets);
    this.console = this.#log.items;
    this.world = new World(options.saved, {
      ...{ spawnDelayTicks, allowListDelayTicks, allowListFile, happened, quirks },
    });
    this.http = new SimulatedHttp(options.net ?? {}, now, this.#secrets, quirks.http);
    this.#saved = this.world.save();
  }

  /** Runs ticks, one turn of the event loop after each, so that HTTP can proceed. */
  async tick(count = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.tickNow();
      await nextTurn();
    }
  }

  /** Runs one tick synchronously. */
  tickNow(): void {
    if (this.#over) throw new Error("the game is over");
    // The game stands still while its scripts are loaded again.
    if (this.#isReloading) return;
    this.#options.beforeTick?.();
    if (this.#isReloading) return;
    const happened = this.world.advance();
    const http = this.http.advance();
    const quiet = happened === undefined && http.length === 0;
    if (this.#vm && this.loaded && this.terminated === undefined) {
      this.#nativeMs = 0;
      const ms = this.#vm.tick(quiet ? "" : JSON.stringify({ ...happened, http }), this.#now());
      this.#timing.add(Math.max(0, ms - this.#nativeMs));
    }
    const { saveEveryTicks = 400, quirks } = this.#options;
    if (this.world.tick % saveEveryTicks === 0 && !quirks?.savesLate) this.#save();
  }

  /**
   * Ticks until a condition is true, about a millisecond of real time apart.
   * @throws if it is not true after `maxTicks` (default 2000)
   */
  async until(condition: () => boolean, maxTicks = 2000): Promise<void> {
    for (let i = 0; i < maxTicks; i++) {
      if (condition()) return;
      this.tickNow();
      await sleep(1);
    }
    if (!condition()) throw new Error(`the condition did not hold within ${maxTicks} ticks`);
  }

  /**
   * Restarts the script, as /reload does: its state is lost, the world continues. `worldLoad`: fires the event of that name
   * again, which a real game does only when the server starts.
   */
  async reload({ worldLoad = false } = {}): Promise<void> {
    if (this.#over) throw new Error("the game is over");
    this.#isReloading = true;
    this.#vm?.dispose();
    this.http.abortAll();
    this.terminated = undefined;
    for (const player of this.world.players) player.orphanForm();
    const { variables = {}, secrets = {}, omit = [], takenCommands = [], jobBudgetMs = 2 } = this.#options;
    const { isStable = false } = this.#options;
    const { vm, loaded } = await Vm.create({
      guest: this.#guest,
      pack: this.#pack,
      host: makeHost({
        world: this.world,
        http: this.http,
        secretNames: Object.keys(secrets),
        secrets: this.#secrets,
        log: (level, line) => this.#write(level, line),
        fatal: reason => this.#vm?.end(reason),
      }),
      native: NATIVE,
      onNative: ms => {
        this.#nativeMs += ms;
      },
      boot: {
        tick: this.world.tick,
        worldLoad,
        omit,
        isStable,
        takenCommands,
        variables,
        secretNames: Object.keys(secrets),
        properties: Object.fromEntries(this.world.dynamicProperties),
        players: this.world.players.map(({ state }) => state),
        now: this.#options.now?.(),
        jobBudgetMs,
        quirks: this.#options.quirks?.script ?? {},
      },
      memoryLimitBytes: this.#options.memoryLimitBytes ?? 250 * 1024 * 1024,
      hangMs: this.#options.hangMs ?? 10_000,
      onError: text => this.#write("error", `[Scripting] ${text}`),
      onFatal: reason => this.#terminate(reason),
    });
    this.#vm = vm;
    this.#isReloading = false;
    this.loaded = loaded;
    if (!loaded) this.#write("error", `[Scripting] ${PLUGIN} - run failed`);
  }

  /** Stops the game cleanly: shutdown event, forms rejected, requests aborted, world saved. */
  async stop(): Promise<SavedWorld> {
    if (!this.#over) this.#options.happened?.("stopping");
    if (!this.#over && this.loaded && this.terminated === undefined) this.#vm?.shutdown();
    if (!this.#over) this.#save();
    if (!this.#over) this.#options.happened?.("stopped");
    this.#end();
    await nextTurn();
    return this.#saved;
  }

  /** Crashes the game: no event; dynamic properties as of the last save of the world. */
  kill(): SavedWorld {
    if (!this.#over) {
      const { allowList, players } = this.world.save();
      this.#saved = { ...this.#saved, allowList, players };
    }
    this.#end();
    return this.#saved;
  }

  report(): Report {
    return this.#timing.report();
  }

  /** Memory of the script; `collected`: after a garbage collection. */
  memory(collected = true): ScriptMemory {
    if (collected) this.#vm?.collect();
    return this.#vm?.memory() ?? { bytes: 0, objects: 0, blocks: 0 };
  }

  resetReport(): void {
    this.#timing = new Timing();
  }

  /** Frees everything. `stop` and `kill` call it; it may be called again. */
  dispose(): void {
    this.#end();
  }

  #save(): void {
    this.#saved = this.world.save();
    this.#options.keep?.(this.#saved);
  }

  #end(): void {
    this.#over = true;
    this.http.close();
    this.#vm?.dispose();
  }

  #terminate(reason: string): void {
    this.terminated = reason;
    this.http.abortAll();
    this.#write("error", `[Watchdog] ${reason} in the script: it is ended`);
  }

  #write(level: LogLevel, line: string): void {
    this.#log.push({ level, line });
    this.#options.log?.(level, line);
  }
}
