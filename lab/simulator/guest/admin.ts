import { boot, host } from "./bridge.ts";
import { act, idOf, Player } from "./entities.ts";
import { CannotKickPlayerError, errorFromHost, InvalidArgumentError } from "./errors.ts";
import { requireMode } from "./mode.ts";
import { surface } from "./surface.ts";

const numbers = new WeakMap<SecretString, number>();

/** A secret that the script can pass on but not read: inside the VM it is only a number. */
export class SecretString {
  constructor(value: string) {
    requireMode("r", "class constructor [SecretString]");
    if (typeof value !== "string") throw new TypeError("Native type conversion failed.");
    numbers.set(this, host.makeSecret(value));
  }
}

/** The number that the host resolves to the secret. */
export function secretNumber(secret: SecretString): number {
  return numbers.get(secret) ?? -1;
}

export class ServerSecrets {
  get names(): string[] {
    return [...boot.secretNames];
  }
  get(name: string): SecretString | undefined {
    const number = host.secret(name);
    if (number < 0) return undefined;
    const secret: SecretString = Object.create(SecretString.prototype);
    numbers.set(secret, number);
    return secret;
  }
}

export class ServerVariables {
  get names(): string[] {
    return Object.keys(boot.variables);
  }
  get(name: string): unknown {
    const { variables } = boot;
    if (!Object.keys(variables).includes(name)) return undefined;
    return JSON.parse(JSON.stringify(variables[name]));
  }
}

interface Entry {
  readonly name?: string;
  readonly xuid?: string;
}

function entryJson(given: unknown): string {
  if (given instanceof Player) {
    idOf(given);
    return JSON.stringify({ name: given.name });
  }
  if (typeof given !== "object" || given === null)
    throw new TypeError("Native variant type conversion failed.");
  const { name, xuid }: { name?: unknown; xuid?: unknown } = given;
  for (const part of [name, xuid]) {
    if (part !== undefined && typeof part !== "string") {
      throw new TypeError("Native variant type conversion failed.");
    }
  }
  if (!name && !xuid) throw new InvalidArgumentError("Either name or xuid is needed.");
  return JSON.stringify({ name, xuid });
}

function ask(operation: string, json = ""): unknown {
  const answer: { value?: unknown; error?: unknown } = JSON.parse(host.allowList(operation, json));
  if (answer.error) throw errorFromHost(JSON.stringify(answer.error));
  return answer.value;
}

export class AllowList {
  get enabled(): boolean {
    return ask("enabled") === true;
  }
  set enabled(value: boolean) {
    if (typeof value !== "boolean") throw new TypeError("Native type conversion failed.");
    ask(value ? "enable" : "disable");
  }
  get entries(): Entry[] {
    const entries = ask("entries");
    return Array.isArray(entries) ? entries : [];
  }
  contains(player: unknown): boolean {
    return ask("contains", entryJson(player)) === true;
  }
  add(player: unknown, ignorePlayerLimit = false): void {
    if (typeof ignorePlayerLimit !== "boolean") throw new TypeError("Native type conversion failed.");
    ask("add", entryJson(player));
  }
  remove(player: unknown): void {
    ask("remove", entryJson(player));
  }
  clear(): void {
    ask("clear");
  }
  reloadFile(): void {
    ask("reloadFile");
  }
}

const allowList = new AllowList();

export class DedicatedServerUtils {
  get allowList(): AllowList {
    return allowList;
  }
}

/** Kicks a player, who sees the reason. */
export function kickPlayer(player: unknown, reason?: unknown): void {
  requireMode("", "function [kickPlayer]");
  if (reason !== undefined && typeof reason !== "string")
    throw new TypeError("Native optional type conversion failed.");
  const { done, error = "" } = act(idOf(player), { is: "kick", ...(reason !== undefined && { reason }) });
  if (!done) throw new CannotKickPlayerError(error);
}

export { beforeEvents } from "./joins.ts";

surface("ServerSecrets", ServerSecrets, "names:r get:e");
surface("ServerVariables", ServerVariables, "names:r get:e");
surface("AllowList", AllowList, "enabled:r/ entries:r contains:r add: remove: clear: reloadFile:");
surface(
  "DedicatedServerUtils",
  DedicatedServerUtils,
  "allowList:r",
  "levelStorage reloadCDNConfig reloadPermissions reloadScriptingConfig stopServer",
);
