import { attempt, PLAYER, peek, type ReportMissing } from "./features.ts";
import { mc } from "./modules.ts";

/** Listeners for events of the game. */
interface Listeners {
  worldLoaded(): void;
  shutdown(): void;
  /** a player has joined and can play */
  joined(player: mc.Player): void;
  left(id: string): void;
  /** a player died; `killer` is the id of the player who killed them, if one did */
  died(id: string, killer: string | undefined): void;
}

/** Subscribes to the events, and reports those that the game lacks; to be called in early execution. */
export function subscribe(listeners: Listeners, missing: ReportMissing): void {
  const after = [peek(peek(mc, "world"), "afterEvents"), "world.afterEvents"] as const;
  const before = [peek(peek(mc, "system"), "beforeEvents"), "system.beforeEvents"] as const;

  /** Subscribes to the signal `key` of a holder, given with its name. */
  function attach<K extends string, E>(
    [holder, holderName]: readonly [Signals<K, E> | undefined, string],
    key: K,
    consequence: string,
    listener: (event: E) => void,
    ...options: mc.EntityEventOptions[]
  ): void {
    const signal = peek(holder, key);
    try {
      if (signal === undefined) throw new Error("none");
      signal.subscribe(listener, ...options);
    } catch {
      missing(`${holderName}.${key}`, consequence);
    }
  }

  attach(after, "worldLoad", "the bridge starts a second after the script", listeners.worldLoaded);
  attach(
    before,
    "shutdown",
    "the last seconds of playtime are lost when the server stops",
    listeners.shutdown,
  );
  attach(
    after,
    "playerSpawn",
    "players who join are noticed with the next snapshot",
    ignoringErrors(({ initialSpawn, player }: mc.PlayerSpawnAfterEvent) => {
      if (initialSpawn && player) listeners.joined(player);
    }),
  );
  attach(
    after,
    "playerLeave",
    "players who leave are noticed with the next snapshot",
    ignoringErrors((event: mc.PlayerLeaveAfterEvent) => listeners.left(event.playerId)),
  );
  attach(
    after,
    "entityDie",
    "deaths and kills are not counted",
    ignoringErrors((event: mc.EntityDieAfterEvent) => reportDeath(event, listeners)),
    { entityTypes: [PLAYER] },
  );
}

/** An object with a signal of events `E`. */
type Signals<K extends string, E> = Record<
  K,
  { subscribe(listener: (event: E) => void, options?: mc.EntityEventOptions): unknown }
>;

/** Wraps a listener to ignore events whose objects no longer exist. */
function ignoringErrors<E>(listener: (event: E) => unknown): (event: E) => void {
  return event => void attempt(() => listener(event));
}

function reportDeath(event: mc.EntityDieAfterEvent, listeners: Listeners): void {
  const id = playerId(event.deadEntity);
  if (id !== undefined) listeners.died(id, killer(event));
}

const killer = (event: mc.EntityDieAfterEvent): string | undefined =>
  attempt(() => {
    const { damagingEntity, damagingProjectile } = event.damageSource;
    return playerId(damagingEntity) ?? playerId(owner(damagingProjectile));
  });

const owner = (projectile: mc.Entity | undefined): mc.Entity | undefined =>
  attempt(() => projectile?.getComponent("minecraft:projectile")?.owner);

function playerId(entity: mc.Entity | undefined): string | undefined {
  try {
    return entity?.typeId === PLAYER ? entity.id : undefined;
  } catch {
    // Only the id of a player who has left can be read; the id of a mob matches no player.
    return entity?.id;
  }
}
