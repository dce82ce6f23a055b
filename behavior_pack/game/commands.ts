import english from "../../languages/en_US.json" with { type: "json" };
import type { Commands, Reply } from "../commands.ts";
import { attempt, type Missing, member } from "./features.ts";
import { mc } from "./modules.ts";

const PLAYER = "minecraft:player";

/**
 * Registers the commands when the game starts; to be called in early execution. `commands` is asked when one is
 * given, and may be undefined while the world is not there yet.
 */
export function registerCommands(commands: () => Commands<mc.Player> | undefined, missing: Missing): void {
  const lack = (): void => missing("customCommandRegistry", "there are no /bridge commands");
  const levels = member(mc, "CommandPermissionLevel");
  const startup = member(member(member(mc, "system"), "beforeEvents"), "startup");
  if (startup === undefined || levels === undefined) {
    lack();
    return;
  }
  startup.subscribe(event => {
    try {
      const registry = event.customCommandRegistry;
      const register = (
        name: keyof typeof english.commands,
        permissionLevel: mc.CommandPermissionLevel,
      ): void =>
        registry.registerCommand(
          {
            name: `bridge:${name}`,
            description: english.commands[name],
            permissionLevel,
            cheatsRequired: false,
          },
          origin => result(commands()?.[name](playerOf(origin))),
        );
      register("status", levels.Admin);
      for (const name of ["link", "unlink", "block", "unblock", "hide", "show"] as const)
        register(name, levels.Any);
    } catch {
      lack();
    }
  });
}

const result = (reply: Reply | undefined): mc.CustomCommandResult | undefined =>
  reply && { status: reply.done ? 0 : 1, message: reply.text };

const playerOf = (origin: mc.CustomCommandOrigin): mc.Player | undefined =>
  attempt(() => {
    const entity = origin.sourceEntity;
    return entity?.typeId === PLAYER ? (entity as mc.Player) : undefined;
  });
