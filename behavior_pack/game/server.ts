import { NAME_LENGTH, PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import { clip } from "../../shared/text.ts";
import type { Clock, Players, Store } from "../ports.ts";
import { attempt, field, type Missing, member } from "./features.ts";
import { literal } from "./literal.ts";
import { admin, mc } from "./modules.ts";

const MAX_HEALTH = 1_000_000;

/** Ticks as the game counts them, or as `counted` does where it does not tell; `beat` is to be called with each one. */
export function createClock(counted: () => number): Clock & { beat(): void } {
  const system = member(mc, "system");
  const told = typeof member(system, "currentTick") === "number";
  const read = (): number => (told && system !== undefined ? system.currentTick : counted());
  let tick = read();
  return {
    now: () => Date.now(),
    tick: () => tick,
    beat() {
      tick = read();
    },
  };
}

/** The game's own timers; each is undefined where the game has none. */
export function timers(): Partial<Pick<mc.System, "run" | "runTimeout" | "runInterval">> {
  const system = member(mc, "system");
  const found: Partial<Pick<mc.System, "run" | "runTimeout" | "runInterval">> = {};
  if (system === undefined) return found;
  if (member(system, "run") !== undefined) found.run = callback => system.run(callback);
  if (member(system, "runTimeout") !== undefined)
    found.runTimeout = (callback, ticks) => system.runTimeout(callback, ticks);
  if (member(system, "runInterval") !== undefined)
    found.runInterval = (callback, ticks) => system.runInterval(callback, ticks);
  return found;
}

/** Literally: no command, no translation. */
const message = (text: string): mc.RawMessage => ({ rawtext: [{ text: literal(text) }] });

export function createPlayers(missing: Missing): Players<mc.Player> {
  return {
    // Simulated players of other packs are there, and undefined, against what the types say.
    list: () => attempt(() => mc.world.getAllPlayers().filter(player => player)),
    id(player) {
      // Without a function made for each, as all players are asked again and again.
      try {
        const { id } = player;
        return typeof id === "string" && id !== "" && id.length <= PLAYER_ID_LENGTH ? id : undefined;
      } catch {
        return undefined;
      }
    },
    refer: player =>
      attempt(() => {
        const { id, name } = player;
        if (typeof name !== "string" || name === "") return undefined;
        return { id, persistentId: lastingId(player, missing), name: clip(name, NAME_LENGTH) };
      }),
    locale(player) {
      try {
        if ("clientSystemInfo" in player) return player.clientSystemInfo.locale;
        missing("Player.clientSystemInfo", "everybody is spoken to in one language");
      } catch {
        // Gone, or not known yet.
      }
      return undefined;
    },
    health(player) {
      if (!("getComponent" in player)) {
        missing("Player.getComponent", "health is reported as 0");
        return 0;
      }
      const value = player.getComponent("minecraft:health")?.currentValue ?? 0;
      return Number.isFinite(value) ? Math.min(MAX_HEALTH, Math.max(0, Math.round(value))) : 0;
    },
    tell(player, text) {
      player.sendMessage(message(text));
    },
    broadcast(text) {
      mc.world.sendMessage(message(text));
    },
    kick(player, reason) {
      admin.kickPlayer(player, reason && literal(reason));
    },
  };
}

/** Empty where there is none. Throws when the player is gone. */
function lastingId(player: mc.Player, missing: Missing): string {
  if (!("persistentId" in player)) {
    missing("Player.persistentId", "players are recognised in this world only");
    return "";
  }
  try {
    const value = player.persistentId;
    return typeof value === "string" && value.length <= PLAYER_ID_LENGTH ? value : "";
  } catch (error) {
    // The game has none for this player, which is another thing than the player being gone.
    if (field(error, "name") === "EngineError") return "";
    throw error;
  }
}

export function createStore(): Store {
  return {
    read: key =>
      member(mc.world, "getDynamicProperty") === undefined ? undefined : mc.world.getDynamicProperty(key),
    write(key, value) {
      if (member(mc.world, "setDynamicProperty") !== undefined) mc.world.setDynamicProperty(key, value);
    },
  };
}

/** Names what the game lacks; to be called once the world is there. */
export function checkServer(missing: Missing): void {
  const world = member(mc, "world");
  const needs: [keyof mc.World, string][] = [
    ["getAllPlayers", "only players who join from now on are listed"],
    ["sendMessage", "web chat does not reach the game"],
    ["getDynamicProperty", "deaths, kills and playtime begin at zero"],
    ["setDynamicProperty", "deaths, kills and playtime are lost when the server stops"],
  ];
  for (const [key, consequence] of needs)
    if (member(world, key) === undefined) missing(`world.${key}`, consequence);
  if (member(admin, "kickPlayer") === undefined)
    missing("kickPlayer", "nobody can be sent away from the web");
  if (member(member(mc, "system"), "currentTick") === undefined)
    missing("system.currentTick", "ticks are counted by this pack");
}
