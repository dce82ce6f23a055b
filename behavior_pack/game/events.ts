import { attempt, field, PLAYER, peek, type ReportMissing } from "./features.ts";
import { mc } from "./modules.ts";

/** What the game tells of. */
interface Listeners {
  worldLoaded(): void;
  shutdown(): void;
  /** a player can play, after joining */
  joined(player: mc.Player): void;
  left(id: string): void;
  /** a line of public chat, with the name as the game shows it and the id of the speaker */
  said(name: string, text: string, speaker: string | undefined): void;
  /** a player died; `killer` is the id of the player who did it, if one did */
  died(id: string, killer: string | undefined): void;
}

/** Subscribes to everything; to be called in early execution. What the game does not have is named and left out. */
export function subscribe(listeners: Listeners, missing: ReportMissing): void {
  const after = [peek(peek(mc, "world"), "afterEvents"), "world.afterEvents"] as const;
  const before = [peek(peek(mc, "system"), "beforeEvents"), "system.beforeEvents"] as const;

  /** With what holds the signal, and what that is called. */
  function attach<K extends string, E>(
    [holder, called]: readonly [Signals<K, E> | undefined, string],
    key: K,
    consequence: string,
    tell: (event: E) => void,
    ...options: mc.EntityEventOptions[]
  ): void {
    const signal = peek(holder, key);
    try {
      if (signal === undefined) throw new Error("none");
      signal.subscribe(tell, ...options);
    } catch {
      missing(`${called}.${key}`, consequence);
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

/** What holds a signal of events `E`. */
type Signals<K extends string, E> = Record<
  K,
  { subscribe(tell: (event: E) => void, options?: mc.EntityEventOptions): unknown }
>;

/** A listener for an event whose objects can be gone by now; then there is nothing to tell. */
function ignoringErrors<E>(tell: (event: E) => unknown): (event: E) => void {
  return event => void attempt(() => tell(event));
}

function relayChat(event: mc.ChatSendAfterEvent, listeners: Listeners): void {
  // Private: stays in the game, also when it cannot be told for whom it was. For nobody in particular is for everybody.
  if ("targets" in event && event.targets !== undefined && event.targets.length !== 0) return;
  const { sender } = event;
  // Of a simulated player of another pack; nobody is known to have said it.
  if (sender === undefined) return;
  const prefix = field(sender, "chatMessagePrefix") ?? "";
  listeners.said(shownName(sender), prefix + event.message, peek(sender, "id"));
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
    // Only the id is sure to be readable of a player who has left; one of a mob will be nobody's.
    return entity?.id;
  }
}
