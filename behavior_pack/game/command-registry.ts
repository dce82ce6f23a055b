import english from "../../languages/en_US.json" with { type: "json" };
import { WEB_CHAT_MODES } from "../../shared/web-chat.ts";
import type { Commands, Reply } from "../commands.ts";
import { errorName } from "../notices.ts";
import type { Say } from "../ports.ts";
import { attempt, field, PLAYER, peek, type ReportMissing } from "./features.ts";
import { literal } from "./literal.ts";
import { mc } from "./modules.ts";

type Command = (player: mc.Player | undefined, ...written: string[]) => Reply;

/** What a command is answered as long as the world is not there, such as in the second after `/reload`. */
const NOT_YET = "The web bridge is starting. Try again.";
const MODES = "bridge:webchat_mode";

/**
 * How many words a name and a reason may be without quotes, the first of these that the game takes: no parameter is for all the
 * rest of a line, and how many parameters a command may have is written nowhere.
 */
const WORDS = [32, 8, 2] as const;

/**
 * Registers the commands when the game starts; to be called in early execution. `commands` is asked when one is
 * given, and may be undefined while the world is not there yet.
 */
export function registerCommands(
  commands: () => Commands<mc.Player> | undefined,
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
    type Registered = [
      name: keyof typeof english.commands,
      permissionLevel: mc.CommandPermissionLevel,
      parameters?: Pick<mc.CustomCommand, "mandatoryParameters" | "optionalParameters">,
    ];
    const add = (...[name, permissionLevel, parameters]: Registered): void =>
      registry.registerCommand(
        {
          name: `bridge:${name}`,
          description: english.commands[name],
          permissionLevel,
          cheatsRequired: false,
          ...parameters,
        },
        (origin, ...written: unknown[]) => {
          const command: Command | undefined = commands()?.[name];
          if (command === undefined) return { status: 1, message: NOT_YET };
          // What may be left out, and was, may be there and be undefined.
          const words = written.filter(word => word !== undefined).map(String);
          const { done, text } = command(playerOf(origin), ...words);
          return { status: done ? 0 : 1, ...(text !== undefined && { message: literal(text) }) };
        },
      );
    // Such as a name that another pack has; the other commands are not to go with it.
    const refuse = (name: string, error: unknown): void =>
      say(`there is no /bridge:${name}, the game refuses it: ${field(error, "reason") ?? errorName(error)}`);
    const register = (...command: Registered): void => {
      try {
        add(...command);
      } catch (error) {
        refuse(command[0], error);
      }
    };
    register("status", levels.Admin);
    for (const name of ["link", "unlink", "block", "unblock", "hide", "show", "forget"] as const)
      register(name, levels.Any);
    const word = (name: string) => [{ name, type: types.String }];
    const browser = { mandatoryParameters: word("browser") };
    register("mute", levels.Admin, browser);
    register("unmute", levels.Admin, browser);
    for (const [name, second] of [
      ["ban", "reason"],
      ["unban", "word2"],
    ] as const) {
      const registerFor = ([most, ...fewer]: readonly number[]): void => {
        const more = Array.from({ length: Math.max(0, (most ?? 2) - 2) }, (_, i) => `word${i + 3}`);
        const others = [second, ...more].flatMap(word);
        try {
          add(name, levels.Admin, { mandatoryParameters: word("player"), optionalParameters: others });
        } catch (error) {
          if (fewer.length > 0 && field(error, "reason") === "ParameterLimit") registerFor(fewer);
          else refuse(name, error);
        }
      };
      registerFor(WORDS);
    }
    // Refused where it is there already, such as after a reload; then the command may have it still.
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
