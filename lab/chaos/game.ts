import { messageOf } from "../../cli/errno.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { createLaunchedGame, type LaunchedGame } from "../console-link/launched-game.ts";
import { PACK, STABLE_PACK } from "../scale/built.ts";
import { type RealtimeDriver, runRealtime } from "../simulator/realtime.ts";
import { createSimulator, type Player, type SavedWorld, type Simulator } from "../simulator/simulator.ts";
import type { ConsoleLine } from "./console-line.ts";
import type { Journal } from "./journal.ts";
import type { GameRun, ReceivedMessage, SaidLine } from "./ledger.ts";
import { TOKEN } from "./sidecars.ts";

const NAMES = ["Steve", "Alex", "Noor", "Makena", "Kai", "Efe", "Sunny", "Zuri"];
const WEB = "§7[Web]§r <Guest> ";
const SAVE_EVERY_TICKS = 200;
/** A line that a player has said with `/bridge:say`. */
const SAID = /^<\w+> (line \d+)$/;

/** The real pack in a simulated game that can be stopped and started again, with a record of all messages. */
export class ChaosGame {
  readonly runs: GameRun[] = [];
  readonly lines: SaidLine[] = [];
  /** messages that players wanted to send; with `/bridge:say` the game rejects those right after a reload */
  attempts = 0;
  /** web messages, as everyone saw them */
  readonly displayed: ReceivedMessage[] = [];
  /** how many times a name was added to the list */
  readonly tries = new Map<string, number>();
  /** called for each player with a form open, every tick */
  onForm: (player: Player) => void = () => undefined;
  readonly #journal: Journal;
  readonly #url: string;
  readonly #line: ConsoleLine | undefined;
  #launched: LaunchedGame | undefined;
  #simulator: Simulator | undefined;
  #driver: RealtimeDriver | undefined;
  #saved: SavedWorld | undefined;
  #seenTick = 0;

  /** `url`: of the bridge listener; `line`: of the console link, if the game has the pack that keeps achievements */
  constructor(url: string, journal: Journal, line?: ConsoleLine) {
    this.#url = url;
    this.#line = line;
    this.#journal = journal;
  }

  get players(): readonly Player[] {
    return this.#simulator?.world.players ?? [];
  }

  get listed(): readonly string[] {
    return this.#simulator?.world.allowList.names ?? [];
  }

  /** Number of the last message. */
  get lastLine(): number {
    return Number(this.lines.at(-1)?.text.replace("line ", "") ?? 0);
  }

  async start(): Promise<void> {
    this.#beginRun();
    const simulator = await this.#newGame();
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

  #beginRun(): void {
    this.runs.push({ number: this.runs.length + 1, endedAt: undefined, dropped: 0 });
  }

  async #newGame(): Promise<Simulator> {
    const options = { saveEveryTicks: SAVE_EVERY_TICKS, ...(this.#saved && { saved: this.#saved }) };
    const print = (text: string): void => {
      const run = this.runs.at(-1);
      if (run) run.dropped += Number(/(\d+) chat messages were dropped/.exec(text)?.[1] ?? 0);
    };
    if (!this.#line)
      return createSimulator({
        pack: PACK,
        variables: { "bridge-url": this.#url },
        secrets: { "bridge-token": TOKEN },
        log: (_level, line) => print(line),
        ...options,
      });
    const bridge = { url: this.#url, token: TOKEN };
    const { faults } = this.#line;
    this.#launched = await createLaunchedGame({
      pack: STABLE_PACK,
      clock: systemClock,
      ...{ bridge, faults, print },
      ...options,
    });
    return this.#launched.simulator;
  }

  /** Restarts the script. Messages that it has not delivered are lost, as when the game ends. */
  async reload(): Promise<void> {
    const simulator = this.#simulator;
    const run = this.runs.at(-1);
    if (!simulator || !run) return;
    // Actions since the last tick have not happened yet.
    simulator.tickNow();
    this.#look(simulator);
    run.endedAt = this.#journal.now();
    this.#beginRun();
    await simulator.reload();
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
    this.#launched?.end();
    try {
      this.#launched?.expectHidden();
    } catch (error) {
      this.#journal.violation(messageOf(error));
    }
  }

  /** A player sends the next message, if somebody is online. */
  say(): void {
    const player = this.players[this.attempts % NAMES.length];
    if (!player) return;
    this.attempts++;
    const text = `line ${this.attempts}`;
    if (this.#line) {
      player.command(`/bridge:say "${text}"`);
      return;
    }
    this.lines.push({ text, at: this.#journal.now(), run: this.runs.length });
    player.say(text);
  }

  /** Records the web messages that everyone has seen since the last call, and the messages of `/bridge:say`. */
  #look({ world: { chat, tick } }: Simulator): void {
    const at = this.#journal.now();
    for (const line of chat.slice(chat.findLastIndex(one => one.tick <= this.#seenTick) + 1)) {
      if (line.to !== undefined) continue;
      const [, said] = SAID.exec(line.text) ?? [];
      if (said !== undefined) this.lines.push({ text: said, at, run: this.runs.length });
      else if (line.text.startsWith(WEB)) this.displayed.push({ text: line.text.slice(WEB.length), at });
    }
    this.#seenTick = tick;
  }

  #countTries({ world: { allowList } }: Simulator): void {
    if (this.#line) {
      const put = allowList.put.bind(allowList);
      allowList.put = key => {
        const isNew = put(key);
        // The console may run a command twice, which changes nothing.
        if (isNew && key.name !== undefined) this.tries.set(key.name, (this.tries.get(key.name) ?? 0) + 1);
        return isNew;
      };
      return;
    }
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
