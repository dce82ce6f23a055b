import type { FormEnd } from "../../behavior_pack/ports.ts";
import type { PlayerRow } from "../../shared/facts.ts";
import { FakeSidecar } from "./fake-sidecar.ts";
import { type FakePlayer, playground } from "./harness.ts";

/** What the world has of the player whom `world` brings. */
export const KEY = "web_bridge:player:p-Steve";
type Game = ReturnType<typeof playground>;

/** A world that Steve has joined, with snapshots twice a second. */
export async function world(stored?: Map<string, unknown>, sidecar = new FakeSidecar()) {
  sidecar.refreshMs = 500;
  const game = playground(sidecar, stored);
  await game.start();
  const steve = game.join("Steve");
  await game.tick(3);
  return { game, sidecar, steve };
}

/** Gives /bridge:forget and answers its form. */
export async function forget(game: Game, player: FakePlayer, end: FormEnd = "accepted"): Promise<void> {
  game.pack.commands.forget(player);
  await game.tick(2);
  player.forms.at(-1)?.ended(end);
  await game.tick(2);
}

/** What the next snapshot tells. */
export async function rowOf(game: Game, name = "Steve"): Promise<PlayerRow | undefined> {
  await game.tick(22);
  return game.sidecar.rows().find(({ player }) => player.name === name);
}

export const forgot = (sidecar: FakeSidecar) => sidecar.of("forgot").map(({ is: _, ...told }) => told);
