import { PACK } from "../scale/built.ts";
import { type RealtimeDriver, runRealtime } from "../simulator/realtime.ts";
import { createSimulator, type Player, type SavedWorld, type Simulator } from "../simulator/simulator.ts";
import type { Journal } from "./journal.ts";
import type { GameRun, ReceivedMessage, SaidLine } from "./ledger.ts";
import { TOKEN } from "./sidecars.ts";

const NAMES = ["Steve", "Alex", "Noor", "Makena", "Kai", "Efe", "Sunny", "Zuri"];
const WEB = "§7[Web]§r <Guest> ";
const SAVE_EVERY_TICKS = 200;

/** The real pack in a simulated game that can be stopped and started again, with a record of all messages. */
export class ChaosGame {
  readonly runs: GameRun[] = [];
  readonly lines: SaidLine[] = [];
  /** web messages, as everyone saw them */
  readonly displayed: ReceivedMessage[] = [];
  /** how many times a name was added to the list */
  readonly tries = new Map<string, number>();
  /** called for each player with a form open, every tick */
  onForm: (player: Player) => void = () => undefined;
  readonly #journal: Journal;
  readonly #url: string;
  #simulator: Simulator | undefined;
  #driver: RealtimeDriver | undefined;
  #saved: SavedWorld | undefined;
  #seenTick = 0;

  /** `url`: of the bridge listener */
  constructor(url: string, journal: Journal) {
    this.#url = url;
    this.#journal = journal;
  }

  get players(): readonly Player[] {
    return this.#simulator?.world.players ?? [];
  }

  get listed(): readonly string[] {
    return this.#simulator?.world.allowList.names ?? [];
  }

  async start(): Promise<void> {
    const run: GameRun = { number: this.runs.length + 1, endedAt: undefined, dropped: 0 };
    const simulator = await createSimulator({
      pack: PACK,
      variables: { "bridge-url": this.#url },
      secrets: { "bridge-token": TOKEN },
      saveEveryTicks: SAVE_EVERY_TICKS,
      ...(this.#saved && { saved: this.#saved }),
      log: (_level, line) => {
        run.dropped += Number(/(\d+) chat messages were dropped/.exec(line)?.[1] ?? 0);
      },
    });
    this.runs.push(run);
    this.#seenTick = simulator.world.tick;
    this.#countTries(simulator);
    for (const name of NAMES) simulator.world.join(name);
    this.#simulator = simulator;
    this.#driver = runRealtime(simulator, {
      onTick: () => {
        this.#look(simulator);
        for (const player of simulator.world.players) if (player.form) this.onForm(player);
      },
    });
  }

  /** Crashes the game, or stops it cleanly. */
  async end(how: "kill" | "stop"): Promise<void> {
    const simulator = this.#simulator;
    const run = this.runs.at(-1);
    if (!simulator || !run) return;
    await this.#driver?.stop();
    // Actions since the last tick have not happened yet.
    if (how === "stop") simulator.tickNow();
    this.#look(simulator);
    this.#simulator = undefined;
    run.endedAt = this.#journal.now();
    this.#saved = how === "kill" ? simulator.kill() : await simulator.stop();
  }

  /** A player sends the next message. @returns undefined if nobody is online */
  say(): string | undefined {
    const player = this.players[this.lines.length % NAMES.length];
    if (!player) return undefined;
    const text = `line ${this.lines.length + 1}`;
    this.lines.push({ text, at: this.#journal.now(), run: this.runs.length });
    player.say(text);
    return text;
  }

  /** Records the web messages that everyone has seen since the last call. */
  #look({ world: { chat, tick } }: Simulator): void {
    const at = this.#journal.now();
    for (const line of chat.slice(chat.findLastIndex(one => one.tick <= this.#seenTick) + 1))
      if (line.to === undefined && line.text.startsWith(WEB))
        this.displayed.push({ text: line.text.slice(WEB.length), at });
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
