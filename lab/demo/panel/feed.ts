import { encodeColours } from "../../../sidecar/features/chat/rules/colours.ts";
import { Bounded } from "../../simulator/bounded.ts";
import type { Player, World } from "../../simulator/simulator.ts";
import type { ChatLineView } from "./protocol.ts";

const LINES = 200;

type Line = World["chat"][number];

/** The game's chat as players see it: messages, and who joined, left, was kicked or died. */
export class Feed {
  readonly #lines = new Bounded<ChatLineView>(LINES);
  #world: World | undefined;
  #newest: Line | undefined;
  #known = new Map<string, { player: Player; dead: boolean }>();
  #count = 0;

  /** Adds what has happened since the last call. `world` is undefined while the server is off. */
  read(world: World | undefined): void {
    if (world !== this.#world) {
      this.#world = world;
      this.#newest = undefined;
      this.#known = new Map();
    }
    if (!world) return;
    this.#readPlayers(world.players);
    const { chat } = world;
    for (const line of chat.slice(this.#newest === undefined ? 0 : chat.lastIndexOf(this.#newest) + 1))
      this.#add(line.text, line.to);
    this.#newest = chat.at(-1);
  }

  /** Lines after the one with this number, oldest first, at most 200. */
  after(number: number): ChatLineView[] {
    return this.#lines.items.filter(line => line.number > number);
  }

  #readPlayers(players: readonly Player[]): void {
    const before = this.#known;
    this.#known = new Map(players.map(player => [player.name, { player, dead: player.dead }]));
    for (const [name, { player }] of before)
      if (!this.#known.has(name)) this.#add(`§e${name} ${howTheyLeft(player)}`);
    for (const player of players) {
      if (!before.has(player.name)) this.#add(`§e${player.name} joined the game`);
      if (player.dead && before.get(player.name)?.dead !== true)
        this.#add(`${player.name} ${howDied(player)}`);
    }
  }

  #add(text: string, to?: string): void {
    this.#count++;
    const line = { number: this.#count, text: encodeColours([text]) };
    this.#lines.push(to === undefined ? line : { ...line, to });
  }
}

function howTheyLeft({ removal }: Player): string {
  if (removal === undefined) return "left the game";
  const { reason = "" } = removal;
  return reason === "" ? "was kicked" : `was kicked: ${reason.replaceAll("\n", " ")}`;
}

function howDied({ killedBy }: Player): string {
  if (killedBy === undefined) return "fell from a high place";
  const mob = /^minecraft:(\w+)$/.exec(killedBy)?.[1];
  return `was slain by ${mob === undefined ? killedBy : mob.charAt(0).toUpperCase() + mob.slice(1)}`;
}
