import { host } from "./bridge.ts";
import { type Dimension, dimensionOf } from "./dimension.ts";
import { allPlayers, type Entity, type Player } from "./entities.ts";
import { dynamicProperties } from "./properties.ts";
import { Signal } from "./signals.ts";
import { holder, surface } from "./surface.ts";
import { flatten } from "./text.ts";

interface ChatSend {
  readonly message: string;
  /** undefined: another pack's simulated player, here and below */
  readonly sender: Player | undefined;
  readonly targets: readonly Player[] | undefined;
}

export interface EntityDie {
  readonly deadEntity: Entity | undefined;
  readonly damageSource: {
    readonly cause: string;
    readonly damagingEntity?: Entity;
    readonly damagingProjectile?: Entity;
  };
}

const after = {
  worldLoad: new Signal<object>("WorldLoadAfterEventSignal"),
  chatSend: new Signal<ChatSend>("ChatSendAfterEventSignal"),
  entityHealthChanged: new Signal<{ entity: Entity; oldValue: number; newValue: number }>(
    "EntityHealthChangedAfterEventSignal",
  ),
  entityDie: new Signal<EntityDie>("EntityDieAfterEventSignal"),
  playerJoin: new Signal<{ playerId: string; playerName: string }>("PlayerJoinAfterEventSignal"),
  playerSpawn: new Signal<{ player: Player | undefined; initialSpawn: boolean }>(
    "PlayerSpawnAfterEventSignal",
  ),
  playerLeave: new Signal<{ playerId: string; playerName: string }>("PlayerLeaveAfterEventSignal"),
};

const before = {
  chatSend: new Signal<ChatSend & { cancel: boolean }>("ChatSendBeforeEventSignal"),
  playerLeave: new Signal<{ player: Player | undefined }>("PlayerLeaveBeforeEventSignal"),
};

/** The signals themselves, for the simulator; the pack uses guarded getters. */
export const worldSignals = { after, before };

const afterEvents = holder(
  "WorldAfterEvents",
  after,
  `blockContainerClosed blockContainerOpened blockExplode buttonPush dataDrivenEntityTrigger effectAdd
  entityContainerClosed entityContainerOpened entityHeal entityHitBlock entityHitEntity
  entityHurt entityItemDrop entityItemPickup entityLoad entityRemove entitySpawn entityStartSneaking
  entityStopSneaking entityTamed entityUpgrade explosion gameRuleChange itemCompleteUse itemReleaseUse itemStartUse
  itemStartUseOn itemStopUse itemStopUseOn itemUse leverAction messageReceive packSettingChange pistonActivate
  playerBreakBlock playerButtonInput playerCancelBreakingBlock playerDimensionChange playerEmote
  playerGameModeChange playerHotbarSelectedSlotChange playerInputModeChange playerInputPermissionCategoryChange
  playerInteractWithBlock playerInteractWithEntity playerInventoryItemChange playerPlaceBlock
  playerStartBreakingBlock playerSwingStart playerUseNameTag pressurePlatePop pressurePlatePush projectileHitBlock
  projectileHitEntity soundCompleted targetBlockHit tripWireTrip weatherChange`,
);
const beforeEvents = holder(
  "WorldBeforeEvents",
  before,
  `effectAdd entityHeal entityHurt entityItemPickup entityRemove entityTamed explosion itemUse playerBreakBlock
  playerGameModeChange playerInteractWithBlock playerInteractWithEntity playerPlaceBlock weatherChange`,
);

/** Stands for any height limit of the world. */
const ANY_HEIGHT = 32767;

export class World {
  get afterEvents() {
    return afterEvents;
  }
  get beforeEvents() {
    return beforeEvents;
  }
  getAllPlayers(): (Player | undefined)[] {
    return allPlayers();
  }
  getPlayers(options?: Readonly<Record<string, unknown>>): (Player | undefined)[] {
    const { name, ...others } = options ?? {};
    const unknown = Object.keys(others)[0];
    if (unknown !== undefined) throw new Error(`simulator: EntityQueryOptions.${unknown} is not simulated`);
    return allPlayers().filter(player => name === undefined || player?.name === name);
  }
  getDimension(id: string): Dimension {
    if (typeof id !== "string") throw new TypeError("Native type conversion failed.");
    return dimensionOf(id);
  }
  getDefaultSpawnLocation(): { x: number; y: number; z: number } {
    return { x: 0, y: ANY_HEIGHT, z: 0 };
  }
  sendMessage(message: unknown): void {
    host.message("", flatten(message));
  }
}

Object.assign(World.prototype, dynamicProperties);

surface(
  "World",
  World,
  `afterEvents:re beforeEvents:re getAllPlayers:r getPlayers:r getDimension:r getDefaultSpawnLocation:r sendMessage:r
  getDynamicProperty:r
  setDynamicProperty:r setDynamicProperties:r getDynamicPropertyIds:r getDynamicPropertyTotalByteCount:r
  clearDynamicProperties:r`,
  `allowCheats gameRules isHardcore primitiveShapesManager scoreboard seed soundDefinitionRegistry structureManager
  tickingAreaManager broadcastClientMessage getAbsoluteTime getAimAssist getDay
  getDifficulty getEntity getLootTableManager getMoonPhase getPackSettings getTimeOfDay playMusic
  queueMusic setAbsoluteTime setDefaultSpawnLocation setDifficulty setTimeOfDay stopMusic`,
);
