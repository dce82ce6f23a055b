import { host } from "./bridge.ts";
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

interface Registered {
  readonly permissionLevel: number;
  readonly callback: (origin: CustomCommandOrigin, ...args: unknown[]) => unknown;
}

const commands = new Map<string, Registered>();
let namespace: string | undefined;

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
    const { name, description, permissionLevel, cheatsRequired, ...rest }: Record<string, unknown> = {
      ...command,
    };
    if (typeof name !== "string" || typeof description !== "string" || typeof permissionLevel !== "number")
      throw new TypeError("Native type conversion failed.");
    if (cheatsRequired !== false || Object.keys(rest).length > 0)
      throw new Error("simulator: commands that need cheats or take parameters are not simulated");
    const [, own] = /^([a-z0-9_]+):[a-z0-9_]+$/i.exec(name) ?? [];
    if (own === undefined || own === "minecraft") throw new NamespaceNameError(`Bad namespace in '${name}'`);
    if (mode !== "early") throw new CustomCommandError(`Too late for '${name}'`, "RegistryInvalid");
    if (namespace !== undefined && namespace !== own)
      throw new CustomCommandError(`'${name}' is of another namespace`, "NamespaceMismatch");
    if (commands.has(name)) throw new CustomCommandError(`'${name}' exists`, "AlreadyRegistered");
    namespace = own;
    commands.set(name, { permissionLevel, callback: callback as Registered["callback"] });
  }
}

/** Runs a command in restricted execution. `player` is empty for the console of the server. */
export function runCommand(name: string, player: string, permissionLevel: number): void {
  const found = commands.get(name) ?? (namespace && commands.get(`${namespace}:${name}`));
  const say = (text: string): void => (player === "" ? host.log("info", text) : host.message(player, text));
  if (!found || found.permissionLevel > permissionLevel) {
    say(`§cUnknown command: ${name}. Please check that the command exists and that you have permission.`);
    return;
  }
  withMode("restricted", () => {
    callPack(() => {
      const result = found.callback(new CustomCommandOrigin(making, player));
      if (result === undefined) return;
      const { status, message }: { status?: unknown; message?: unknown } = { ...(result as object) };
      if (status !== 0 && status !== 1) report(new TypeError("Native type conversion failed."));
      else if (typeof message === "string") say(status === 0 ? message : `§c${message}`);
    });
  });
}

surface("CustomCommandOrigin", CustomCommandOrigin, "sourceType:r sourceEntity:r sourceBlock:r initiator:r");
surface("CustomCommandRegistry", CustomCommandRegistry, "registerCommand:e", "registerEnum");
