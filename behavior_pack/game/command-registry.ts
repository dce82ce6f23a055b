import english from "../../languages/en_US.json" with { type: "json" };
import { WEB_CHAT_MODES } from "../../shared/web-chat.ts";
import type { Command } from "../commands.ts";
import { errorName } from "../notices.ts";
import type { Pack } from "../pack.ts";
import type { Say } from "../ports.ts";
import { attempt, field, PLAYER, peek, type ReportMissing } from "./features.ts";
import { literal } from "./literal.ts";
import { mc } from "./modules.ts";

/** The reply to a command before the world is loaded, such as in the second after `/reload`. */
const NOT_YET = "The web bridge is starting. Try again.";
const MODES = "bridge:webchat_mode";

/**
 * How many words a name and a reason may have without quotes: the first of these numbers that the game accepts. No parameter type
 * takes the rest of a line, and the limit of parameters is not documented.
 */
const WORDS = [32, 8, 2] as const;

type Registration = [
  name: keyof Pack<mc.Player>["commands"],
  permissionLevel: mc.CommandPermissionLevel,
  parameters?: Pick<mc.CustomCommand, "mandatoryParameters" | "optionalParameters">,
];

/**
 * Registers the commands when the game starts; to be called in early execution. `commands` is called for each command, and returns
 * undefined until the world is loaded.
 */
export function registerCommands(
  commands: () => Pack<mc.Player>["commands"] | undefined,
  missing: ReportMissing,
  say: Say,
): void {
  const lack = (): void => missing("customCommandRegistry", "there are no /bridge commands");
  const levels = peek(mc, "CommandPermissionLevel");
  const types = peek(mc, "CustomCommandParamType");
  const startup = peek(peek(peek(mc, "system"), "beforeEvents"), "startup");
  if (startup === undefined || levels === undefined || types === undefined) {
    lack();
    return;
  }
  startup.subscribe(event => {
    const registry = peek(event, "customCommandRegistry");
    if (registry === undefined || peek(registry, "registerCommand") === undefined) return lack();
    const add = (...[name, permissionLevel, parameters]: Registration): void =>
      registry.registerCommand(
        {
          name: `bridge:${name}`,
          description: english.commands[name],
          permissionLevel,
          cheatsRequired: false,
          ...parameters,
        },
        (origin, ...written: unknown[]) => {
          const command: Command<mc.Player> | undefined = commands()?.[name];
          if (command === undefined) return { status: 1, message: NOT_YET };
          // Omitted optional arguments may be passed as undefined.
          const words = written.filter(word => word !== undefined).map(String);
          const { done, text } = command(playerOf(origin), ...words);
          return { status: done ? 0 : 1, ...(text !== undefined && { message: literal(text) }) };
        },
      );
    // For example when another pack has a command of this name. The other commands are still registered.
    const sayRefused = (name: string, error: unknown): void =>
      say(`there is no /bridge:${name}: the game rejected it: ${field(error, "reason") ?? errorName(error)}`);
    const register = (...command: Registration): void => {
      try {
        add(...command);
      } catch (error) {
        sayRefused(command[0], error);
      }
    };
    const word = (name: string) => [{ name, type: types.String }];
    const registerNamed = (
      name: "ban" | "unban",
      second: string,
      [most, ...fewer]: readonly number[],
    ): void => {
      const more = Array.from({ length: Math.max(0, (most ?? 2) - 2) }, (_, i) => `word${i + 3}`);
      const optionalParameters = [second, ...more].flatMap(word);
      try {
        add(name, levels.Admin, { mandatoryParameters: word("player"), optionalParameters });
      } catch (error) {
        if (fewer.length > 0 && field(error, "reason") === "ParameterLimit")
          registerNamed(name, second, fewer);
        else sayRefused(name, error);
      }
    };
    register("status", levels.Admin);
    for (const name of ["link", "unlink", "block", "unblock", "hide", "show", "forget"] as const)
      register(name, levels.Any);
    for (const name of ["mute", "unmute"] as const)
      register(name, levels.Admin, { mandatoryParameters: word("browser") });
    registerNamed("ban", "reason", WORDS);
    registerNamed("unban", "word2", WORDS);
    // The game rejects an enum that exists, such as after a reload. The command can use it all the same.
    attempt(() => registry.registerEnum(MODES, [...WEB_CHAT_MODES]));
    try {
      const mode = { name: "mode", type: types.Enum, enumName: MODES };
      add("webchat", levels.Admin, { optionalParameters: [mode] });
    } catch {
      register("webchat", levels.Admin, { optionalParameters: word("mode") });
    }
  });
}

const playerOf = (origin: mc.CustomCommandOrigin): mc.Player | undefined =>
  attempt(() => {
    const entity = origin.sourceEntity;
    return entity?.typeId === PLAYER ? (entity as mc.Player) : undefined;
  });
