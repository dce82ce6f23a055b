import type { Entity, Player } from "@minecraft/server";
import { admin } from "../../behavior_pack/game/beta-modules.ts";
import { mc, ui } from "../../behavior_pack/game/modules.ts";
import { tried } from "./failure.ts";

const { system, world } = mc;

interface RecordedEvent {
  readonly is: string;
  readonly [key: string]: string | number | boolean;
}

const MAX_EVENTS = 400;
const events: RecordedEvent[] = [];
let dropped = 0;

function note(is: string, what: Readonly<Record<string, string | number | boolean>> = {}): void {
  events.push({ is, ...what });
  if (events.length <= MAX_EVENTS) return;
  events.shift();
  dropped++;
}

/** Events from number `since` on, and the next number. */
export const eventsSince = (since: number): { next: number; events: RecordedEvent[] } => ({
  next: dropped + events.length,
  events: events.slice(Math.max(0, since - dropped)),
});

/** Events to which this game does not let scripts subscribe. */
export const unsupportedEvents: string[] = [];

function subscribe(name: string, to: () => unknown): void {
  if ("failure" in tried(to)) unsupportedEvents.push(name);
}

const nameOf = (entity: Entity | undefined): string => {
  const read = tried(() => (entity as Player | undefined)?.name);
  return "value" in read && typeof read.value === "string" ? read.value : "";
};

/** Lines with this prefix are cancelled, as another pack might. */
const CANCELLED = "cancelled ";

interface Line {
  readonly message: string;
  readonly sender: Player;
  readonly targets?: readonly Player[] | undefined;
}
const lineOf = ({ message, sender, targets }: Line) => ({
  text: message,
  name: nameOf(sender),
  targets: targets === undefined ? "undefined" : targets.length,
});

subscribe("worldLoad", () =>
  world.afterEvents.worldLoad.subscribe(() => {
    // The game offers this event only from here on.
    subscribe("asyncPlayerJoin", () => admin.beforeEvents.asyncPlayerJoin.subscribe(async () => undefined));
  }),
);
subscribe("shutdown", () =>
  system.beforeEvents.shutdown.subscribe(() =>
    world.setDynamicProperty("prove:shutdown", String(world.getDynamicProperty("prove:before") ?? "unasked")),
  ),
);
subscribe("beforeEvents.chatSend", () =>
  world.beforeEvents.chatSend.subscribe(event => {
    note("before-chat", lineOf(event));
    if (event.message.startsWith(CANCELLED)) event.cancel = true;
  }),
);
subscribe("chatSend", () => world.afterEvents.chatSend.subscribe(event => note("chat", lineOf(event))));
subscribe("playerJoin", () =>
  world.afterEvents.playerJoin.subscribe(({ playerId, playerName }) =>
    note("join", { name: playerName, listed: isListed(playerId) }),
  ),
);
subscribe("playerSpawn", () =>
  world.afterEvents.playerSpawn.subscribe(({ player, initialSpawn }) =>
    note("spawn", { name: nameOf(player), initial: initialSpawn }),
  ),
);
subscribe("playerLeave", () =>
  world.afterEvents.playerLeave.subscribe(({ playerId, playerName }) =>
    note("leave", { name: playerName, listed: isListed(playerId) }),
  ),
);
function isListed(id: string): boolean {
  const all = tried(() => world.getAllPlayers().some(player => player?.id === id));
  return "value" in all && all.value === true;
}

/** The execution mode, by what the game refuses. */
export function modeNow(): string {
  const made = tried(() => new ui.ActionFormData());
  if ("failure" in made) return `early: ${made.failure.message}`;
  const moved = tried(() => world.afterEvents.worldLoad.unsubscribe(() => undefined));
  return "failure" in moved ? `restricted: ${moved.failure.message}` : "normal";
}
