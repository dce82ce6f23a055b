import { NAME_LENGTH, PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import { clip } from "../../shared/text.ts";
import type { Clock, Players, Poll, Store } from "../ports.ts";
import { attempt, peek, type ReportMissing } from "./features.ts";
import { literal } from "./literal.ts";
import { mc } from "./modules.ts";

const MAX_HEALTH = 1_000_000;

/** Ticks counted by the game, else by `counted`; `beat` is to be called every tick. */
export function createClock(counted: () => number): Clock & { beat(): void } {
  const system = peek(mc, "system");
  const isCounted = typeof peek(system, "currentTick") === "number";
  const read = (): number => (isCounted && system !== undefined ? system.currentTick : counted());
  let tick = read();
  return {
    now: () => Date.now(),
    tick: () => tick,
    beat() {
      tick = read();
    },
  };
}

/** The game's own timers; each is undefined if the game lacks it. */
export function timers() {
  const system = peek(mc, "system");
  return {
    run: peek(system, "run")?.bind(system),
    runTimeout: peek(system, "runTimeout")?.bind(system),
    runInterval: peek(system, "runInterval")?.bind(system),
  };
}

/** A text without commands and translation. */
const rawText = (text: string): mc.RawMessage => ({ rawtext: [{ text: literal(text) }] });

/** What the two packs do differently for players. */
export interface PlayerParts {
  /** The player's identity in all sessions; empty: there is none, undefined: not known yet. Throws when the player has left. */
  persistentId(player: mc.Player): string | undefined;
  /** See `Players`. */
  kick(player: mc.Player, reason: string | undefined): Poll<true>;
}

export function createPlayers(
  { persistentId, kick }: PlayerParts,
  missing: ReportMissing,
): Players<mc.Player> {
  return {
    // Simulated players of other packs are listed as undefined, contrary to the types.
    list: () => attempt(() => mc.world.getAllPlayers().filter(player => player)),
    id(player) {
      // No closure for each player: this runs for all of them every few seconds.
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
        const persistent = persistentId(player);
        return persistent === undefined
          ? undefined
          : { id, persistentId: persistent, name: clip(name, NAME_LENGTH) };
      }),
    name: player =>
      attempt(() => (typeof player.name === "string" ? clip(player.name, NAME_LENGTH) : undefined)),
    locale(player) {
      try {
        if ("clientSystemInfo" in player) return player.clientSystemInfo.locale;
        missing("Player.clientSystemInfo", "all players get texts in one language");
      } catch {
        // The player has left, or their language is not known yet.
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
      player.sendMessage(rawText(text));
    },
    broadcast(text) {
      mc.world.sendMessage(rawText(text));
    },
    kick,
  };
}

export function createStore(): Store {
  return {
    read: key => peek(mc.world, "getDynamicProperty")?.call(mc.world, key),
    write: (key, value) => peek(mc.world, "setDynamicProperty")?.call(mc.world, key, value),
  };
}

/** Reports members that the game lacks; to be called once the world is loaded. */
export function checkServer(missing: ReportMissing): void {
  const world = peek(mc, "world");
  const needs: [keyof mc.World, string][] = [
    ["getAllPlayers", "only players who join later are listed"],
    ["sendMessage", "web chat does not reach the game"],
    ["getDynamicProperty", "deaths, kills and playtime start at 0"],
    ["setDynamicProperty", "deaths, kills and playtime are lost when the server stops"],
  ];
  for (const [key, consequence] of needs)
    if (peek(world, key) === undefined) missing(`world.${key}`, consequence);
  if (peek(peek(mc, "system"), "currentTick") === undefined)
    missing("system.currentTick", "this pack counts ticks itself");
}
