import type { Fact } from "../../shared/facts.ts";
import { type Delivery, type HelloAnswer, PATHS } from "../../shared/frames.ts";
import { PLAYERS_PER_SNAPSHOT_PART } from "../../shared/limits.ts";
import type { FactsFrame, Hello } from "../../shared/requests.ts";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import { PLAYERS } from "./bench.ts";
import { afterRow, TOKEN } from "./processes.ts";

/** A simulated pack with 100 players. It performs actions immediately. */
export class Game {
  readonly #bridge: string;
  #session = "";
  #seq = 1;
  /** number of the last action received */
  #after = 0;
  /** resolves when earlier reports have been delivered */
  #before: Promise<unknown> = Promise.resolve();
  #isOver = false;

  private constructor(bridge: string) {
    this.#bridge = bridge;
  }

  /** Connects to the bridge listener at a URL, and continues until the benchmark ends. */
  static async join(bridge: string): Promise<Game> {
    const game = new Game(bridge);
    const versions = { product: PRODUCT_VERSION, wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
    const { session, refreshMs } = await game.#post<HelloAnswer>(PATHS.hello, {
      ...versions,
      run: "bench",
      firstFact: 1,
    } satisfies Hello);
    game.#session = session;
    await game.report(snapshot(0));
    let snapshots = 1;
    const timer = setInterval(() => game.report(snapshot(snapshots++)).catch(() => undefined), refreshMs);
    afterRow(() => {
      game.#isOver = true;
      clearInterval(timer);
    });
    // A sidecar that stops during a request is not an error.
    game.#poll().catch(() => undefined);
    return game;
  }

  /** Resolves when the sidecar has received everything. */
  report(facts: readonly Fact[]): Promise<unknown> {
    this.#before = this.#before.then(() => this.#send(facts));
    return this.#before;
  }

  /** A player sends a text this many times in one tick. */
  say(text: string, times: number): Promise<unknown> {
    return this.report(Array.from({ length: times }, (): Fact => ({ is: "said", name: "Steve", text })));
  }

  async #send(facts: readonly Fact[]): Promise<void> {
    const first = this.#seq;
    const frame: FactsFrame = { session: this.#session, after: this.#after, first, facts: [...facts] };
    const { received } = await this.#post<Delivery>(PATHS.facts, frame);
    this.#seq = received + 1;
    const left = facts.slice(this.#seq - first);
    if (left.length > 0) await this.#send(left);
  }

  async #poll(): Promise<void> {
    while (!this.#isOver) {
      const { actions } = await this.#post<Delivery>(PATHS.poll, {
        session: this.#session,
        after: this.#after,
      });
      this.#after = actions.at(-1)?.seq ?? this.#after;
      const outcomes = actions.map(
        ({ id, body }): Fact => ({ is: "outcome", id, do: body.do, status: "done" }),
      );
      if (outcomes.length > 0) await this.report(outcomes);
    }
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${this.#bridge}${path}`, {
      method: "POST",
      headers: { Authorization: TOKEN, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

/** A report of all players, whose figures change each time. */
function snapshot(number: number): Fact[] {
  const rows = Array.from({ length: PLAYERS }, (_, i) => ({
    player: { id: `-42949672${i}`, persistentId: `${i}`.padStart(16, "A"), name: `Player ${i}` },
    health: 20 - ((i + number) % 20),
    deaths: i + number,
    playerKills: 2 * i,
    playtimeSeconds: 1000 * i + 5 * number,
  }));
  const parts = Math.ceil(PLAYERS / PLAYERS_PER_SNAPSHOT_PART);
  return Array.from({ length: parts }, (_, part) => ({
    is: "snapshot" as const,
    tps: 20 - (number % 7) / 100,
    part,
    parts,
    rows: rows.slice(part * PLAYERS_PER_SNAPSHOT_PART, (part + 1) * PLAYERS_PER_SNAPSHOT_PART),
  }));
}
