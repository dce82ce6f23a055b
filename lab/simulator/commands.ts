import { answerForm } from "./cast.ts";
import type { Player } from "./player.ts";
import type { World } from "./world.ts";

/** What the commands control. */
interface CommandTarget {
  readonly world: World;
  /** Sets the ticks per second of the world. */
  lag(tps: number): void;
  /** Lets a player send a chat message. */
  say(player: Player, text: string): void;
}

const USAGE = {
  join: "join NAME",
  leave: "leave NAME",
  say: "say NAME text",
  accept: "accept [NAME]",
  decline: "decline [NAME]",
  fill: "fill NAME text",
  kill: "kill NAME [by NAME]",
  lag: "lag TPS (0.5 to 20)",
  help: "help",
} as const;

type Verb = keyof typeof USAGE;

/** Thrown for invalid input; its message is printed. */
class Refusal extends Error {}

/**
 * Runs a command typed in the demo. Returns one line, or several for `help`. For invalid input it
 * returns what is expected. Names can have spaces; quotes around them are allowed.
 */
export function runCommand(line: string, target: CommandTarget): string {
  const [, word = "", rest = ""] = /^\s*\/?(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  if (word === "") return "";
  const verb = word.toLowerCase();
  try {
    if (isVerb(verb)) return perform(verb, rest, target);
    return `unknown command ${word}; expected one of: ${Object.keys(USAGE).join(", ")}`;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

function isVerb(word: string): word is Verb {
  return Object.hasOwn(USAGE, word);
}

function perform(verb: Verb, rest: string, target: CommandTarget): string {
  const { world } = target;
  switch (verb) {
    case "join": {
      const name = unquoted(rest);
      if (name === "") throw expected(verb);
      if (name.length > 32) throw new Refusal("expected a name of at most 32 characters");
      world.join(name);
      return `${name} joined`;
    }
    case "leave": {
      const player = online(world, unquoted(rest), verb);
      player.leave();
      return `${player.name} left`;
    }
    case "say":
      return say(target, rest);
    case "accept":
    case "decline": {
      const player = withForm(world, unquoted(rest));
      answerForm(player, verb);
      return `${player.name} pressed ${verb}`;
    }
    case "fill": {
      const { player, after } = leadingPlayer(world, rest, verb);
      if (after === "") throw expected(verb);
      player.fill(after);
      return `${player.name} submitted the form`;
    }
    case "kill":
      return kill(world, rest);
    case "lag": {
      const tps = Number(rest);
      if (rest === "" || !(tps >= 0.5 && tps <= 20)) throw expected(verb);
      target.lag(tps);
      return `the world runs at ${tps} ticks per second`;
    }
    case "help":
      return Object.values(USAGE).join("\n");
  }
}

function say(target: CommandTarget, rest: string): string {
  const { player, after } = leadingPlayer(target.world, rest, "say");
  if (after === "") throw expected("say");
  target.say(player, after);
  return `${player.name} said it`;
}

function kill(world: World, rest: string): string {
  const { player, after } = leadingPlayer(world, rest, "kill");
  const by = /^by\s+(.+)$/.exec(after)?.[1];
  if (after !== "" && by === undefined) throw expected("kill");
  if (player.dead) player.respawn();
  if (by === undefined) {
    player.die();
    return `${player.name} died`;
  }
  const killer = online(world, unquoted(by), "kill");
  player.die({ by: killer });
  return `${player.name} was killed by ${killer.name}`;
}

/** The online player whose name a text starts with; the longest match wins, since names can have spaces. */
function leadingPlayer(world: World, text: string, verb: Verb): { player: Player; after: string } {
  if (text === "") throw expected(verb);
  const candidates = world.players.sort((a, b) => b.name.length - a.name.length);
  for (const player of candidates) {
    for (const form of [player.name, `"${player.name}"`]) {
      if (text === form || text.startsWith(`${form} `))
        return { player, after: text.slice(form.length).trim() };
    }
  }
  throw new Refusal(`${text.split(" ")[0]} is not online; ${whoIsOnline(world)}`);
}

function online(world: World, name: string, verb: Verb): Player {
  if (name === "") throw expected(verb);
  const player = world.find(name);
  if (!player) throw new Refusal(`${name} is not online; ${whoIsOnline(world)}`);
  return player;
}

function withForm(world: World, name: string): Player {
  if (name !== "") {
    const player = online(world, name, "accept");
    if (!player.form) throw new Refusal(`${player.name} has no form open`);
    return player;
  }
  const open = world.players.filter(({ form }) => form !== undefined);
  if (open.length > 1) {
    throw new Refusal(
      `several players have a form open, choose one: ${open.map(({ name }) => name).join(", ")}`,
    );
  }
  const [only] = open;
  if (!only) throw new Refusal("no player has a form open");
  return only;
}

function whoIsOnline(world: World): string {
  const names = world.players.map(({ name }) => name);
  return names.length === 0 ? "no players are online" : `online: ${names.join(", ")}`;
}

function expected(verb: Verb): Refusal {
  return new Refusal(`expected: ${USAGE[verb]}`);
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, "$1");
}
