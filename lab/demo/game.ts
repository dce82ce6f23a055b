import { messageOf } from "../../cli/errno.ts";
import { Cast } from "../simulator/cast.ts";
import { type RealtimeDriver, runRealtime } from "../simulator/realtime.ts";
import type { Player, SavedWorld, Simulator, World } from "../simulator/simulator.ts";
import { Fights } from "./fights.ts";
import { MAP_X, MAP_Z, type Power } from "./panel/protocol.ts";

/** Speed of a player who returns to the middle, in blocks per tick. */
const STROLL = 0.12;
/** Average ticks between two fights that players start themselves. */
const FIGHT_EVERY_TICKS = 900;
/** Distance from the edge of the map at which players turn back, and radius around the middle where they join, in blocks. */
const MARGIN = 3;
const ENTRANCE = 20;

export interface DemoGameOptions {
  /** Starts the game with the saved world of the previous run. */
  create(saved: SavedWorld | undefined): Promise<Simulator>;
  /** Whether players answer their forms automatically. Default: never. */
  answersForms?: () => boolean;
  /** Number of players who join at the start and act automatically, 0 to 10. Default 4. */
  castSize?: number;
  /** Whether these players talk and fight. Default true. */
  isLively?: boolean;
  /** Whether players write with `/bridge:say`, because the pack cannot hear game chat. Default false. */
  saysByCommand?: boolean;
  /** Called before each tick. */
  onTick?: (simulator: Simulator) => void;
  /** Called when the game has stopped. */
  onStop?: () => void;
  /** Prints a message for the operator. */
  say?: (line: string) => void;
}

interface Run {
  readonly simulator: Simulator;
  readonly driver: RealtimeDriver;
}

/** The simulated game server of the demo. It runs in real time, and can be stopped and started again. */
export class DemoGame {
  power: Power = "off";
  fights = new Fights(() => 0);
  readonly #options: DemoGameOptions;
  #run: Run | undefined;
  #cast: Cast | undefined;
  #saved: SavedWorld | undefined;
  #tps = 20;
  /** players who rejoin when the server starts again */
  #names: string[] = [];

  constructor(options: DemoGameOptions) {
    this.#options = options;
  }

  /** undefined while the server is off */
  get world(): World | undefined {
    return this.#run?.simulator.world;
  }

  /** Target ticks per second of the world. */
  get tps(): number {
    return this.#tps;
  }

  /** Sets the ticks per second of the world. */
  lag(tps: number): void {
    this.#tps = tps;
    this.#run?.driver.lag(tps);
  }

  /** Starts the server with the saved world and the players who were online. Does nothing while it runs. */
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

  /** Stops the server and saves its world. Does nothing while it is off. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (!run || this.power !== "on") return;
    this.power = "changing";
    this.#names = run.simulator.world.players.map(({ name }) => name);
    await run.driver.stop();
    this.#saved = await run.simulator.stop();
    this.#options.onStop?.();
    this.#run = undefined;
    this.power = "off";
  }

  /** Lets a player join near the middle. False if the allowlist rejects them or they are already online. */
  join(name: string): boolean {
    return this.world !== undefined && this.#bringIn(this.world, name);
  }

  /** Lets a player send a chat message, in the way that reaches the website. */
  say(player: Player, text: string): void {
    if (this.#options.saysByCommand !== true) player.say(text);
    // A text in quotes has none within it.
    else player.command(`/bridge:say "${text.replaceAll('"', "'")}"`);
  }

  #enter(world: World): void {
    const { castSize = 4, isLively = true } = this.#options;
    this.fights = new Fights(() => world.tick);
    this.#cast = new Cast(world, {
      size: Math.max(1, castSize),
      reach: ENTRANCE,
      answersForms: () => this.#options.answersForms?.() ?? false,
      talks: isLively,
      say: (player, text) => this.say(player, text),
    });
    if (this.#saved !== undefined) {
      for (const name of this.#names) this.#bringIn(world, name);
      return;
    }
    if (castSize === 0) return;
    try {
      this.#cast.enter();
    } catch (error) {
      this.#options.say?.(`${messageOf(error)}, so the demo stops adding players`);
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

  /** Starts a random fight from time to time. */
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

/** Turns back a player who is about to leave the map, and stops dead ones. */
function keepOnMap(player: Player): void {
  const { x, z } = player.position;
  if (player.dead) player.walk(0, 0);
  else if (Math.abs(x) > MAP_X - MARGIN || Math.abs(z) > MAP_Z - MARGIN) {
    const distance = Math.hypot(x, z);
    player.walk((-x / distance) * STROLL, (-z / distance) * STROLL);
  }
}
