import { messageOf } from "../../cli/errno.ts";
import { Cast } from "../simulator/cast.ts";
import { type RealtimeDriver, runRealtime } from "../simulator/realtime.ts";
import type { Player, SavedWorld, Simulator, World } from "../simulator/simulator.ts";
import { Fights } from "./fights.ts";
import { MAP_X, MAP_Z, type Power } from "./panel/protocol.ts";

/** Blocks per tick of who walks back towards the middle. */
const STROLL = 0.12;
/** Average ticks between two fights that players begin by themselves. */
const FIGHT_EVERY_TICKS = 900;
/** Blocks from the edge of the map at which players turn back, and from its middle where they enter. */
const MARGIN = 3;
const ENTRANCE = 20;

interface DemoGameOptions {
  /** Starts the game, with the world that the one before it has left. */
  create(saved: SavedWorld | undefined): Promise<Simulator>;
  /** Whether players answer the forms they are shown by themselves. Default: never. */
  answersForms?: () => boolean;
  /** Who is there at the beginning and acts by itself, 0 to 10. Default 4. */
  castSize?: number;
  /** Whether the cast talks and fights. Default true. */
  isLively?: boolean;
  /** Called before each tick. */
  onTick?: (simulator: Simulator) => void;
  /** Something that the operator should know. */
  say?: (line: string) => void;
}

interface Run {
  readonly simulator: Simulator;
  readonly driver: RealtimeDriver;
}

/** The simulated game server of the demo: it runs in real time, and may be stopped and started again. */
export class DemoGame {
  power: Power = "off";
  fights = new Fights(() => 0);
  readonly #options: DemoGameOptions;
  #run: Run | undefined;
  #cast: Cast | undefined;
  #saved: SavedWorld | undefined;
  #tps = 20;
  /** who comes back when the server does */
  #names: string[] = [];

  constructor(options: DemoGameOptions) {
    this.#options = options;
  }

  /** undefined while the server is off */
  get world(): World | undefined {
    return this.#run?.simulator.world;
  }

  /** Ticks per second that the world is set to. */
  get tps(): number {
    return this.#tps;
  }

  /** Makes the world run at so many ticks per second. */
  lag(tps: number): void {
    this.#tps = tps;
    this.#run?.driver.lag(tps);
  }

  /** Starts the server with the world as it was left; whoever was online comes back. Does nothing while it runs. */
  async start(): Promise<void> {
    if (this.power !== "off") return;
    this.power = "changing";
    try {
      const simulator = await this.#options.create(this.#saved);
      this.#enter(simulator.world);
      this.#run = {
        simulator,
        driver: runRealtime(simulator, { tps: this.#tps, onTick: () => this.#act(simulator) }),
      };
      this.power = "on";
    } catch (error) {
      this.power = "off";
      throw error;
    }
  }

  /** Stops the server and keeps its world. Does nothing while it is off. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (!run || this.power !== "on") return;
    this.power = "changing";
    this.#names = run.simulator.world.players.map(({ name }) => name);
    await run.driver.stop();
    this.#saved = await run.simulator.stop();
    this.#run = undefined;
    this.power = "off";
  }

  /** Brings a player in near the middle. False when the allow list does not name them, or they are online. */
  join(name: string): boolean {
    return this.world !== undefined && this.#bringIn(this.world, name);
  }

  #enter(world: World): void {
    const { castSize = 4, isLively = true } = this.#options;
    this.fights = new Fights(() => world.tick);
    this.#cast = new Cast(world, {
      size: Math.max(1, castSize),
      reach: ENTRANCE,
      answersForms: () => this.#options.answersForms?.() ?? false,
      talks: isLively,
    });
    if (this.#saved !== undefined) {
      for (const name of this.#names) this.#bringIn(world, name);
      return;
    }
    if (castSize === 0) return;
    try {
      this.#cast.enter();
    } catch (error) {
      this.#options.say?.(`${messageOf(error)}: no more players join`);
    }
  }

  #bringIn(world: World, name: string): boolean {
    const [x, z] = [Math.random(), Math.random()].map(share => (share * 2 - 1) * ENTRANCE * 0.6);
    try {
      const player = world.join(name, { position: { x: x ?? 0, y: 64, z: z ?? 0 } });
      this.#cast?.adopt(player);
      return true;
    } catch {
      return false;
    }
  }

  /** Now and then, two of them begin a fight. */
  #quarrel(alive: readonly Player[]): void {
    if (this.#options.isLively === false || Math.random() > 1 / FIGHT_EVERY_TICKS) return;
    const [attacker, victim] = [...alive].sort(() => Math.random() - 0.5);
    if (attacker && victim) this.fights.begin(attacker, victim);
  }

  #act(simulator: Simulator): void {
    this.#options.onTick?.(simulator);
    this.#cast?.act();
    this.#quarrel(simulator.world.players.filter(({ dead }) => !dead));
    this.fights.act();
    for (const player of simulator.world.players) keepOnMap(player);
  }
}

/** Turns a player back who is about to leave the map, and lets the dead lie. */
function keepOnMap(player: Player): void {
  const { x, z } = player.position;
  if (player.dead) player.walk(0, 0);
  else if (Math.abs(x) > MAP_X - MARGIN || Math.abs(z) > MAP_Z - MARGIN) {
    const distance = Math.hypot(x, z);
    player.walk((-x / distance) * STROLL, (-z / distance) * STROLL);
  }
}
