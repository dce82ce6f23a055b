import type { Player } from "./player.ts";
import { seededRandom } from "./random.ts";
import type { World } from "./world.ts";

const NAMES = ["Steve", "Alex", "Noor", "Ari Vale", "Makena", "Kai", "Efe", "Sunny", "Zuri", "Marin Oak"];
const LINES = [
  "hi all",
  "anyone got spare iron?",
  "§anice build!",
  "where is the village again",
  "creeper behind you",
  "brb",
  "found diamonds at y -58",
  "who left the gate open",
  "good night",
  "see you at the farm",
];
const RESPAWN_TICKS = 40;
const ANSWER_TICKS = 30;

type FormHabit = "accept" | "decline" | "leave";

interface CastOptions {
  /** How many players, 1 to 10. Default 4. */
  readonly size?: number;
  readonly seed?: number;
  /** Average ticks between two lines of chat. Default 160. */
  readonly talkEveryTicks?: number;
  /** Average ticks between two fights. Default 900. */
  readonly fightEveryTicks?: number;
  /** How far from the middle of the world they enter, in blocks. Default 50. */
  readonly reach?: number;
  /** What the cast does with forms by itself, or what says it each tick. Default: leaves them to be answered by hand. */
  readonly forms?: FormHabit | (() => FormHabit);
}

/**
 * A handful of players that walk, talk and fight. Everything it does follows from the seed and the
 * ticks; call `act` before each tick. Whoever lies dead, of the cast or not, comes back two seconds later.
 */
export class Cast {
  readonly #world: World;
  readonly #random: () => number;
  readonly #options: Required<CastOptions>;
  readonly #respawns = new Map<Player, number>();
  readonly #answers = new Map<Player, number>();
  #members: Player[] = [];

  constructor(world: World, options: CastOptions = {}) {
    this.#world = world;
    const { size = 4, seed = 1, talkEveryTicks = 160, fightEveryTicks = 900 } = options;
    const { reach = 50, forms = "leave" } = options;
    if (!Number.isInteger(size) || size < 1 || size > NAMES.length) {
      throw new RangeError(`expected a cast of 1 to ${NAMES.length} players, got ${size}`);
    }
    this.#options = { size, seed, talkEveryTicks, fightEveryTicks, reach, forms };
    this.#random = seededRandom(seed);
  }

  /** The players of the cast who are online. */
  get members(): readonly Player[] {
    this.#members = this.#members.filter(({ online }) => online);
    return this.#members;
  }

  /** Brings the cast in. Names already online are passed over. */
  enter(): void {
    for (const name of NAMES.slice(0, this.#options.size)) {
      if (this.#world.find(name)) continue;
      const { reach } = this.#options;
      const position = { x: this.#between(-reach, reach), y: 64, z: this.#between(-reach, reach) };
      this.#members.push(this.#world.join(name, { position }));
    }
  }

  /** From now on this player acts as one of the cast. */
  adopt(player: Player): void {
    this.#members.push(player);
  }

  /** One tick of acting. */
  act(): void {
    const tick = this.#world.tick;
    const alive = this.members.filter(({ dead }) => !dead);
    this.#respawnDue(tick);
    this.#answerForms(tick);
    if (this.#chance(1 / this.#options.talkEveryTicks)) this.#pick(alive)?.say(this.#pick(LINES) ?? "hi");
    if (this.#chance(1 / this.#options.fightEveryTicks)) this.#fight(alive);
    if (this.#chance(1 / 40)) this.#pick(alive)?.walk(this.#between(-0.2, 0.2), this.#between(-0.2, 0.2));
    if (this.#chance(1 / 20)) this.#heal(this.#pick(alive));
  }

  #fight(alive: readonly Player[]): void {
    const victim = this.#pick(alive);
    const killer = this.#pick(alive.filter(player => player !== victim));
    if (!victim) return;
    const kind = this.#random();
    if (killer && kind < 0.6) victim.die({ by: killer, projectile: kind < 0.2 });
    else if (kind < 0.8) victim.die({ by: "minecraft:zombie" });
    else victim.die();
  }

  #respawnDue(tick: number): void {
    for (const player of this.#world.players) {
      if (player.dead && !this.#respawns.has(player)) this.#respawns.set(player, tick + RESPAWN_TICKS);
    }
    for (const [player, at] of this.#respawns) {
      if (at > tick && player.online) continue;
      this.#respawns.delete(player);
      if (player.online && player.dead) player.respawn();
    }
  }

  #answerForms(tick: number): void {
    const { forms: given } = this.#options;
    const forms = typeof given === "function" ? given() : given;
    if (forms === "leave") {
      this.#answers.clear();
      return;
    }
    for (const player of this.members) {
      if (!player.form) this.#answers.delete(player);
      else if (!this.#answers.has(player)) this.#answers.set(player, tick + ANSWER_TICKS);
      else if ((this.#answers.get(player) ?? 0) <= tick) answerForm(player, forms);
    }
  }

  #heal(player: Player | undefined): void {
    if (!player) return;
    const change = Math.round(this.#between(-3, 4));
    player.health = Math.max(1, Math.min(player.maxHealth, player.health + change));
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #between(low: number, high: number): number {
    return low + this.#random() * (high - low);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random() * from.length)];
  }
}

const WORDS = {
  accept: /accept|\byes\b|confirm|gui\.accept/i,
  decline: /decline|\bno\b|cancel|gui\.decline/i,
};

/**
 * Presses the button that says yes or no; when none says so, the first or the last.
 * @throws when the player has no form open.
 */
export function answerForm(player: Player, answer: "accept" | "decline"): string {
  const { form } = player;
  if (!form) throw new Error(`${player.name} has no form open`);
  const named = form.buttons.findIndex(text => WORDS[answer].test(text));
  const index = named >= 0 ? named : answer === "accept" ? 0 : form.buttons.length - 1;
  player.answer(index);
  return form.buttons[index] ?? "";
}
