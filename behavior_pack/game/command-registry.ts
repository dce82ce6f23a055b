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
 * How many words a name and a reason, or a text, may have without quotes: the first of these numbers that the game accepts. No
 * parameter type takes the rest of a line, and the limit of parameters is not documented.
 */
const WORDS = [32, 8, 2] as const;

type Registration = [
  name: keyof Pack<mc.Player>["commands"],
  permissionLevel: mc.CommandPermissionLevel,
  parameters?: Pick<mc.CustomCommand, "mandatoryParameters" | "optionalParameters">,
];

/**
 * Registers the commands when the game starts; to be called in early execution. `commands` is called for each command, and returns
 * undefined until the world is loaded. `isChatByCommand`: whether there is `/bridge:say`.
 */
export function registerCommands(
  commands: (player: mc.Player | undefined) => ReturnType<Pack<mc.Player>["commandsOf"]> | undefined,
  isChatByCommand: boolean,
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
          const player = playerOf(origin);
          const command: Command<mc.Player> | undefined = commands(player)?.[name];
          if (command === undefined) return { status: 1, message: NOT_YET };
          // Omitted optional arguments may be passed as undefined.
          const words = written.filter(word => word !== undefined).map(String);
          const { done, text } = command(player, ...words);
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
    const registerWords = (
      name: Registration[0],
      level: mc.CommandPermissionLevel,
      mandatory: readonly string[],
      optional: string,
      [most = 2, ...fewer]: readonly number[] = WORDS,
    ): void => {
      const known = [...mandatory, optional];
      const more = Array.from({ length: most - known.length }, (_, i) => `word${known.length + i + 1}`);
      const mandatoryParameters = mandatory.flatMap(word);
      try {
        add(name, level, { mandatoryParameters, optionalParameters: [optional, ...more].flatMap(word) });
      } catch (error) {
        if (fewer.length > 0 && field(error, "reason") === "ParameterLimit")
          registerWords(name, level, mandatory, optional, fewer);
        else sayRefused(name, error);
      }
    };
    register("status", levels.Admin);
    for (const name of ["link", "unlink", "block", "unblock", "hide", "show", "forget"] as const)
      register(name, levels.Any);
    for (const name of ["mute", "unmute"] as const)
      register(name, levels.Admin, { mandatoryParameters: word("browser") });
    if (isChatByCommand) registerWords("say", levels.Any, [], "text");
    registerWords("ban", levels.Admin, ["player"], "reason");
    registerWords("unban", levels.Admin, ["player"], "word2");
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
