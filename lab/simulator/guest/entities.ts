import { host } from "./bridge.ts";
import { type Dimension, dimensionOf } from "./dimension.ts";
import { InvalidEntityError } from "./errors.ts";
import type { Act, ActResult, EntityRef, OtherState, PlayerState } from "./host.ts";
import { accessors, surface } from "./surface.ts";
import { flatten } from "./text.ts";

/** The data behind an Entity object. `player` is replaced with each update of the host. */
interface EntityData {
  readonly id: string;
  readonly typeId: string;
  readonly owner: string | undefined;
  valid: boolean;
  player: PlayerState | undefined;
  health: EntityHealthComponent | undefined;
}

const insides = new WeakMap<object, EntityData>();
const making = Symbol("making");

function inside(entity: object, member: string): EntityData {
  const found = insides.get(entity);
  if (!found) throw new ReferenceError("Native object bound to prototype does not exist.");
  const broken = found.player?.broken;
  if (broken === true || (typeof broken === "object" && broken.includes(member))) {
    throw new Error(`Failed to get property '${member}'`);
  }
  return found;
}

function live(entity: object, member: string): EntityData {
  const found = inside(entity, member);
  if (!found.valid) throw new InvalidEntityError(found.id, found.typeId);
  return found;
}

function livePlayer(entity: object, member: string): PlayerState {
  const { player, id, typeId } = live(entity, member);
  if (!player) throw new InvalidEntityError(id, typeId);
  return player;
}

export class Entity {
  constructor(token?: symbol, id = "", typeId = "", owner?: string) {
    if (token !== making) throw new TypeError(`No constructor for native class '${new.target.name}'.`);
    insides.set(this, { id, typeId, owner, valid: true, player: undefined, health: undefined });
  }
  get id(): string {
    return inside(this, "id").id;
  }
  get typeId(): string {
    return inside(this, "typeId").typeId;
  }
  get isValid(): boolean {
    return inside(this, "isValid").valid;
  }
  get nameTag(): string {
    return live(this, "nameTag").player?.nameTag ?? "";
  }
  get location(): unknown {
    return JSON.parse(host.location(live(this, "location").id));
  }
  getComponent(componentId: string): unknown {
    const found = live(this, "getComponent");
    const id = componentId.includes(":") ? componentId : `minecraft:${componentId}`;
    if (id === "minecraft:health" && found.player) {
      found.health ??= new EntityHealthComponent(this);
      return found.health;
    }
    if (id === "minecraft:projectile" && found.typeId === "minecraft:arrow") {
      return new EntityProjectileComponent(this);
    }
    if (id === "minecraft:health" || id === "minecraft:projectile") return undefined;
    throw new Error(`simulator: component ${id} of ${found.typeId} is not simulated`);
  }
  get dimension(): Dimension {
    live(this, "dimension");
    return dimensionOf("overworld");
  }
  /** @returns whether it could be killed */
  kill(): boolean {
    const { id, player } = live(this, "kill");
    return player !== undefined && act(id, { is: "hurt", cause: "selfDestruct" }).done;
  }
  applyDamage(amount: number, options: { cause?: string; damagingEntity?: Entity } = {}): boolean {
    const { id, player } = live(this, "applyDamage");
    const { cause = "none", damagingEntity } = options;
    const by = damagingEntity && { by: live(damagingEntity, "id").id };
    return player !== undefined && act(id, { is: "hurt", amount, cause, ...by }).done;
  }
  hasComponent(componentId: string): boolean {
    return this.getComponent(componentId) !== undefined;
  }
}

export class Player extends Entity {
  declare readonly name: string;
  get chatDisplayName(): string {
    const { namePrefix = "", name, nameSuffix = "" } = livePlayer(this, "chatDisplayName");
    return namePrefix + name + nameSuffix;
  }
  get clientSystemInfo(): ClientSystemInfo {
    return new ClientSystemInfo(livePlayer(this, "clientSystemInfo").locale);
  }
  getPing(): number {
    return livePlayer(this, "getPing").ping;
  }
  sendMessage(message: unknown): void {
    host.message(livePlayer(this, "sendMessage").id, flatten(message));
  }
}

accessors(
  Player,
  { name: "name", persistentId: "persistentId" },
  (player, field, member) => livePlayer(player, member)[field],
);
accessors(
  Player,
  { chatNamePrefix: "namePrefix", chatNameSuffix: "nameSuffix", chatMessagePrefix: "messagePrefix" },
  (player, field, member) => livePlayer(player, member)[field],
  change,
);

/** Information about the player's device. */
class ClientSystemInfo {
  readonly #locale: string;
  constructor(locale: string) {
    this.#locale = locale;
  }
  get locale(): string {
    return this.#locale;
  }
}

function change(player: Player, field: string, member: string, value: unknown): void {
  const state = livePlayer(player, field);
  if (value !== undefined && typeof value !== "string") throw new TypeError("Native type conversion failed.");
  const found = insides.get(player);
  if (found) found.player = { ...state, [field]: value };
  host.setPlayer(state.id, member, value === undefined ? "" : JSON.stringify(value));
}

class EntityComponent {
  readonly #entity: Entity;
  readonly #typeId: string;
  constructor(entity: Entity, typeId: string) {
    this.#entity = entity;
    this.#typeId = typeId;
  }
  /** The entity of an object, without guards. */
  static of(self: EntityComponent): Entity {
    return self.#entity;
  }
  get entity(): Entity {
    return this.#entity;
  }
  get typeId(): string {
    return this.#typeId;
  }
  get isValid(): boolean {
    return this.#entity.isValid;
  }
}

export class EntityHealthComponent extends EntityComponent {
  static readonly componentId = "minecraft:health";
  constructor(entity: Entity) {
    super(entity, "minecraft:health");
  }
  get effectiveMin(): number {
    livePlayer(this.entity, "effectiveMin");
    return 0;
  }
  setCurrentValue(value: number): boolean {
    const { id } = livePlayer(EntityComponent.of(this), "setCurrentValue");
    return act(id, { is: "health", to: value }).done;
  }
}

accessors(
  EntityHealthComponent,
  { currentValue: "health", effectiveMax: "maxHealth", defaultValue: "maxHealth" },
  (health, field, member) => livePlayer(EntityComponent.of(health), member)[field],
);

export class EntityProjectileComponent extends EntityComponent {
  static readonly componentId = "minecraft:projectile";
  constructor(entity: Entity) {
    super(entity, "minecraft:projectile");
  }
  get owner(): Entity | undefined {
    const { owner } = live(this.entity, "owner");
    return owner === undefined ? undefined : online.get(owner);
  }
}

/** `undefined` stands for another pack's simulated player. */
const online = new Map<string, Player | undefined>();
const simulatedNames = new Map<string, string>();

/** Players in the world, in the order they joined. */
export function allPlayers(): (Player | undefined)[] {
  return [...online.values()];
}

/** Whether a player with this id is in the world, including those that the pack cannot see. */
export function isOnline(id: string): boolean {
  return online.has(id);
}

/** The online player with this id, if the pack can see them. */
export function playerById(id: string): Player | undefined {
  return online.get(id);
}

/** Performs an action on a player. Its result can be read immediately. */
export function act(id: string, what: Act): ActResult {
  const done: ActResult = JSON.parse(host.act(id, JSON.stringify(what)));
  if (done.player) putPlayer(done.player);
  return done;
}

/** The object of a player, with the members of a simulated player if this pack spawned it. */
export const playerTypes = { player: Player, simulated: Player };

/** Updates the state of a player; the first update adds the player to the world. */
export function putPlayer(state: PlayerState): void {
  if (state.simulated === "elsewhere") {
    online.set(state.id, undefined);
    simulatedNames.set(state.id, state.name);
    return;
  }
  let player = online.get(state.id);
  if (!player) {
    const type = state.simulated === "here" ? playerTypes.simulated : playerTypes.player;
    player = new type(making, state.id, "minecraft:player");
    online.set(state.id, player);
  }
  const found = insides.get(player);
  if (!found) return;
  const oldValue = found.player?.health ?? state.health;
  if (oldValue !== state.health) healthChanges.push({ player, oldValue, newValue: state.health });
  found.player = state;
}

interface HealthChange {
  readonly player: Player;
  readonly oldValue: number;
  readonly newValue: number;
}

let healthChanges: HealthChange[] = [];

/** Changes since the last call. */
export function takeHealthChanges(): readonly HealthChange[] {
  const taken = healthChanges;
  if (taken.length > 0) healthChanges = [];
  return taken;
}

/** Applies an update of a player in the world. */
export function updatePlayer(state: PlayerState): void {
  if (online.has(state.id)) putPlayer(state);
}

/** Name and id of a player, also if the player object is broken. */
export function identity(id: string): { playerId: string; playerName: string } {
  const player = online.get(id);
  const name = player ? insides.get(player)?.player?.name : simulatedNames.get(id);
  return { playerId: id, playerName: name ?? "" };
}

/** Removes a player from the world and invalidates the object that the pack may hold. */
export function removePlayer(id: string): void {
  const player = online.get(id);
  const found = player && insides.get(player);
  if (found) found.valid = false;
  online.delete(id);
  simulatedNames.delete(id);
}

/** Gives a player a new object and invalidates the one that the pack may hold. */
export function replacePlayer(id: string): void {
  const player = online.get(id);
  const state = player && insides.get(player)?.player;
  removePlayer(id);
  if (state) putPlayer(state);
}

/** The entity of an event: an online player, or one that exists only for the event. */
export function entityFor(ref: EntityRef): Entity | undefined {
  if (typeof ref === "string") return online.get(ref);
  const { id, typeId, owner }: OtherState = ref;
  return new Entity(making, id, typeId, owner);
}

/** Id of a player object given by the pack. @throws InvalidEntityError, or TypeError for anything else. */
export function idOf(player: unknown): string {
  if (!(player instanceof Player)) throw new TypeError("Native type conversion failed.");
  return live(player, "id").id;
}

surface(
  "Entity",
  Entity,
  "id:r typeId:r isValid:r nameTag:r location:r dimension:r getComponent:r hasComponent:r kill: applyDamage:",
  `isClimbing isFalling isInWater isOnGround isSleeping isSneaking isSprinting isSwimming
  localizationKey nameplateDepthTested nameplateRenderDistance scoreboardIdentity target addEffect addItem
  addTag applyImpulse applyKnockback clearDynamicProperties clearVelocity extinguishFire getAABB
  getAllBlocksStandingOn getBlockFromViewDirection getBlockStandingOn getComponents getDynamicProperty
  getDynamicPropertyIds getDynamicPropertyTotalByteCount getEffect getEffects getEntitiesFromViewDirection
  getHeadLocation getProperty getRotation getTags getVelocity getViewDirection hasTag lookAt matches
  playAnimation remove removeEffect removeTag resetProperty runCommand setDynamicProperties
  setDynamicProperty setOnFire setProperty setRotation teleport triggerEvent tryTeleport`,
);
surface(
  "Player",
  Player,
  `name:r persistentId:r chatNamePrefix:r/ chatNameSuffix:r/ chatMessagePrefix:r/ chatDisplayName:r
  clientSystemInfo:r getPing:r sendMessage:r`,
  `camera commandPermissionLevel fogSettings graphicsMode inputInfo inputPermissions isEmoting
  isFlying isGliding isJumping level locatorBar onScreenDisplay playerPermissionLevel selectedSlotIndex
  totalXpNeededForNextLevel xpEarnedAtCurrentLevel addExperience addLevels clearPropertyOverridesForEntity
  eatItem getAimAssist getControlScheme getGameMode getItemCooldown getSpawnPoint getSplitScreenSlot getTotalXp
  playMusic playSound postClientMessage queueMusic removePropertyOverrideForEntity resetLevel setControlScheme
  setGameMode setPropertyOverrideForEntity setSpawnPoint spawnParticle startItemCooldown stopAllSounds stopMusic
  stopSound`,
);
surface("ClientSystemInfo", ClientSystemInfo, "locale:r", "maxRenderDistance memoryTier platformType");
surface("EntityComponent", EntityComponent, "entity:r typeId:r isValid:r");
surface(
  "EntityAttributeComponent",
  EntityHealthComponent,
  "currentValue:r effectiveMax:r effectiveMin:r defaultValue:r setCurrentValue:",
  "resetToDefaultValue resetToMaxValue resetToMinValue",
);
surface(
  "EntityProjectileComponent",
  EntityProjectileComponent,
  "owner:r",
  `airInertia catchFireOnHurt critParticlesOnProjectileHurt destroyOnProjectileHurt gravity hitEntitySound
  hitGroundSound hitParticle lightningStrikeOnHit liquidInertia onFireTime shouldBounceOnHit stopOnHit shoot`,
);
