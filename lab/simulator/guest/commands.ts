import { boot, host } from "./bridge.ts";
import { playerById } from "./entities.ts";
import { CustomCommandError, NamespaceNameError } from "./errors.ts";
import { mode, withMode } from "./mode.ts";
import { callPack, report } from "./report.ts";
import { surface } from "./surface.ts";

export const CommandPermissionLevel = { Any: 0, GameDirectors: 1, Admin: 2, Host: 3, Owner: 4 } as const;
export const CustomCommandStatus = { Success: 0, Failure: 1 } as const;
export const CustomCommandSource = {
  Block: "Block",
  Entity: "Entity",
  NPCDialogue: "NPCDialogue",
  Server: "Server",
} as const;

export const CustomCommandParamType = {
  BlockType: "BlockType",
  Boolean: "Boolean",
  EntitySelector: "EntitySelector",
  EntityType: "EntityType",
  Enum: "Enum",
  Float: "Float",
  Integer: "Integer",
  ItemType: "ItemType",
  Location: "Location",
  PlayerSelector: "PlayerSelector",
  String: "String",
} as const;

interface RegisteredCommand {
  readonly permissionLevel: number;
  readonly mandatory: readonly Parameter[];
  readonly optional: readonly Parameter[];
  readonly callback: (origin: CustomCommandOrigin, ...args: unknown[]) => unknown;
}

/** Whether a word of the command line is a valid parameter. */
type Parameter = (word: string) => boolean;

const commands = new Map<string, RegisteredCommand>();
const enums = new Map<string, readonly string[]>();
const taken = new Set<string>();
let namespace: string | undefined;

/** Reserves a command name, as if another pack had registered it. */
export function takeCommand(name: string): void {
  taken.add(name);
}

const making = Symbol("making");

export class CustomCommandOrigin {
  readonly #player: string;
  constructor(token?: symbol, player = "") {
    if (token !== making) throw new TypeError("No constructor for native class 'CustomCommandOrigin'.");
    this.#player = player;
  }
  get sourceType(): string {
    return this.#player === "" ? CustomCommandSource.Server : CustomCommandSource.Entity;
  }
  get sourceEntity(): unknown {
    return this.#player === "" ? undefined : playerById(this.#player);
  }
  get sourceBlock(): undefined {
    return undefined;
  }
  get initiator(): undefined {
    return undefined;
  }
}

export class CustomCommandRegistry {
  registerCommand(command: unknown, callback: unknown): void {
    if (typeof command !== "object" || command === null || typeof callback !== "function")
      throw new TypeError("Native type conversion failed.");
    const {
      name,
      description,
      permissionLevel,
      cheatsRequired,
      mandatoryParameters = [],
      optionalParameters = [],
    }: Record<string, unknown> = { ...command };
    if (typeof name !== "string" || typeof description !== "string" || typeof permissionLevel !== "number")
      throw new TypeError("Native type conversion failed.");
    if (cheatsRequired !== false) throw new Error("simulator: commands that need cheats are not simulated");
    admit(name, commands);
    const { commandParameters = Number.POSITIVE_INFINITY } = boot.quirks;
    if ([mandatoryParameters, optionalParameters].flat().length > commandParameters)
      throw new CustomCommandError(`'${name}' has too many parameters`, "ParameterLimit");
    commands.set(name, {
      permissionLevel,
      mandatory: parameters(mandatoryParameters),
      optional: parameters(optionalParameters),
      callback: callback as RegisteredCommand["callback"],
    });
  }

  registerEnum(name: unknown, values: unknown): void {
    if (typeof name !== "string" || !isTexts(values)) throw new TypeError("Native type conversion failed.");
    admit(name, enums);
    enums.set(name, [...values]);
  }
}

const isTexts = (values: unknown): values is string[] =>
  Array.isArray(values) && values.every(value => typeof value === "string");

/** Throws if a command cannot be registered under a name. */
function admit(name: string, among: ReadonlyMap<string, unknown>): void {
  const [, own] = /^([a-z0-9_]+):[a-z0-9_]+$/i.exec(name) ?? [];
  if (own === undefined || own === "minecraft") throw new NamespaceNameError(`Bad namespace in '${name}'`);
  if (mode !== "early") throw new CustomCommandError(`Too late for '${name}'`, "RegistryInvalid");
  if (namespace !== undefined && namespace !== own)
    throw new CustomCommandError(`'${name}' is of another namespace`, "NamespaceMismatch");
  if (among.has(name) || taken.has(name))
    throw new CustomCommandError(`'${name}' exists`, "AlreadyRegistered");
  namespace = own;
}

function parameters(given: unknown): Parameter[] {
  if (!Array.isArray(given)) throw new TypeError("Native type conversion failed.");
  return given.map(one => {
    const { name, type, ...more }: Record<string, unknown> = { ...one };
    // A member of the Beta APIs: the stable ones find an enum by the name of the parameter.
    const enumName = boot.isStable ? name : (more.enumName ?? name);
    if (typeof name !== "string" || typeof enumName !== "string")
      throw new TypeError("Native type conversion failed.");
    if (type === CustomCommandParamType.String) return () => true;
    if (type !== CustomCommandParamType.Enum)
      throw new Error(`simulator: parameters of type ${type} are not simulated`);
    const values = enums.get(enumName);
    if (values === undefined)
      throw new CustomCommandError(`There is no enum '${enumName}'`, "EnumDependencyMissing");
    return word => values.includes(word);
  });
}

/** Runs a command line in restricted execution. `player` is empty for the server console. */
export function runCommand(line: string, player: string, permissionLevel: number): void {
  const [name = "", ...words] = (line.match(/"[^"]*"|\S+/g) ?? []).map(word => word.replace(/^"|"$/g, ""));
  const found = commands.get(name) ?? (namespace && commands.get(`${namespace}:${name}`));
  const say = (text: string): void => (player === "" ? host.log("info", text) : host.message(player, text));
  if (!found || found.permissionLevel > permissionLevel) {
    say(
      `§cUnknown command: ${name}. Please check that the command exists and that you have permission to use it.`,
    );
    return;
  }
  const { mandatory, optional } = found;
  const bad = words.find((word, i) => ![...mandatory, ...optional][i]?.(word));
  if (bad !== undefined || words.length < mandatory.length) {
    say(`§cSyntax error: Unexpected "${bad ?? ""}": at "/${name} >>${bad ?? ""}<<"`);
    return;
  }
  withMode("restricted", () => {
    callPack(() => {
      const result = found.callback(new CustomCommandOrigin(making, player), ...words);
      if (result === undefined) return;
      const { status, message }: { status?: unknown; message?: unknown } = { ...(result as object) };
      if (status !== 0 && status !== 1) report(new TypeError("Native type conversion failed."));
      else if (typeof message === "string") say(status === 0 ? message : `§c${message}`);
    });
  });
}

surface("CustomCommandOrigin", CustomCommandOrigin, "sourceType:r sourceEntity:r sourceBlock:r initiator:r");
surface("CustomCommandRegistry", CustomCommandRegistry, "registerCommand:e registerEnum:e");
