import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Player } from "../simulator/simulator.ts";
import type { ChaosGame } from "./game.ts";
import type { Surroundings } from "./journal.ts";

const KEY = "key-of-the-moderator-of-the-chaos";
/** The key of moderators, as the configuration has it. */
export const MODERATORS = JSON.stringify([
  {
    name: "moderator",
    sha256: createHash("sha256").update(KEY).digest("hex"),
    scopes: ["bans:read", "bans:write"],
  },
]);

const ANSWER_MS = 5_000;
const LOOK_MS = 50;
/** For a sidecar and a game that are well to agree. */
const AGREE_MS = 20_000;
/** How long a request that nobody has answered may yet be done by a sidecar that was cut off or stood still. */
const DOUBTFUL_MS = 20_000;
/** Ticks in which whoever is let in has spawned, or was sent away. */
const SPAWN_TICKS = 12;
/** Ticks in which a player who was banned in the game may be there still. */
const MOST_TICKS = 2;

type Method = "POST" | "DELETE";

/** Somebody who bans a player and lifts that, on the web and in the game, while the player tries to come. */
export class Moderator {
  readonly whom: string;
  readonly #url: string;
  readonly #around: Surroundings;
  readonly #game: ChaosGame;
  decisions = 0;
  sentAway = 0;
  /** whether the game has banned the player, and nothing else may have been decided since */
  #isSure = false;
  /** requests to lift it that are under way, and until when others may be done yet */
  #lifting = 0;
  #doubtUntil = 0;
  #ticksThere = 0;
  #came: Player | undefined;

  constructor(base: string, around: Surroundings, game: ChaosGame) {
    const { server } = around;
    // No longer than a name that nobody has been seen with may be.
    this.whom = server === undefined ? "Outcast" : `Outcast ${server.replace("server-", "")}`;
    this.#url = `${base}${server === undefined ? "" : `/servers/${server}`}/bans`;
    this.#around = around;
    this.#game = game;
    game.onTick = () => this.#look();
    game.onEnd = () => {
      // What the world had not saved is told by the sidecar.
      this.#isSure = false;
    };
  }

  /** Something is decided, or the player tries to come. */
  act(): void {
    const { random } = this.#around;
    const lot = random();
    if (lot < 0.15) void this.#ask("POST");
    else if (lot < 0.3) void this.#ask("DELETE");
    else if (lot < 0.45) this.#command("ban");
    else if (lot < 0.55) this.#command("unban");
    else this.#comes();
  }

  /** A ban, and then its end, reach the game once all is well, and both ends say the same of it. */
  async settle(): Promise<void> {
    for (const method of ["POST", "DELETE"] as const) {
      const isBanned = method === "POST";
      const what = isBanned ? "keeps the player out who was banned last" : "lets the player in again";
      await this.#until(`the service takes ${method} /bans`, async () => (await this.#ask(method)) === 200);
      await this.#until(`the game ${what}`, async () => {
        this.#comes();
        const since = this.#game.tick;
        while (this.#game.tick < since + SPAWN_TICKS) await sleep(LOOK_MS);
        return this.#game.isThere(this.whom) !== isBanned;
      });
      await this.#until("the list says so, too", async () => (await this.#lists()) === isBanned);
    }
  }

  #comes(): void {
    if (this.#came?.sentAway) this.sentAway++;
    this.#came = this.#game.comes(this.whom);
  }

  #look(): void {
    this.#ticksThere = this.#isSure && this.#game.isThere(this.whom) ? this.#ticksThere + 1 : 0;
    if (this.#ticksThere === MOST_TICKS + 1)
      this.#around.journal.violation(`${this.whom}: is in the world, and was banned there`);
  }

  #command(name: "ban" | "unban"): void {
    if (!this.#game.command(`bridge:${name} "${this.whom}"`)) return;
    this.decisions++;
    const { journal } = this.#around;
    journal.trace(`the game: ${name} of ${this.whom}`);
    this.#isSure = name === "ban" && this.#lifting === 0 && journal.now() > this.#doubtUntil;
  }

  /** The status of the answer; undefined: there was none. */
  async #ask(method: Method): Promise<number | undefined> {
    const { journal } = this.#around;
    const isLift = method === "DELETE";
    this.decisions++;
    if (isLift) {
      this.#isSure = false;
      this.#lifting++;
    }
    const status = await this.#fetch(method).then(
      answer => answer.status,
      () => undefined,
    );
    journal.trace(`the web: ${method} /bans of ${this.whom}: ${status ?? "no answer"}`);
    if (isLift) {
      this.#lifting--;
      if (status !== 200 && status !== 404) this.#doubtUntil = journal.now() + DOUBTFUL_MS;
    }
    if (status !== undefined && ![200, 404, 503].includes(status))
      journal.violation(`${method} /bans was answered ${status}`);
    return status;
  }

  #fetch(method: Method | "GET"): Promise<Response> {
    return fetch(this.#url, {
      method,
      headers: { "X-Service-Api-Key": KEY, "Content-Type": "application/json" },
      ...(method !== "GET" && { body: JSON.stringify({ playerName: this.whom }) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  }

  /** Whether the service lists a ban of the player; undefined: it does not say. */
  async #lists(): Promise<boolean | undefined> {
    const answer = await this.#fetch("GET").catch(() => undefined);
    if (answer?.status !== 200) return undefined;
    return ((await answer.json()) as { name: string }[]).some(({ name }) => name === this.whom);
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const { journal } = this.#around;
    const end = journal.now() + AGREE_MS;
    while (!(await holds())) {
      if (journal.now() > end) return journal.violation(`not within ${AGREE_MS / 1000} s: ${what}`);
      await sleep(LOOK_MS);
    }
  }
}
