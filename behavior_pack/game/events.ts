import { attempt, field, PLAYER, peek, type ReportMissing } from "./features.ts";
import { mc } from "./modules.ts";

/** Listeners to the events of the game. */
interface Listeners {
  worldLoaded(): void;
  shutdown(): void;
  /** a player can play, after joining */
  joined(player: mc.Player): void;
  left(id: string): void;
  /** a line of chat, with the name as the game shows it, the id of the speaker, and to how many players it is; 0: everybody */
  said(name: string, text: string, speaker: string | undefined, targets: number): void;
  /** a player died; `killer` is the id of the player who did it, if one did */
  died(id: string, killer: string | undefined): void;
}

/** Subscribes to every event that the game has, and reports missing ones; to be called in early execution. */
export function subscribe(listeners: Listeners, missing: ReportMissing): void {
  const after = [peek(peek(mc, "world"), "afterEvents"), "world.afterEvents"] as const;
  const before = [peek(peek(mc, "system"), "beforeEvents"), "system.beforeEvents"] as const;

  /** Subscribes to the signal `key` of a holder, which is given with its name. */
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

  attach(after, "worldLoad", "the bridge begins a second after the script", listeners.worldLoaded);
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
    "chatSend",
    "game chat does not reach the web",
    ignoringErrors((event: mc.ChatSendAfterEvent) => relayChat(event, listeners)),
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

/** A listener that ignores events whose objects are gone by now. */
function ignoringErrors<E>(listener: (event: E) => unknown): (event: E) => void {
  return event => void attempt(() => listener(event));
}

function relayChat(event: mc.ChatSendAfterEvent, listeners: Listeners): void {
  // A line whose targets cannot be read goes nowhere: it may be a private one.
  const targets = "targets" in event && event.targets !== undefined ? event.targets.length : 0;
  const { sender } = event;
  // A simulated player of another pack.
  if (sender === undefined) return;
  const prefix = field(sender, "chatMessagePrefix") ?? "";
  listeners.said(shownName(sender), prefix + event.message, peek(sender, "id"), targets);
}

function shownName(sender: mc.Player): string {
  const shown = field(sender, "chatDisplayName");
  return typeof shown === "string" && shown !== "" ? shown : sender.name;
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
    // Of a player who has left only the id can be read; the id of a mob fits no player.
    return entity?.id;
  }
}
