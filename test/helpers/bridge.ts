import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createLaunchedGame, type LaunchedGame } from "../../lab/console-link/launched-game.ts";
import type { ConsoleFaults } from "../../lab/simulator/console-faults.ts";
import {
  createSimulator,
  type Player,
  type SavedWorld,
  type Simulator,
} from "../../lab/simulator/simulator.ts";
import type { SimulatorOptions } from "../../lab/simulator/types.ts";
import type { BanStore } from "../../sidecar/features/bans/records.ts";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import { ChatSocket } from "./chat-socket.ts";
import { type Answer, type Ask, ask } from "./client.ts";
import { ManualClock } from "./clock.ts";
import { createMemoryKnown } from "./memory-known.ts";
import type { OwnStore } from "./memory-store.ts";
import { createMemoryBans, createMemoryStore } from "./memory-store.ts";
import { type Options, startTestSidecar, type TestSidecar, TOKEN } from "./sidecar.ts";

/** The built packs. */
export const PACK = fileURLToPath(new URL("../../dist/behavior_pack/scripts/main.js", import.meta.url));
export const STABLE_PACK = fileURLToPath(
  new URL("../../dist/behavior_pack_stable/scripts/main.js", import.meta.url),
);

/** What carries the messages of pack and sidecar. */
export const LINKS = ["HTTP", "the console"] as const;
export type Link = (typeof LINKS)[number];

interface BridgeOptions extends Options {
  /** Default: HTTP */
  over?: Link | undefined;
  /** of the line of the console */
  faults?: ConsoleFaults;
}

const TICK_MS = 50;
/** Ticks until a joining player has spawned. */
const SPAWN_TICKS = 5;
/** Time limit of `until` in ticks, a minute of game time. */
const UNTIL_TIMEOUT_TICKS = 1_200;

/**
 * The compiled pack in the simulator and the real sidecar, over real sockets, on one clock that the test controls: a
 * tick takes 50 ms of it, and some turns of the event loop.
 */
export class TestBridge {
  readonly clock: ManualClock;
  /** undefined while the sidecar is down */
  side: TestSidecar | undefined;
  /** undefined while the game is down */
  game: Simulator | undefined;
  /** milliseconds per tick; more than 50 is lag */
  tickMs = TICK_MS;
  /** true: the game hangs, while time passes */
  frozen = false;
  /** called before each tick */
  onTick: (() => void) | undefined;
  #ports: { publicPort: number; bridgePort: number };
  #saved: SavedWorld | undefined;
  readonly #store: OwnStore;
  readonly #known: KnownStore;
  /** kept when the sidecar restarts; the settings of its next start */
  bans: BanStore;
  readonly #options: BridgeOptions;
  readonly #launched = new Map<Simulator, LaunchedGame>();
  /** of other game servers */
  readonly #others: Simulator[] = [];
  readonly #game: Partial<SimulatorOptions>;
  readonly #sockets: ChatSocket[] = [];

  constructor(options: BridgeOptions = {}, game: Partial<SimulatorOptions> = {}) {
    this.clock = options.clock ?? new ManualClock();
    this.#store = options.store ?? createMemoryStore();
    this.#known = options.known ?? createMemoryKnown();
    this.bans = options.bans ?? createMemoryBans();
    this.#options = { prefix: randomUUID(), ...options };
    this.#game = game;
    this.#ports = { publicPort: options.publicPort ?? 0, bridgePort: options.bridgePort ?? 0 };
  }

  /** Starts both sides and waits until the sidecar has a snapshot of a world with these players. */
  static async start(
    players: string[] = [],
    options?: BridgeOptions,
    game?: Partial<SimulatorOptions>,
  ): Promise<TestBridge> {
    const bridge = new TestBridge(options, game);
    await bridge.startSidecar();
    await bridge.startGame();
    await bridge.enter(...players);
    return bridge;
  }

  /** Lets these players join; waits until they have spawned and the sidecar lists all online players. */
  async enter(...players: string[]): Promise<void> {
    for (const name of players) this.join(name);
    await this.tick(SPAWN_TICKS);
    await this.until(async () => {
      const { status, json } = await this.ask("/players");
      return status === 200 && (json as unknown[]).length === this.world.players.length;
    });
  }

  async startSidecar(more: Options = {}): Promise<void> {
    this.side = await startTestSidecar({
      ...this.#options,
      ...this.#ports,
      ...more,
      clock: this.clock,
      // It is used after the sidecar, which closes it, has stopped.
      store: { ...this.#store, close: async () => undefined },
      known: this.#known,
      bans: this.bans,
    });
    const { publicAddress, bridgeAddress } = this.side.sidecar;
    this.#ports = { publicPort: publicAddress.port, bridgePort: bridgeAddress.port };
  }

  /** Stops the sidecar; the next one has its stored data. */
  async stopSidecar(): Promise<void> {
    await this.side?.stop();
    this.side = undefined;
  }

  async startGame(more: Partial<SimulatorOptions> = {}): Promise<Simulator> {
    const saved = this.#saved ? { saved: this.#saved } : {};
    this.game = await this.#newGame(TOKEN, { ...saved, ...this.#game, ...more });
    return this.game;
  }

  /** Starts a game of another game server, which has this token. It runs until the end. */
  async addGame(token: string): Promise<Simulator> {
    const game = await this.#newGame(token);
    this.#others.push(game);
    return game;
  }

  async #newGame(token: string, more: Partial<SimulatorOptions> = {}): Promise<Simulator> {
    const options = { now: this.clock.now, ...more };
    const { faults } = this.#options;
    if (!this.isOverConsole)
      return createSimulator({
        pack: PACK,
        variables: { "bridge-url": this.bridgeUrl },
        secrets: { "bridge-token": token },
        ...options,
      });
    const game = await createLaunchedGame({
      pack: STABLE_PACK,
      bridge: { url: this.bridgeUrl, token },
      clock: this.clock,
      ...(faults && { faults }),
      ...options,
    });
    this.#launched.set(game.simulator, game);
    return game.simulator;
  }

  get isOverConsole(): boolean {
    return this.#options.over === "the console";
  }

  /** Stops or crashes the game; the next one has its world. */
  async stopGame(how: "stop" | "kill" = "stop"): Promise<void> {
    this.#saved = how === "stop" ? await this.game?.stop() : this.game?.kill();
    if (this.game) this.#endLaunch(this.game);
    this.game = undefined;
  }

  /** Ends the part of `launch` for this game. @throws if a part of the link was shown */
  #endLaunch(game: Simulator): void {
    const launched = this.#launched.get(game);
    launched?.end();
    this.#launched.delete(game);
    launched?.expectHidden(this.side?.log.text ?? "", ...game.world.chat.map(({ text }) => text));
  }

  /** The store of the links. */
  get store(): OwnStore {
    return this.side?.store ?? this.#store;
  }

  get world(): Simulator["world"] {
    return this.running.world;
  }

  get running(): Simulator {
    if (!this.game) throw new Error("the game is down");
    return this.game;
  }

  /** address of the bridge listener */
  get bridgeUrl(): string {
    return `http://127.0.0.1:${this.#ports.bridgePort}`;
  }

  get base(): string {
    return `http://127.0.0.1:${this.#ports.publicPort}`;
  }

  /** A player says a text in the game: by `/bridge:say` where game chat cannot be heard. */
  async say(name: string, text: string): Promise<void> {
    const player = this.player(name);
    if (!this.isOverConsole) return player.say(text);
    if (!/["\\]/.test(text)) return player.command(`/bridge:say "${text}"`);
    player.command("/bridge:say");
    await this.until(() => player.form);
    player.fill(text);
  }

  /** Another pack prints a line on the console. */
  printOther(line: string): void {
    this.#launched.get(this.running)?.printOther(line);
  }

  join(name: string): Player {
    return this.world.join(name);
  }

  player(name: string): Player {
    const player = this.world.players.find(one => one.name === name);
    if (!player) throw new Error(`${name} is not online`);
    return player;
  }

  /** Runs one tick of game and clock, with time for the network. */
  async tick(count = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.onTick?.();
      this.clock.advance(this.tickMs);
      if (!this.frozen) for (const game of [this.game, ...this.#others]) game?.tickNow();
      await (this.side ? this.side.quiet() : nextTurn());
    }
  }

  /** Ticks until the condition is true. */
  async until(condition: () => unknown, timeoutTicks = UNTIL_TIMEOUT_TICKS): Promise<void> {
    for (let i = 0; i < timeoutTicks; i++) {
      if (await condition()) return;
      await this.tick();
    }
    throw new Error(`not true within ${timeoutTicks} ticks: ${condition}\n${this.consoleText}`);
  }

  /** Ticks until the promise is settled, and returns its value. */
  async during<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = (): void => {
      settled = true;
    };
    promise.then(done, done);
    await this.until(() => settled);
    return promise;
  }

  /** Calls the public listener without ticking. */
  ask(path: string, options?: Ask): Promise<Answer> {
    return ask(this.base, path, options);
  }

  /** Sends a request that needs the game. */
  askGame(path: string, options?: Ask): Promise<Answer> {
    return this.during(this.ask(path, options));
  }

  async socket(headers?: Record<string, string>): Promise<ChatSocket> {
    const socket = await ChatSocket.open(this.base, headers);
    this.#sockets.push(socket);
    return socket;
  }

  /** Lines with a text in the content log of the running game, as its owner sees it. */
  linesWith(text: string): string[] {
    return this.#lines.filter(line => line.includes(text));
  }

  /** The content log of the running game, as its owner sees it. */
  get consoleText(): string {
    return this.#lines.join("\n");
  }

  get #lines(): readonly string[] {
    if (!this.game) return [];
    return this.#launched.get(this.game)?.scriptLines ?? this.game.console.map(({ line }) => line);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.ws.terminate();
    for (const game of [this.game, ...this.#others]) game?.dispose();
    try {
      for (const game of this.#launched.keys()) this.#endLaunch(game);
    } finally {
      await this.stopSidecar();
      await this.#store.close();
    }
  }
}
