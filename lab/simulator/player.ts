import { Bounded } from "./bounded.ts";
import type { FormContent, FormSettlement, Input, OtherState, PlayerState } from "./guest/host.ts";
import type { PlayerIdentity } from "./types.ts";

export interface Position {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface DeathOptions {
  /** The cause: a player, or the type of a mob such as `minecraft:zombie`. */
  readonly by?: Player | string;
  /** With an arrow instead of by hand. */
  readonly projectile?: boolean;
  /** With an arrow: the event has only the projectile, whose owner is the killer. */
  readonly ownerOnly?: boolean;
  readonly cause?: string;
}

export interface OpenForm extends FormContent {
  /** Number of the form in the running script; -1 if that script has ended or the form is another pack's. */
  readonly id: number;
}

/** The parts of the world that a player needs. */
export interface PlayerWorld {
  readonly tick: number;
  input(input: Input): void;
  changed(player: Player): void;
  settle(settlement: FormSettlement): void;
  leave(player: Player): void;
  newEntityId(): string;
}

/** State that can be read and written from outside, by its name there. */
const FIELDS = {
  health: "health",
  maxHealth: "maxHealth",
  ping: "ping",
  locale: "locale",
  broken: "broken",
  chatNamePrefix: "namePrefix",
  chatNameSuffix: "nameSuffix",
  chatMessagePrefix: "messagePrefix",
} as const;

const CHAT_LINES = 500;
/** `CommandPermissionLevel` of operators. */
const ADMIN = 2;

/** A player, for the world and for tests. */
export class Player {
  readonly name: string;
  readonly id: string;
  readonly persistentId: string;
  readonly xuid: string;
  /** Messages in this player's chat, newest last, at most 500. */
  readonly chat: readonly string[];
  declare health: number;
  declare maxHealth: number;
  declare ping: number;
  /** Language of the player's game, such as `de_DE`. */
  declare locale: string;
  /** True: every read of this player throws in the script. A list: reads of these members throw. */
  declare broken: boolean | readonly string[] | undefined;
  declare chatNamePrefix: string | undefined;
  declare chatNameSuffix: string | undefined;
  declare chatMessagePrefix: string | undefined;
  online = true;
  dead = false;
  /** The cause of this player's last death: the name of a player, or the type of a mob. */
  killedBy: string | undefined;
  /** Set when a script has kicked this player or refused them entry, with the reason that they read. */
  removal: { readonly reason: string | undefined } | undefined;
  /** Another screen is open, so forms are answered with UserBusy. */
  busy = false;
  form: OpenForm | undefined;
  /** Whether the player can use operator commands. */
  operator = false;
  /** Number of forms shown to this player. */
  formsShown = 0;
  readonly #world: PlayerWorld;
  readonly #seen = new Bounded<string>(CHAT_LINES);
  #state: PlayerState;
  #from: Position;
  #fromTick: number;
  #velocity = { x: 0, z: 0 };

  constructor(
    world: PlayerWorld,
    name: string,
    identity: PlayerIdentity,
    position: Position,
    simulated?: "here" | "elsewhere",
  ) {
    this.#world = world;
    this.name = name;
    this.id = identity.id;
    this.persistentId = identity.persistentId;
    this.xuid = identity.xuid;
    this.chat = this.#seen.items;
    this.#from = position;
    this.#fromTick = world.tick;
    const { id, persistentId } = identity;
    this.#state = {
      id,
      name,
      persistentId,
      nameTag: name,
      health: 20,
      maxHealth: 20,
      ping: 30,
      locale: "en_US",
      ...(simulated && { simulated }),
    };
  }

  /** The state for the script. */
  get state(): PlayerState {
    return this.#state;
  }

  /** The name as shown in chat. */
  get displayName(): string {
    return (this.chatNamePrefix ?? "") + this.name + (this.chatNameSuffix ?? "");
  }

  /** The player's current position. */
  get position(): Position {
    const ticks = this.#world.tick - this.#fromTick;
    const { x, y, z } = this.#from;
    return { x: x + this.#velocity.x * ticks, y, z: z + this.#velocity.z * ticks };
  }

  /** Walks at this velocity, in blocks per tick, until the next call. */
  walk(x: number, z: number): void {
    this.#from = this.position;
    this.#fromTick = this.#world.tick;
    this.#velocity = { x, z };
  }

  /** Sends a chat message. `targets` makes it private; `cancelled`: another pack cancels it. */
  say(text: string, options: { targets?: readonly Player[]; cancelled?: boolean } = {}): void {
    this.#mustBeOnline();
    const { targets, cancelled = false } = options;
    const ids = targets?.map(({ id }) => id);
    this.#world.input({ is: "chat", id: this.id, text, cancelled, ...(ids && { targets: ids }) });
  }

  /** Runs a command, such as `/bridge:link`. Its output appears in chat. */
  command(line: string): void {
    this.#mustBeOnline();
    const permissionLevel = this.operator ? ADMIN : 0;
    this.#world.input({ is: "command", id: this.id, line: line.replace(/^\//, ""), permissionLevel });
  }

  /** Dies; stays dead until `respawn`. */
  die({ by, projectile = false, ownerOnly = false, cause }: DeathOptions = {}): void {
    this.#mustBeOnline();
    if (this.dead) throw new Error(`${this.name} is dead already`);
    this.dead = true;
    this.killedBy = by instanceof Player ? by.name : by;
    this.health = 0;
    const killer = this.#killer(by);
    const owner = by instanceof Player ? { owner: by.id } : {};
    const arrow: OtherState = { id: this.#world.newEntityId(), typeId: "minecraft:arrow", ...owner };
    this.#world.input({
      is: "die",
      dead: this.id,
      cause: cause ?? (projectile ? "projectile" : killer ? "entityAttack" : "fall"),
      ...(killer && !(projectile && ownerOnly) && { by: killer }),
      ...(projectile && { projectile: arrow }),
    });
  }

  /** Respawns. */
  respawn(): void {
    this.#mustBeOnline();
    if (!this.dead) throw new Error(`${this.name} is not dead`);
    this.dead = false;
    this.health = this.maxHealth;
    this.#world.input({ is: "spawn", id: this.id, initial: false });
  }

  /** Gives the player a new object in the script; the previous one becomes invalid. */
  replaceObject(): void {
    this.#mustBeOnline();
    this.#world.input({ is: "replace", id: this.id });
  }

  /** Leaves the game. */
  leave(): void {
    this.#mustBeOnline();
    this.#world.leave(this);
  }

  /** Presses a button of the open form, numbered from 0. */
  answer(index: number): void {
    const form = this.#openForm();
    if (!(index in form.buttons)) throw new Error(`the form has no button ${index}`);
    if (form.kind === "modal") this.fill(...form.fields.map(({ value }) => value));
    else this.#settle({ id: form.id, selection: index });
  }

  /** Types a text into each field of the open modal form, and submits it. */
  fill(...values: readonly string[]): void {
    const form = this.#openForm();
    if (form.kind !== "modal" || values.length !== form.fields.length)
      throw new Error(`the form has ${form.fields.length} fields`);
    this.#settle({ id: form.id, values });
  }

  /** Closes the open form without a choice. */
  closeForm(): void {
    this.#settle({ id: this.#openForm().id, canceled: "UserClosed" });
  }

  /** Opens a form for the script, unless another screen is open. */
  show(form: OpenForm): boolean {
    if (this.busy || this.form) return false;
    this.form = form;
    this.formsShown++;
    return true;
  }

  /** Opens a form of another pack. @throws if another screen is open */
  showOther(title: string): void {
    if (this.busy || this.form) throw new Error(`${this.name} is busy`);
    const empty = { body: "", labels: [], fields: [] };
    this.form = { ...empty, id: -1, kind: "action", title, buttons: ["OK"], icons: [null] };
  }

  /** The script that opened the form has ended: the form stays open, and its answer is dropped. */
  orphanForm(): void {
    if (this.form) this.form = { ...this.form, id: -1 };
  }

  /** Shows a message on this player's screen. */
  see(line: string): void {
    this.#seen.push(line);
  }

  #killer(by: Player | string | undefined): string | OtherState | undefined {
    if (by === undefined) return undefined;
    return by instanceof Player ? by.id : { id: this.#world.newEntityId(), typeId: by };
  }

  #openForm(): OpenForm {
    if (!this.form) throw new Error(`${this.name} has no form open`);
    return this.form;
  }

  #settle(settlement: FormSettlement): void {
    this.form = undefined;
    this.#world.settle(settlement);
  }

  static {
    for (const [name, field] of Object.entries(FIELDS))
      Object.defineProperty(Player.prototype, name, {
        get(this: Player) {
          return this.#state[field];
        },
        set(this: Player, value: unknown) {
          this.#state = { ...this.#state, [field]: value };
          this.#world.changed(this);
        },
      });
  }

  #mustBeOnline(): void {
    if (!this.online) throw new Error(`${this.name} is not online`);
  }
}
