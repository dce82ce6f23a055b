import type { Player, World } from "../../simulator/simulator.ts";
import type { DemoGame } from "../game.ts";
import { type Fault, MAX_PLAYERS, NAME_LENGTH, TEXT_LENGTH } from "./protocol.ts";
import type { Command } from "./read-command.ts";

/**
 * Runs a command. Resolves when it is done; for `power` when the game server has started or stopped.
 * @returns the reason for which it was not run, or undefined
 */
export async function perform(
  command: Exclude<Command, { do: "unplug" | "kill" }>,
  game: DemoGame,
): Promise<Fault | undefined> {
  if (command.do === "lag") {
    game.lag(command.tps);
    return undefined;
  }
  if (game.power === "changing") return "server_changing";
  if (command.do === "power") {
    await (command.on ? game.start() : game.stop());
    return undefined;
  }
  const { world } = game;
  if (!world) return "server_off";
  if (command.do === "join") return join(command.name.trim(), game, world);
  const player = world.find(command.name);
  return player ? act(command, player, game, world) : "not_online";
}

type PlayerCommand = Exclude<Command, { do: "lag" | "power" | "join" | "unplug" | "kill" }>;

function act(command: PlayerCommand, player: Player, game: DemoGame, world: World): Fault | undefined {
  switch (command.do) {
    case "leave":
      player.leave();
      return undefined;
    case "say":
      return say(player, command.text.trim(), game);
    case "fight":
      return fight(player, world.find(command.other), game);
    case "die":
      if (player.dead) return "dead";
      player.die();
      return undefined;
    case "busy":
      player.busy = command.on;
      return undefined;
    case "answer":
    case "close":
      return settle(player, command);
    default:
      return command satisfies never;
  }
}

/** Invisible characters and text direction marks. */
const INVISIBLE = /\p{C}/u;

function join(name: string, game: DemoGame, world: World): Fault | undefined {
  if (name === "" || name.length > NAME_LENGTH || INVISIBLE.test(name)) return "bad_name";
  if (world.find(name)) return "online_already";
  if (world.players.length >= MAX_PLAYERS) return "world_full";
  return game.join(name) ? undefined : "not_allowed";
}

function say(player: Player, line: string, game: DemoGame): Fault | undefined {
  if (line === "" || line.length > TEXT_LENGTH || /[\n\r]/.test(line)) return "bad_text";
  game.say(player, line);
  return undefined;
}

function fight(player: Player, other: Player | undefined, game: DemoGame): Fault | undefined {
  if (!other) return "not_online";
  if (other === player) return "no_opponent";
  if (player.dead || other.dead) return "dead";
  return game.fights.begin(player, other) ? undefined : "fights_already";
}

function settle(
  player: Player,
  command: Extract<PlayerCommand, { do: "answer" | "close" }>,
): Fault | undefined {
  if (!player.form || player.formsShown !== command.form) return "form_gone";
  if (command.do === "close") player.closeForm();
  else if (command.button in player.form.buttons) player.answer(command.button);
  else return "bad_command";
  return undefined;
}
