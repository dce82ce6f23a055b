import { type RealtimeDriver, runRealtime } from "../simulator/realtime.ts";
import { createSimulator, type Player, type SavedWorld, type Simulator } from "../simulator/simulator.ts";
import type { Journal } from "./journal.ts";
import type { Crash, Death } from "./ledger/figures.ts";
import type { GameRun } from "./ledger/game-lines.ts";
import type { MemorySample } from "./ledger/memory.ts";
import type { Heard } from "./ledger/order.ts";

const NAMES = ["Steve", "Alex", "Noor", "Makena", "Kai", "Efe", "Sunny", "Zuri"];
const WEB = "§7[Web]§r <Guest> ";
const SAVE_EVERY_TICKS = 200;
const RESPAWN_TICKS = 20;
const LEAVES_AFTER_TICKS = 2;
const PLAYS_AFTER_TICKS = 10;
/** What the pack has noticed shortly before a save may not be written down yet. */
const UNWRITTEN_MS = 1_000;

/** The real pack in a simulated game that can be ended and started again, and what was seen of it. */
export class ChaosGame {
  readonly runs: GameRun[] = [];
  readonly crashes: Crash[] = [];
  readonly deaths: Death[] = [];
  /** lines of the web as everybody saw them */
  readonly shown: Heard[] = [];
  /** how often the game was told to add a name */
  readonly tries = new Map<string, number>();
  readonly memory: MemorySample[] = [];
  /** called for each player with a form open, every tick */
  onForm: (player: Player) => void = () => undefined;
  /** called every tick, and when the game ends */
  onTick: () => void = () => undefined;
  onEnd: () => void = () => undefined;
  readonly #options: { pack: string; token: string; journal: Journal; server: string | undefined };
  /** where its pack asks */
  #url = "";
  #simulator: Simulator | undefined;
  #driver: RealtimeDriver | undefined;
  #saved: SavedWorld | undefined;
  #savedAt = 0;
  #seenTick = 0;
  #begunTick = 0;
  /** ticks at which players joined, by name */
  readonly #joined = new Map<string, number>();
  /** players who come and go, and do nothing else */
  readonly #outcasts = new Set<string>();
  /** players with the ticks that they stay */
  readonly #leaving = new Map<Player, number>();

  /** `server`: which of several it is; its players are no others' */
  constructor(options: { pack: string; token: string; journal: Journal; server: string | undefined }) {
    this.#options = options;
  }

  /** Players who can be talked to; none while the game is away. */
  get players(): Player[] {
    return (this.#simulator?.world.players ?? []).filter(
      player => !this.#leaving.has(player) && !this.#outcasts.has(player.name),
    );
  }

  /** ticks of the run under way, 0 while there is none */
  get tick(): number {
    return this.#simulator?.world.tick ?? 0;
  }

  /** Number of the run under way, or undefined. */
  get run(): number | undefined {
    return this.#simulator && this.runs.length;
  }

  get listed(): readonly string[] {
    return this.#simulator?.world.allowList.names ?? [];
  }

  async start(url = this.#url): Promise<void> {
    const { journal, pack, token } = this.#options;
    this.#url = url;
    const run = { number: this.runs.length + 1, endedAt: undefined, dropped: 0 };
    const simulator = await createSimulator({
      pack,
      variables: { "bridge-url": url },
      secrets: { "bridge-token": token },
      saveEveryTicks: SAVE_EVERY_TICKS,
      ...(this.#saved ? { saved: this.#saved } : {}),
      log: (_level, line) => {
        journal.trace(`console: ${line}`);
        run.dropped += Number(/(\d+) lines of game chat were dropped/.exec(line)?.[1] ?? 0);
      },
    });
    this.runs.push(run);
    this.#savedAt = journal.now();
    this.#seenTick = this.#begunTick = simulator.world.tick;
    this.#countTries(simulator);
    const { server } = this.#options;
    for (const name of NAMES) this.#join(simulator, server === undefined ? name : `${name} of ${server}`);
    this.#simulator = simulator;
    this.#drive();
  }

  /** Ends the game as a crash does, or in an orderly way. */
  async end(how: "kill" | "stop"): Promise<void> {
    const { journal } = this.#options;
    const simulator = this.#simulator;
    if (!simulator) return;
    await this.#driver?.stop();
    // What was done since the last tick has not happened yet.
    if (how === "stop") simulator.tickNow();
    this.#look(simulator);
    this.#simulator = undefined;
    this.onEnd();
    this.#leaving.clear();
    const at = journal.now();
    const run = this.runs.at(-1);
    if (run) run.endedAt = at;
    if (how === "kill") this.crashes.push({ at, savedAt: this.#savedAt - UNWRITTEN_MS });
    this.#saved = how === "kill" ? simulator.kill() : await simulator.stop();
  }

  /** The game stands still, or goes on. */
  hang(hangs: boolean): void {
    if (hangs) void this.#driver?.stop();
    else this.#drive();
  }

  lag(tps: number): void {
    this.#driver?.lag({ tps });
  }

  /** A player leaves, once what was said before is said. */
  quit(player: Player): void {
    this.#leaving.set(player, LEAVES_AFTER_TICKS);
  }

  /** A player comes back, unless that has happened or the game is away. */
  rejoin(name: string): void {
    if (this.#simulator && !this.#simulator.world.find(name)) this.#join(this.#simulator, name);
  }

  /** A player tries to come, of whom nobody asks anything, or leaves where she is there. */
  comes(name: string): Player | undefined {
    const world = this.#simulator?.world;
    this.#outcasts.add(name);
    const there = world?.find(name);
    there?.leave();
    return there ? undefined : world?.join(name);
  }

  isThere(name: string): boolean {
    return this.#simulator?.world.find(name) !== undefined;
  }

  /** A command on the console; false: there is no game, or no world in it yet. */
  command(line: string): boolean {
    const world = this.#simulator?.world;
    if (world === undefined || world.tick === this.#begunTick) return false;
    world.command(line);
    return true;
  }

  /** One of them dies by the hand of another. */
  fight(victim: Player, killer: Player): void {
    const tick = this.#simulator?.world.tick ?? 0;
    const playsYet = (player: Player): boolean =>
      tick > (this.#joined.get(player.name) ?? tick) + PLAYS_AFTER_TICKS;
    if (victim.dead || victim === killer || !playsYet(victim) || !playsYet(killer)) return;
    this.#options.journal.trace(`${victim.name} is killed by ${killer.name}`);
    victim.die({ by: killer });
    this.deaths.push({ at: this.#options.journal.now(), victim: victim.name, killer: killer.name });
  }

  measure(): void {
    if (!this.#simulator) return;
    const bytes = this.#simulator.report().memoryBytes;
    this.memory.push({ at: this.#options.journal.now(), life: this.runs.length, bytes });
  }

  #join({ world }: Simulator, name: string): void {
    world.join(name);
    this.#options.journal.trace(`${name} joins`);
    this.#joined.set(name, world.tick);
  }

  #drive(): void {
    const simulator = this.#simulator;
    if (!simulator) return;
    void this.#driver?.stop();
    const deadSince = new Map<Player, number>();
    this.#driver = runRealtime(simulator, {
      onTick: tick => {
        this.#look(simulator);
        this.onTick();
        for (const [player, ticks] of this.#leaving) {
          this.#leaving.set(player, ticks - 1);
          if (ticks > 0) continue;
          this.#leaving.delete(player);
          if (player.online) player.leave();
        }
        if ((tick - 1) % SAVE_EVERY_TICKS === 0) this.#savedAt = this.#options.journal.now();
        for (const player of simulator.world.players) {
          if (player.form) this.onForm(player);
          if (!player.dead) deadSince.delete(player);
          else if (!deadSince.has(player)) deadSince.set(player, tick);
          else if (tick - (deadSince.get(player) ?? tick) > RESPAWN_TICKS) player.respawn();
        }
      },
    });
  }

  /** Takes up what everybody has seen since the last time. */
  #look(simulator: Simulator): void {
    const { chat, tick } = simulator.world;
    const at = this.#options.journal.now();
    for (const line of chat.slice(chat.findLastIndex(one => one.tick <= this.#seenTick) + 1))
      if (line.to === undefined && line.text.startsWith(WEB))
        this.shown.push({ text: line.text.slice(WEB.length), at });
    this.#seenTick = tick;
  }

  #countTries({ world: { allowList } }: Simulator): void {
    const operate = allowList.operate.bind(allowList);
    allowList.operate = (operation, json) => {
      if (operation === "add") {
        const { name = "" } = JSON.parse(json) as { name?: string };
        this.tries.set(name, (this.tries.get(name) ?? 0) + 1);
      }
      return operate(operation, json);
    };
  }
}
