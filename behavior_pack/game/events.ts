import { type Missing, member } from "./features.ts";
import { mc } from "./modules.ts";

/** What the game tells of. */
interface Listeners {
  worldLoaded(): void;
  shutdown(): void;
  /** a player can play, after joining */
  joined(player: mc.Player): void;
  left(id: string): void;
  /** a line of public chat, with the name as the game shows it */
  said(name: string, text: string): void;
  /** a player died; `killer` is the id of the player who did it, if one did */
  died(id: string, killer: string | undefined): void;
}

/** Subscribes to everything; to be called in early execution. What the game does not have is named and left out. */
export function subscribe(listeners: Listeners, missing: Missing): void {
  const after = member(member(mc, "world"), "afterEvents");
  const before = member(member(mc, "system"), "beforeEvents");

  const attach = (found: unknown, name: string, consequence: string, subscribeTo: () => void): void => {
    try {
      if (found === undefined) missing(name, consequence);
      else subscribeTo();
    } catch {
      missing(name, consequence);
    }
  };

  const load = member(after, "worldLoad");
  attach(load, "world.afterEvents.worldLoad", "the bridge begins a second after the script", () =>
    load?.subscribe(listeners.worldLoaded),
  );
  const shutdown = member(before, "shutdown");
  attach(
    shutdown,
    "system.beforeEvents.shutdown",
    "the last seconds of playtime are lost when the server stops",
    () => shutdown?.subscribe(listeners.shutdown),
  );
  const spawn = member(after, "playerSpawn");
  attach(spawn, "world.afterEvents.playerSpawn", "players who join are noticed with the next snapshot", () =>
    spawn?.subscribe(event =>
      ignoringErrors(() => {
        if (event.initialSpawn) listeners.joined(event.player);
      }),
    ),
  );
  const leave = member(after, "playerLeave");
  attach(leave, "world.afterEvents.playerLeave", "players who leave are noticed with the next snapshot", () =>
    leave?.subscribe(event => ignoringErrors(() => listeners.left(event.playerId))),
  );
  const chat = member(after, "chatSend");
  attach(chat, "world.afterEvents.chatSend", "game chat does not reach the web", () =>
    chat?.subscribe(event => ignoringErrors(() => relayChat(event, listeners))),
  );
  const die = member(after, "entityDie");
  attach(die, "world.afterEvents.entityDie", "deaths and kills are not counted", () =>
    die?.subscribe(event => ignoringErrors(() => reportDeath(event, listeners)), { entityTypes: [PLAYER] }),
  );
}

const PLAYER = "minecraft:player";

/** The objects of an event can be gone by now; then there is nothing to tell. */
function ignoringErrors(part: () => void): void {
  try {
    part();
  } catch {
    // Nothing can be said of a player who cannot be read.
  }
}

function relayChat(event: mc.ChatSendAfterEvent, listeners: Listeners): void {
  // Private: stays in the game, also when it cannot be told for whom it was.
  if ("targets" in event && event.targets !== undefined) return;
  const { sender } = event;
  const prefix = "chatMessagePrefix" in sender ? sender.chatMessagePrefix : undefined;
  listeners.said(shownName(sender), (prefix ?? "") + event.message);
}

function shownName(sender: mc.Player): string {
  const shown = "chatDisplayName" in sender ? sender.chatDisplayName : undefined;
  return typeof shown === "string" && shown !== "" ? shown : sender.name;
}

function reportDeath(event: mc.EntityDieAfterEvent, listeners: Listeners): void {
  const id = playerId(event.deadEntity);
  if (id !== undefined) listeners.died(id, killer(event));
}

function killer(event: mc.EntityDieAfterEvent): string | undefined {
  try {
    const { damagingEntity, damagingProjectile } = event.damageSource;
    return playerId(damagingEntity) ?? playerId(owner(damagingProjectile));
  } catch {
    return undefined;
  }
}

function owner(projectile: mc.Entity | undefined): mc.Entity | undefined {
  try {
    return projectile?.getComponent("minecraft:projectile")?.owner;
  } catch {
    return undefined;
  }
}

function playerId(entity: mc.Entity | undefined): string | undefined {
  try {
    return entity?.typeId === PLAYER ? entity.id : undefined;
  } catch {
    // Only the id is sure to be readable of a player who has left; one of a mob will be nobody's.
    return entity?.id;
  }
}
