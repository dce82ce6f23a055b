import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../sidecar/config/read.ts";
import { embedded } from "../../sidecar/embedded.ts";
import type { Log } from "../../sidecar/ports.ts";
import { type Sidecar, startSidecar } from "../../sidecar/sidecar.ts";
import { ManualClock } from "../../test/helpers/clock.ts";
import { memoryFeedLog } from "../../test/helpers/feed-log.ts";
import { createMemoryBans } from "../../test/helpers/memory-bans.ts";
import { createMemoryKnown } from "../../test/helpers/memory-known.ts";
import { createMemoryStore } from "../../test/helpers/memory-store.ts";
import { PACK } from "../scale/built.ts";
import { UNLIMITED } from "../scale/unlimited.ts";
import { createSimulator, type Player, type Simulator } from "../simulator/simulator.ts";
import { TICK_MS } from "./bench.ts";
import { leaveNothing } from "./leftovers.ts";
import { SETTINGS, TOKEN } from "./sidecar.ts";

const PATIENCE_MS = 10_000;

/** Ticks in which pack and sidecar meet, players are counted and the first snapshots are sent. */
const WARM_UP_TICKS = 200;
const FIGURES = { memoryUsedMB: 1, memoryMaxMB: 2, cpuUsage: 3 };

const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Game and sidecar in this process, on one clock that moves by a tick when it is told to. */
export class Stepped {
  readonly game: Simulator;
  readonly base: string;
  readonly players: Player[] = [];
  readonly end: () => Promise<void>;
  readonly #clock: ManualClock;

  private constructor(clock: ManualClock, sidecar: Sidecar, game: Simulator) {
    this.#clock = clock;
    this.game = game;
    this.base = `http://127.0.0.1:${sidecar.publicAddress.port}`;
    this.end = leaveNothing(async () => {
      game.dispose();
      const stopped = sidecar.stop();
      const pump = setInterval(() => clock.advance(TICK_MS), 1);
      await stopped;
      clearInterval(pump);
    });
  }

  /** Starts both, with default intervals, and lets so many players join. `pack`: the file of the script. */
  static async start(players: number, pack = PACK): Promise<Stepped> {
    const clock = new ManualClock();
    const sidecar = await startSidecar({
      config: defaultConfig(),
      token: TOKEN,
      log: quiet,
      shared: embedded(clock, {
        store: createMemoryStore(),
        feedLog: memoryFeedLog(clock),
        known: createMemoryKnown(),
        bans: createMemoryBans(),
      }),
      probe: { read: async () => FIGURES },
    });
    const game = await createSimulator({
      pack,
      variables: { "bridge-url": `http://127.0.0.1:${sidecar.bridgeAddress.port}` },
      secrets: { "bridge-token": TOKEN },
      now: clock.now,
    });
    const stepped = new Stepped(clock, sidecar, game);
    for (let i = 0; i < players; i++) stepped.players.push(game.world.join(`Player ${i}`));
    await stepped.ticks(WARM_UP_TICKS);
    return stepped;
  }

  #tick(before = (): void => {}): void {
    this.#clock.advance(TICK_MS);
    before();
    this.game.tickNow();
  }

  /** Runs ticks, with about a millisecond for the network after each. */
  async ticks(count: number, before: (tick: number) => void = () => {}): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.#tick(() => before(i));
      await sleep(1);
    }
  }

  /** Runs a tick, and goes on once all requests but so many have their answer, as they have long before the next tick. */
  async answered(allBut: number): Promise<void> {
    this.#tick();
    for (const end = performance.now() + PATIENCE_MS; this.game.http.unanswered > allBut; await sleep(1))
      if (performance.now() > end) throw new Error("a request was not answered");
  }

  /** Runs ticks in which nobody does anything: the network has time when there is more than a poll. */
  async idle(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.#tick();
      await (this.game.http.inFlight > 1 ? sleep(1) : nextTurn());
    }
  }
}

function defaultConfig(): Parameters<typeof startSidecar>[0]["config"] {
  const read = readConfig("", { ...SETTINGS, ...UNLIMITED }, "/");
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return read.config;
}
