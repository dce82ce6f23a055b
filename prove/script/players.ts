import type { SimulatedPlayer, spawnSimulatedPlayer } from "@minecraft/server-gametest";
import { admin } from "../../behavior_pack/game/beta-modules.ts";
import { mc } from "../../behavior_pack/game/modules.ts";
import { tried } from "./failure.ts";
import { waitTicks } from "./handlers.ts";
import { type Handler, type Input, textOf } from "./questions.ts";
import { eventsSince } from "./recorded-events.ts";

export interface Gametest {
  spawnSimulatedPlayer: typeof spawnSimulatedPlayer;
}

const { system, world } = mc;
/** How long a player may take to spawn, or to leave. */
const SPAWN_TICKS = 60;

export function playerHandlers(gametest: Gametest | undefined): Readonly<Record<string, Handler>> {
  const here = new Map<string, SimulatedPlayer>();
  const player = (input: Input, key = "name"): SimulatedPlayer => {
    const found = here.get(textOf(input, key));
    if (found === undefined) throw new Error("no such player");
    return found;
  };

  async function come(input: Input): Promise<unknown> {
    if (gametest === undefined) throw new Error("the game does not offer @minecraft/server-gametest");
    const name = textOf(input, "name");
    const dimension = world.getDimension("overworld");
    const place = tried(() => world.getDefaultSpawnLocation());
    const { x, y, z } = "value" in place ? place.value : { x: 0, y: 100, z: 0 };
    const at = { dimension, x, y: Math.min(y, 200), z };
    const spawned = gametest.spawnSimulatedPlayer(at, name, mc.GameMode.Survival);
    here.set(name, spawned);
    const begun = system.currentTick;
    const { next } = eventsSince(Number.MAX_SAFE_INTEGER);
    const hasSpawned = (): boolean =>
      eventsSince(next).events.some(event => event.is === "spawn" && event.name === name);
    while (!hasSpawned() && system.currentTick - begun < SPAWN_TICKS) await waitTicks(1);
    const id = tried(() => spawned.persistentId ?? null);
    return { persistentId: "value" in id ? id.value : id.failure.name };
  }

  return {
    "player-offered": () => typeof gametest?.spawnSimulatedPlayer === "function",
    "player-come": come,
    "player-go": async input => {
      player(input).disconnect();
      here.delete(textOf(input, "name"));
      await waitTicks(5);
      return true;
    },
    "player-kick": async input => {
      const [leaving, begun] = [player(input), system.currentTick];
      const { id } = leaving;
      const kicked = tried(() => admin.kickPlayer(leaving, textOf(input, "reason")) ?? null);
      const isListed = (): boolean => world.getAllPlayers().some(each => each?.id === id);
      while (isListed() && system.currentTick - begun < SPAWN_TICKS) await waitTicks(1);
      if (!isListed()) here.delete(textOf(input, "name"));
      await waitTicks(1);
      return { ...kicked, isListed: isListed() };
    },
    "player-say": input => player(input).chat(textOf(input, "text")),
    "player-command": input => {
      const result = tried(() => player(input).runCommand(textOf(input, "command")));
      return "failure" in result ? result : { count: result.value.successCount };
    },
    /** One player attacks another one until they are dead. */
    "player-strike": async input => {
      const [victim, by] = [player(input), player(input, "by")];
      tried(() => victim.getComponent("minecraft:health")?.setCurrentValue(1));
      let strikes = 0;
      const alive = (): boolean => (victim.getComponent("minecraft:health")?.currentValue ?? 0) > 0;
      while (alive() && strikes < 20) {
        strikes++;
        by.attackEntity(victim);
        await waitTicks(12);
      }
      return true;
    },
    "all-go": async () => {
      if (here.size === 0) return true;
      for (const [name, each] of here) {
        tried(() => each.disconnect());
        here.delete(name);
      }
      await waitTicks(5);
      return true;
    },
  };
}
