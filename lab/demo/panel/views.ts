import { CHEST_FLAG, CHEST_SLOTS } from "../../../behavior_pack/linking/chest-form.ts";
import { encodeColours } from "../../../sidecar/features/chat/rules/colours.ts";
import { playerUuid } from "../../../sidecar/features/players/player-data.ts";
import type { Player } from "../../simulator/simulator.ts";
import type { DemoGame } from "../game.ts";
import { type ButtonView, type FormView, ICONS, type PlayerView, type WorldView } from "./protocol.ts";

/** The current world for the panel. */
export function worldView(game: DemoGame): WorldView {
  const players = (game.world?.players ?? []).map(player => playerView(player, game.fights.includes(player)));
  return { power: game.power, tps: Math.round(game.tps * 10) / 10, players };
}

function playerView(player: Player, fighting: boolean): PlayerView {
  const { name, position, health, maxHealth, dead, busy } = player;
  const form = formView(player);
  // Every simulated player has a persistent id, so the UUID does not depend on the bridge.
  const uuid = playerUuid(player, "");
  const [x, z] = [tenth(position.x), tenth(position.z)];
  const base = { name, uuid, x, z, health, maxHealth, dead, busy, fighting };
  return form === undefined ? base : { ...base, form };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

function formView({ form, formsShown }: Player): FormView | undefined {
  if (form === undefined) return undefined;
  const isChest = form.title.startsWith(CHEST_FLAG) && form.buttons.length === CHEST_SLOTS;
  return {
    number: formsShown,
    isChest,
    title: encodeColours([isChest ? form.title.slice(CHEST_FLAG.length) : form.title]),
    body: form.body
      .split("\n")
      .map(line => encodeColours([line]))
      .join("\n"),
    buttons: form.buttons.map((text, index) => buttonView(text, form.icons[index] ?? "")),
  };
}

function buttonView(text: string, path: string): ButtonView {
  const icon = Object.entries(ICONS).find(([known]) => known === path)?.[1];
  return { text: encodeColours([text]), ...(icon === undefined ? {} : { icon }) };
}
