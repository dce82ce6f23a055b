import type { Player } from "./player.ts";
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

const TALK_EVERY_TICKS = 160;

interface CastOptions {
  /** Number of players, 1 to 10. */
  readonly size: number;
  /** Largest distance from the middle of the world at which they join, in blocks. */
  readonly reach: number;
  /** Whether they send chat messages from time to time. */
  readonly talks: boolean;
  /** Whether they accept forms automatically; called each tick. */
  answersForms(): boolean;
  /** Lets one of them send a chat message. */
  say(player: Player, text: string): void;
}

/**
 * Players that walk and talk. Call `act` before each tick. Every dead player respawns after two
 * seconds.
 */
export class Cast {
  readonly #world: World;
  readonly #options: CastOptions;
  readonly #respawns = new Map<Player, number>();
  readonly #answers = new Map<Player, number>();
  #members: Player[] = [];

  constructor(world: World, options: CastOptions) {
    const { size } = options;
    if (!Number.isInteger(size) || size < 1 || size > NAMES.length) {
      throw new RangeError(`expected a cast of 1 to ${NAMES.length} players, got ${size}`);
    }
    this.#world = world;
    this.#options = options;
  }

  /** Lets the players join. Names that are already online are skipped. */
  enter(): void {
    const { reach, size } = this.#options;
    for (const name of NAMES.slice(0, size)) {
      if (this.#world.find(name)) continue;
      const position = { x: between(-reach, reach), y: 64, z: between(-reach, reach) };
      this.adopt(this.#world.join(name, { position }));
    }
  }

  /** Makes a player act like the others from now on. */
  adopt(player: Player): void {
    this.#members.push(player);
  }

  /** Acts for one tick. */
  act(): void {
    const tick = this.#world.tick;
    this.#members = this.#members.filter(({ online }) => online);
    const alive = this.#members.filter(({ dead }) => !dead);
    this.#respawnDue(tick);
    this.#answerForms(tick);
    if (this.#options.talks && chance(1 / TALK_EVERY_TICKS)) this.#talk(pick(alive));
    if (chance(1 / 40)) pick(alive)?.walk(between(-0.2, 0.2), between(-0.2, 0.2));
    if (chance(1 / 20)) heal(pick(alive));
  }

  #talk(player: Player | undefined): void {
    if (player) this.#options.say(player, pick(LINES) ?? "hi");
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
    if (!this.#options.answersForms()) {
      this.#answers.clear();
      return;
    }
    for (const player of this.#members) {
      if (!player.form) this.#answers.delete(player);
      else if (!this.#answers.has(player)) this.#answers.set(player, tick + ANSWER_TICKS);
      else if ((this.#answers.get(player) ?? 0) <= tick) answerForm(player, "accept");
    }
  }
}

function heal(player: Player | undefined): void {
  if (!player) return;
  const change = Math.round(between(-3, 4));
  player.health = Math.max(1, Math.min(player.maxHealth, player.health + change));
}

const chance = (probability: number): boolean => Math.random() < probability;

const between = (low: number, high: number): number => low + Math.random() * (high - low);

const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)];

const WORDS = {
  accept: /accept|\byes\b|confirm|gui\.accept/i,
  decline: /decline|\bno\b|cancel|gui\.decline/i,
};

/**
 * Presses the accept or decline button; if there is none, the first or the last button.
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
