import { boot, host } from "./bridge.ts";
import { runCommand } from "./commands.ts";
import {
  entityFor,
  identity,
  isOnline,
  playerById,
  putPlayer,
  removePlayer,
  replacePlayer,
  takeHealthChanges,
  updatePlayer,
} from "./entities.ts";
import { settleForms } from "./forms.ts";
import { AFTER, type AfterEventName, type Input, type TickInput } from "./host.ts";
import { passJoins, takeJoins } from "./joins.ts";
import { settleRequests } from "./net.ts";
import { reportRejections } from "./promises.ts";
import { nextTick, runTimers } from "./schedule.ts";
import { emitAfter, emitBefore } from "./signals.ts";
import { ScriptEventSource, systemSignals } from "./system.ts";
import { type EntityDie, worldSignals } from "./world.ts";

type Emit = () => void;
type Queues = Record<AfterEventName, Emit[]>;

let loads = false;

/** Fires `worldLoad` in the next tick. */
export function loadWorld(): void {
  loads = true;
}

/** One tick: number, inputs, after-events, timers, completions. */
export function runTick(input: TickInput): void {
  nextTick();
  reportRejections();
  const queues: Queues = { scriptEvent: [], chat: [], health: [], die: [], join: [], spawn: [], leave: [] };
  for (const player of input.players ?? []) updatePlayer(player);
  for (const one of input.inputs ?? []) {
    const passed = passJoins(one);
    if (passed) takeInput(passed, queues);
  }
  for (const one of takeJoins()) takeInput(one, queues);
  if (loads) {
    loads = false;
    emitAfter(worldSignals.after.worldLoad, {});
  }
  for (const { player, oldValue, newValue } of takeHealthChanges())
    queues.health.push(() =>
      emitAfter(worldSignals.after.entityHealthChanged, { entity: player, oldValue, newValue }, options =>
        wanted(options, player.id, "minecraft:player"),
      ),
    );
  flush(queues);
  runTimers();
  settleForms(input.forms ?? []);
  settleRequests(input.http ?? []);
}

function flush(queues: Queues): void {
  for (const kind of AFTER) for (const emit of queues[kind]) emit();
}

function takeInput(input: Input, queues: Queues): void {
  switch (input.is) {
    case "chat":
      takeChat(input, queues);
      return;
    case "command":
      runCommand(input.line, input.id, input.permissionLevel);
      return;
    case "scriptEvent": {
      const { id, message } = input;
      const event = { id, message, sourceType: ScriptEventSource.Server };
      queues.scriptEvent.push(() =>
        emitAfter(systemSignals.after.scriptEventReceive, event, options => isOfNamespace(options, id)),
      );
      return;
    }
    case "join": {
      putPlayer(input.player);
      const event = { playerId: input.player.id, playerName: input.player.name };
      queues.join.push(() => emitAfter(worldSignals.after.playerJoin, event));
      return;
    }
    case "spawn":
      queues.spawn.push(() => {
        const { id, initial, kicked } = input;
        if (!isOnline(id)) return;
        const player = playerById(id);
        if (kicked === "before") takeLeave(id, queues);
        emitAfter(worldSignals.after.playerSpawn, { player, initialSpawn: initial });
        if (kicked === "after") takeLeave(id, queues);
      });
      return;
    case "replace":
      replacePlayer(input.id);
      return;
    case "die":
      takeDeath(input, queues);
      return;
    case "leave":
      takeLeave(input.id, queues);
      return;
  }
}

function isOfNamespace(options: unknown, id: string): boolean {
  if (typeof options !== "object" || options === null) return true;
  const { namespaces }: { namespaces?: readonly string[] } = options;
  return !namespaces || namespaces.includes(id.split(":")[0] ?? "");
}

function takeChat({ id, text, targets, cancelled }: Input & { is: "chat" }, queues: Queues): void {
  if (!isOnline(id)) return;
  const sender = playerById(id);
  const { isSilent } = boot.quirks;
  const chosen = targets?.map(playerById).filter(player => player !== undefined);
  const event = { message: text, sender, targets: chosen, cancel: cancelled };
  if (!isSilent) emitBefore(worldSignals.before.chatSend, event);
  if (event.cancel) return;
  host.said(id, text, targets ? JSON.stringify(targets) : "");
  if (isSilent) return;
  queues.chat.push(() => emitAfter(worldSignals.after.chatSend, { message: text, sender, targets: chosen }));
}

function takeDeath({ dead, cause, by, projectile }: Input & { is: "die" }, queues: Queues): void {
  if (typeof dead === "string" && !isOnline(dead)) return;
  const deadEntity = entityFor(dead);
  const damagingEntity = by === undefined ? undefined : entityFor(by);
  const damagingProjectile = projectile && entityFor(projectile);
  const event: EntityDie = {
    deadEntity,
    damageSource: {
      cause,
      ...(damagingEntity && { damagingEntity }),
      ...(damagingProjectile && { damagingProjectile }),
    },
  };
  const id = typeof dead === "string" ? dead : dead.id;
  const typeId = typeof dead === "string" ? "minecraft:player" : dead.typeId;
  queues.die.push(() =>
    emitAfter(worldSignals.after.entityDie, event, options => wanted(options, id, typeId)),
  );
}

function wanted(options: unknown, id: string, typeId: string): boolean {
  if (typeof options !== "object" || options === null) return true;
  const { entities, entityTypes }: { entities?: { id: string }[]; entityTypes?: string[] } = options;
  if (entityTypes && !entityTypes.includes(typeId)) return false;
  return !entities || entities.some(entity => entity.id === id);
}

function takeLeave(id: string, queues: Queues): void {
  if (!isOnline(id)) return;
  const player = playerById(id);
  const event = identity(id);
  emitBefore(worldSignals.before.playerLeave, { player });
  removePlayer(id);
  queues.leave.push(() => emitAfter(worldSignals.after.playerLeave, event));
}
