import type { Player } from "@minecraft/server";
import type { SimulatedPlayer, spawnSimulatedPlayer } from "@minecraft/server-gametest";
import { admin, mc } from "../../../behavior_pack/game/modules.ts";
import { type Answerer, type Input, textOf } from "./asked.ts";
import { notedSince } from "./before.ts";
import { tried } from "./failure.ts";

export interface Gametest {
  spawnSimulatedPlayer: typeof spawnSimulatedPlayer;
}

const { system, world } = mc;
/** How long a player may take to be there, or to be gone. */
const SPAWN_TICKS = 60;

/** Everything the bridge reads of a player; what cannot be read says why. */
function read(player: Player): Record<string, unknown> {
  const of = (get: () => unknown): unknown => {
    const result = tried(get);
    return "failure" in result ? `${result.failure.name}: ${result.failure.message}` : (result.value ?? null);
  };
  return {
    id: of(() => player.id),
    name: of(() => player.name),
    nameTag: of(() => player.nameTag),
    isValid: of(() => player.isValid),
    persistentId: of(() => player.persistentId),
    typeId: of(() => player.typeId),
    health: of(() => player.getComponent("minecraft:health")?.currentValue),
    most: of(() => player.getComponent("minecraft:health")?.effectiveMax),
    locale: of(() => player.clientSystemInfo.locale),
    ping: of(() => player.getPing()),
    shown: of(() => player.chatDisplayName),
  };
}

export function playerAnswers(gametest: Gametest | undefined): Readonly<Record<string, Answerer>> {
  const here = new Map<string, SimulatedPlayer>();
  const player = (input: Input, key = "name"): SimulatedPlayer => {
    const found = here.get(textOf(input, key));
    if (found === undefined) throw new Error("there is no such player");
    return found;
  };

  async function come(input: Input): Promise<unknown> {
    if (gametest === undefined) throw new Error("the game does not offer @minecraft/server-gametest");
    const name = textOf(input, "name");
    const dimension = world.getDimension("overworld");
    const place = tried(() => world.getDefaultSpawnLocation());
    const { x, y, z } = "value" in place ? place.value : { x: 0, y: 100, z: 0 };
    const at = { dimension, x, y: Math.min(y, 200), z };
    const mode = tried(() => mc.GameMode.Survival);
    const spawned = gametest.spawnSimulatedPlayer(
      at,
      name,
      ("value" in mode ? mode.value : "Survival") as mc.GameMode,
    );
    here.set(name, spawned);
    const begun = system.currentTick;
    const { next } = notedSince(Number.MAX_SAFE_INTEGER);
    const hasSpawned = (): boolean =>
      notedSince(next).noted.some(noted => noted.is === "spawn" && noted.name === name);
    while (!hasSpawned() && system.currentTick - begun < SPAWN_TICKS) await ticks(1);
    return { ...read(spawned), ticks: system.currentTick - begun };
  }

  const ticks = (count: number): Promise<void> =>
    new Promise(resolve => {
      system.runTimeout(() => resolve(), count);
    });

  return {
    "player-offered": () => typeof gametest?.spawnSimulatedPlayer === "function",
    "player-come": come,
    "player-go": async input => {
      const gone = player(input);
      const before = read(gone);
      gone.disconnect();
      here.delete(textOf(input, "name"));
      await ticks(5);
      return { before, after: read(gone), failure: tried(() => gone.name) };
    },
    "player-kick": async input => {
      const [gone, begun] = [player(input), system.currentTick];
      const { id } = gone;
      const kicked = tried(() => admin.kickPlayer(gone, textOf(input, "reason")) ?? null);
      const isListed = (): boolean => world.getAllPlayers().some(each => each?.id === id);
      while (isListed() && system.currentTick - begun < SPAWN_TICKS) await ticks(1);
      if (!isListed()) here.delete(textOf(input, "name"));
      await ticks(1);
      return { ...kicked, isListed: isListed(), ticks: system.currentTick - begun - 1 };
    },
    "player-say": input => player(input).chat(textOf(input, "text")),
    "player-command": input => {
      const result = tried(() => player(input).runCommand(textOf(input, "command")));
      return "failure" in result ? result : { count: result.value.successCount };
    },
    "player-tell": input => tried(() => player(input).sendMessage(textOf(input, "text")) ?? null),
    "player-read": input => read(player(input)),
    "player-kill": input => player(input).kill(),
    /** Another player strikes until this one is dead. */
    "player-strike": async input => {
      const [victim, by] = [player(input), player(input, "by")];
      const weak = tried(() => victim.getComponent("minecraft:health")?.setCurrentValue(1));
      let strikes = 0;
      const alive = (): boolean => (victim.getComponent("minecraft:health")?.currentValue ?? 0) > 0;
      while (alive() && strikes < 20) {
        strikes++;
        by.attackEntity(victim);
        await ticks(12);
      }
      return { strikes, isDead: !alive(), weak };
    },
    "player-respawn": async input => {
      const [back, begun] = [player(input), system.currentTick];
      const done = tried(() => back.respawn());
      await ticks(10);
      return { ...done, ...read(back), ticks: system.currentTick - begun };
    },
    "player-names": () =>
      tried(() => world.getAllPlayers().map(each => (each === undefined ? "undefined" : each.name))),
    "player-named": input =>
      tried(() => world.getPlayers({ name: textOf(input, "name") }).map(each => each?.name ?? "undefined")),
    "all-go": async () => {
      if (here.size === 0) return true;
      for (const [name, each] of here) {
        tried(() => each.disconnect());
        here.delete(name);
      }
      await ticks(5);
      return true;
    },
  };
}
